import type { LogLine, RunLog } from './run-log.svelte.ts';

/** A long list that is read in parts, such as an array. */
export type Rows<Item> = Pick<readonly Item[], 'length' | 'slice'>;

/** Which lines of a log to show. */
export interface LogQuery {
  /** What a line must contain, in whatever case. */
  readonly text: string;
  /** The skill whose lines alone are wanted. */
  readonly skill: string | undefined;
}

/** Lines of one log that are looked for; while the question is the same, only lines that are new are looked at. */
export class LogSearch {
  #query: LogQuery = { text: '', skill: undefined };
  #found: LogLine[] = [];
  /** The number of the first line that was not looked at for good. */
  #next = 1;

  find(log: RunLog, query: LogQuery): Rows<LogLine> {
    const { lines, settled } = log;
    const wanted = query.text.trim();
    // A copy of a hundred thousand lines for every piece of output would be garbage faster than it is collected.
    if (wanted === '' && query.skill === undefined) {
      return { length: lines.length, slice: (start, end) => lines.slice(start, end) };
    }
    const isWanted = matcher(wanted, query.skill);
    const first = lines[0]?.number ?? 1;
    const isNew = query.text !== this.#query.text || query.skill !== this.#query.skill;
    // After a run was dismissed, numbers begin anew.
    if (isNew || first + settled < this.#next) [this.#found, this.#next] = [[], 1];
    this.#query = query;
    if (this.#found[0] && this.#found[0].number < first) {
      this.#found = this.#found.filter(({ number }) => number >= first);
    }
    for (let i = Math.max(0, this.#next - first); i < settled; i++) {
      if (isWanted(lines[i]!)) this.#found.push(lines[i]!);
    }
    this.#next = first + settled;
    return [...this.#found, ...lines.slice(settled).filter(isWanted)];
  }
}

function matcher(text: string, skill: string | undefined): (line: LogLine) => boolean {
  // Far quicker than to make every line small first.
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  return (line) => (skill === undefined || line.skill === skill) && pattern.test(line.text);
}
