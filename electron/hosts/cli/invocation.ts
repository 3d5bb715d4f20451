import type { Output, Terminal } from './terminal.ts';

/** What every command is given besides its own words. */
export interface Invocation {
  readonly terminal: Terminal;
  readonly output: Output;
  /** `--workspace`, as typed. */
  readonly workspace: string | undefined;
  /** `--frozen`: nothing may change `sunwell.lock`. */
  readonly frozen: boolean;
}
