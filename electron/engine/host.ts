import type { AppEvent, HostKind, RunProgress } from '#shared/model/app.ts';
import type { OpenRequest } from '#shared/model/workspace.ts';

/** What a front door lends the engine for one connection: its kind, what to open first, its dialog and its own events. */
export interface Host {
  readonly kind: HostKind;
  /** What the host was started with; undefined when the user named nothing. */
  readonly start: OpenRequest | undefined;
  /** Hears which folder the page has opened; absent where nobody asks later. */
  readonly opened?: (folder: string) => void;
  /** Absent where there is no native dialog. */
  readonly chooseFolder?: () => Promise<string | undefined>;
  /** Shows outside of the page how far its runs are; absent where there is no such place. */
  readonly showProgress?: (progress: RunProgress | undefined) => void;
  readonly events: (signal: AbortSignal | undefined) => AsyncIterable<AppEvent>;
}
