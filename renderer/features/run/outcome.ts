import type { Status } from '../graph/status.ts';

/** What became of one thing, as a row of a list: a step of a run, a fixture. */
export interface Outcome extends Pick<Status, 'kind' | 'tone' | 'word'> {
  readonly name: string;
  readonly title: string;
  readonly time: string;
  readonly isSelected: boolean;
}
