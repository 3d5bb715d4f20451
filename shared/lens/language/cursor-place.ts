import type { Path } from '../yaml/source.ts';

/** What could be typed at a place. */
export interface CursorPlace {
  /** Of the value that is typed, or of the map that a key is typed for. */
  readonly path: Path;
  readonly mayBeKey: boolean;
  readonly mayBeValue: boolean;
  /** Inside a block of text or a quoted one, where only placeholders mean something. */
  readonly isText: boolean;
  /** What is typed already, and what a completion replaces. */
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
  /** Keys that the map has, apart from the one at the cursor. */
  readonly keys: readonly string[];
  /** Entries that the list between the same brackets has, apart from the one at the cursor. */
  readonly others: readonly string[];
  /** Columns before the value or key. */
  readonly column: number;
  /** A list stands here, so that a new entry needs a dash. */
  readonly needsDash: boolean;
  /** Between brackets or braces, where everything stays on one line. */
  readonly isFlow: boolean;
}
