import { Settings } from '#shared/model/settings.ts';
import type { SettingsChange, Theme } from '#shared/model/settings.ts';
import type { Clock } from './clock.ts';
import type { EngineConnection } from './connection.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

interface SettingsViewOptions {
  readonly engine: Pick<EngineConnection, 'client'>;
  readonly clock: Clock;
  readonly failed: (failure: Failure) => void;
}

const paneDelayMs = 400;

/** The user's settings as the engine keeps them; a change shows at once and is written behind. */
export class SettingsView {
  readonly #options: SettingsViewOptions;
  #value = $state.raw(Settings.parse({}));
  #cancelPanes: () => void = () => undefined;

  constructor(options: SettingsViewOptions) {
    this.#options = options;
  }

  get theme(): Theme {
    return this.#value.theme;
  }

  get recentWorkspaces(): Settings['recentWorkspaces'] {
    return this.#value.recentWorkspaces;
  }

  get tourSeen(): boolean {
    return this.#value.tourSeen;
  }

  /** Keys of commands that the user changed. */
  get keymap(): Settings['keymap'] {
    return this.#value.keymap;
  }

  /** What was last chosen in the search of a workspace, newest first. */
  recentItemsOf(location: string): readonly string[] {
    return this.#value.recentItems[location] ?? [];
  }

  /** What was last typed for the inputs of a lens, named by its workspace and file. */
  inputsOf(lens: string): Readonly<Record<string, string>> {
    return this.#value.lensInputs[lens] ?? {};
  }

  /** Folders besides the usual ones in which Agent Skills are looked for. */
  get skillFolders(): readonly string[] {
    return this.#value.skillFolders;
  }

  async chooseSkillFolders(skillFolders: readonly string[]): Promise<void> {
    this.#value = { ...this.#value, skillFolders: [...skillFolders] };
    await this.#send({ skillFolders: [...skillFolders] });
  }

  paneSize(pane: string): number | undefined {
    return this.#value.panes[pane]?.[0];
  }

  async read(): Promise<void> {
    try {
      this.#value = await this.#options.engine.client.settings.read();
    } catch (error) {
      this.#fail(error);
    }
  }

  async chooseTheme(theme: Theme): Promise<void> {
    this.#value = { ...this.#value, theme };
    await this.#send({ theme });
  }

  async chooseKeymap(keymap: Settings['keymap']): Promise<void> {
    this.#value = { ...this.#value, keymap };
    await this.#send({ keymap });
  }

  async rememberItem(location: string, item: string): Promise<void> {
    const others = this.recentItemsOf(location).filter((known) => known !== item);
    const recentItems = { [location]: [item, ...others].slice(0, 30) };
    this.#value = { ...this.#value, recentItems: { ...this.#value.recentItems, ...recentItems } };
    await this.#send({ recentItems });
  }

  async rememberTour(): Promise<void> {
    if (this.#value.tourSeen) return;
    this.#value = { ...this.#value, tourSeen: true };
    await this.#send({ tourSeen: true });
  }

  async rememberInputs(lens: string, inputs: Readonly<Record<string, string>>): Promise<void> {
    const lensInputs = { [lens]: { ...inputs } };
    this.#value = { ...this.#value, lensInputs: { ...this.#value.lensInputs, ...lensInputs } };
    await this.#send({ lensInputs });
  }

  /** Remembers a pane's size in percent, once the dragging has paused. */
  rememberPane(pane: string, size: number): void {
    const rounded = Math.round(size * 10) / 10;
    if (this.paneSize(pane) === rounded) return;
    this.#value = { ...this.#value, panes: { ...this.#value.panes, [pane]: [rounded] } };
    this.#cancelPanes();
    this.#cancelPanes = this.#options.clock.after(
      paneDelayMs,
      () => void this.#send({ panes: this.#value.panes }),
    );
  }

  async #send(change: SettingsChange): Promise<void> {
    try {
      await this.#options.engine.client.settings.change(change);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const failure = toFailure(error);
    this.#options.failed({ ...failure, message: `Cannot keep the settings: ${failure.message}` });
  }
}
