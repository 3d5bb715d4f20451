import { commandIds, commandTable, keyOf, keysOf } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';

/** What a command does here and now. */
export interface CommandAction {
  readonly run: () => void | Promise<void>;
  readonly isEnabled?: () => boolean;
}

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export interface Keyboard {
  readonly host: 'desktop' | 'browser';
  readonly isMac: boolean;
}

/** Every command of the table bound to what it does; keys, palette and menu all come through `run`. */
export class Commands {
  readonly #actions: Readonly<Record<CommandId, CommandAction>>;
  readonly #keyboard: () => Keyboard;

  constructor(actions: Readonly<Record<CommandId, CommandAction>>, keyboard: () => Keyboard) {
    this.#actions = actions;
    this.#keyboard = keyboard;
  }

  isEnabled(id: CommandId): boolean {
    return this.#actions[id].isEnabled?.() ?? true;
  }

  enabled(): CommandId[] {
    return commandIds.filter((id) => this.isEnabled(id));
  }

  async run(id: CommandId): Promise<void> {
    if (this.isEnabled(id)) await this.#actions[id].run();
  }

  /** The command that this key press asks for, if it can run now. */
  forKey(press: KeyPress): CommandId | undefined {
    const { host, isMac } = this.#keyboard();
    return commandIds.find(
      (id) => keysOf(id, host).some((key) => matches(press, key, isMac)) && this.isEnabled(id),
    );
  }

  /** The command's key as printed on the keyboard, one part per key. */
  keyLabel(id: CommandId): string[] {
    const key = keyOf(id, this.#keyboard().host);
    return key === undefined ? [] : this.labelOf(key);
  }

  /** A key of this system as printed on the keyboard, one part per key. */
  labelOf(key: string): string[] {
    const { isMac } = this.#keyboard();
    return key.split('+').map((part) => partLabel(part, isMac));
  }

  /** Whether this press is that key, for keys that belong to one place and are no command. */
  isPressed(press: KeyPress, key: string): boolean {
    return matches(press, key, this.#keyboard().isMac);
  }

  title(id: CommandId): string {
    return commandTable[id].title;
  }
}

function matches(press: KeyPress, key: string, isMac: boolean): boolean {
  const parts = key.split('+');
  const last = parts.pop() ?? '';
  const wants = (name: string): boolean => parts.includes(name);
  const control = wants('Ctrl') || (wants('Mod') && !isMac);
  return (
    press.ctrlKey === control &&
    press.metaKey === (wants('Mod') && isMac) &&
    press.shiftKey === wants('Shift') &&
    press.altKey === wants('Alt') &&
    // Alt and Shift change the character of a key, so letters and digits go by their place too.
    (press.key.toLowerCase() === last.toLowerCase() ||
      press.code === `Key${last}` ||
      press.code === `Digit${last}`)
  );
}

const macLabels: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const plainLabels: Readonly<Record<string, string>> = { Mod: 'Ctrl' };

function partLabel(part: string, isMac: boolean): string {
  return (isMac ? macLabels : plainLabels)[part] ?? part;
}
