import { Settings } from '#shared/model/settings.ts';
import type { Theme } from '#shared/model/settings.ts';
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

  async #send(change: { theme?: Theme; panes?: Settings['panes'] }): Promise<void> {
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
