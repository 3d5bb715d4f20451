import { commandIds, keysOf } from '#shared/commands.ts';
import type { ChosenKeys, CommandId } from '#shared/commands.ts';
import { isKeyPressed, keyLabel, keyOfPress, keyProblem, normalKey } from '#shared/keys.ts';
import type { Keyboard, KeyPress } from '#shared/keys.ts';

interface KeymapOptions {
  readonly keyboard: () => Keyboard;
  /** What the user changed. */
  readonly chosen: () => ChosenKeys;
  readonly choose: (chosen: Record<string, string | null>) => Promise<void>;
}

/** A command that is to have another key, and what was pressed for it so far. */
export interface KeyRecording {
  readonly id: CommandId;
  readonly key?: string;
}

/** Which key runs which command here: those of the table, and what the user made of them. */
export class Keymap {
  readonly #options: KeymapOptions;
  #recording = $state.raw<KeyRecording>();

  constructor(options: KeymapOptions) {
    this.#options = options;
  }

  keysOf(id: CommandId): string[] {
    return keysOf(id, this.#options.keyboard().host, this.#options.chosen());
  }

  isChanged(id: CommandId): boolean {
    return Object.hasOwn(this.#options.chosen(), id);
  }

  get hasChanges(): boolean {
    return commandIds.some((id) => this.isChanged(id));
  }

  /** Set while the next key press is to be kept and not to be obeyed. */
  get recording(): KeyRecording | undefined {
    return this.#recording;
  }

  /** Begins to listen for the key of a command. */
  record(id: CommandId): void {
    this.#recording = { id };
  }

  /** Takes a press as the new key; answers false for one that only moves the focus or is no whole key yet. */
  take(press: KeyPress): boolean {
    const key = keyOfPress(press, this.#options.keyboard().isMac);
    if (!this.#recording || key === undefined || /^(Shift\+)?(Tab|Enter|Escape|Space)$/.test(key))
      return false;
    this.#recording = { ...this.#recording, key };
    return true;
  }

  /** Binds what was pressed, if it can be bound. */
  async accept(): Promise<void> {
    const { id, key } = this.#recording ?? {};
    if (!id || key === undefined || this.problemOf(key) !== undefined) return;
    this.#recording = undefined;
    await this.bind(id, key);
  }

  stopRecording(): void {
    this.#recording = undefined;
  }

  /** A key of this system as printed on the keyboard, one part per key. */
  labelOf(key: string): string[] {
    return keyLabel(key, this.#options.keyboard().isMac);
  }

  isPressed(press: KeyPress, key: string): boolean {
    return isKeyPressed(press, key, this.#options.keyboard().isMac);
  }

  /** Why a key cannot run a command here; undefined when it can. */
  problemOf(key: string): string | undefined {
    return keyProblem(key, this.#options.keyboard());
  }

  /** The other commands that a key runs now. */
  holdersOf(key: string, besides: CommandId): CommandId[] {
    const { isMac } = this.#options.keyboard();
    const wanted = normalKey(key, isMac);
    return commandIds.filter(
      (id) => id !== besides && this.keysOf(id).some((known) => normalKey(known, isMac) === wanted),
    );
  }

  /** Gives a command a key, and takes it from those that had it. */
  bind(id: CommandId, key: string): Promise<void> {
    return this.#options.choose({ ...this.#without(key, id), [id]: key });
  }

  unbind(id: CommandId): Promise<void> {
    return this.#options.choose({ ...this.#options.chosen(), [id]: null });
  }

  /** Gives a command its own key back, and takes that from those that have it now. */
  reset(id: CommandId): Promise<void> {
    const [own] = keysOf(id, this.#options.keyboard().host);
    const chosen = own === undefined ? { ...this.#options.chosen() } : this.#without(own, id);
    delete chosen[id];
    return this.#options.choose(chosen);
  }

  resetAll(): Promise<void> {
    return this.#options.choose({});
  }

  #without(key: string, besides: CommandId): Record<string, string | null> {
    const none = this.holdersOf(key, besides).map((holder) => [holder, null] as const);
    return { ...this.#options.chosen(), ...Object.fromEntries(none) };
  }
}
