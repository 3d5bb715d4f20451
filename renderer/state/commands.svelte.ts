import { commandIds, commandTable } from '#shared/commands.ts';
import type { CommandContext, CommandId } from '#shared/commands.ts';
import { isTypingKey } from '#shared/keys.ts';
import type { KeyPress } from '#shared/keys.ts';
import type { Keymap } from './keymap.svelte.ts';

/** What a command does here and now. */
export interface CommandAction {
  readonly run: () => void | Promise<void>;
  /** What must be so besides the context that the table names. */
  readonly isEnabled?: () => boolean;
}

interface CommandsOptions {
  readonly actions: Readonly<Record<CommandId, CommandAction>>;
  /** Whether each context of the table is there now. */
  readonly contexts: Readonly<Record<CommandContext, () => boolean>>;
  readonly keymap: Keymap;
  /** Writes what a field still holds, before a command acts on the text; nothing where there is nothing to wait for. */
  readonly finishTyping?: () => Promise<void> | undefined;
}

/** Every command of the table bound to what it does; keys, palette and menu all come through `run`. */
export class Commands {
  readonly #options: CommandsOptions;

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  isEnabled(id: CommandId): boolean {
    const { actions, contexts } = this.#options;
    return contexts[commandTable[id].when]() && (actions[id].isEnabled?.() ?? true);
  }

  enabled(): CommandId[] {
    return commandIds.filter((id) => this.isEnabled(id));
  }

  async run(id: CommandId): Promise<void> {
    if (!this.isEnabled(id)) return;
    const typing = this.#options.finishTyping?.();
    if (typing) await typing;
    await this.#options.actions[id].run();
  }

  /** The command that this key press asks for, if it can run now; while one types, letters are letters. */
  forKey(press: KeyPress, isTyping = false): CommandId | undefined {
    const { keymap } = this.#options;
    const isAsked = (key: string): boolean => keymap.isPressed(press, key) && !(isTyping && isTypingKey(key));
    return commandIds.find((id) => keymap.keysOf(id).some(isAsked) && this.isEnabled(id));
  }

  /** The command's key as printed on the keyboard, one part per key. */
  keyLabel(id: CommandId): string[] {
    const [key] = this.#options.keymap.keysOf(id);
    return key === undefined ? [] : this.labelOf(key);
  }

  /** A key of this system as printed on the keyboard, one part per key. */
  labelOf(key: string): string[] {
    return this.#options.keymap.labelOf(key);
  }

  /** Whether this press is that key, for keys that belong to one place and are no command. */
  isPressed(press: KeyPress, key: string): boolean {
    return this.#options.keymap.isPressed(press, key);
  }

  title(id: CommandId): string {
    return commandTable[id].title;
  }
}
