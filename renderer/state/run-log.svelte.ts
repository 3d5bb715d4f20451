/** One line that a script printed or a model wrote. */
export interface LogLine {
  readonly number: number;
  readonly skill: string;
  readonly stream: 'stdout' | 'stderr' | 'model';
  readonly text: string;
}

/** Beyond this the oldest lines go: a script that prints without end must not fill the window's memory. */
const mostLines = 100_000;
const longestLine = 10_000;

/** What the scripts of a run printed, as lines. Not deeply reactive: readers follow `version`. */
export class RunLog {
  #lines: LogLine[] = [];
  #open = new Map<string, LogLine>();
  #next = 1;
  #version = $state.raw(0);

  /** Changes whenever a line is added or grows. */
  get version(): number {
    return this.#version;
  }

  get lines(): readonly LogLine[] {
    void this.#version;
    return this.#lines;
  }

  /** Lines that were dropped because there are too many. */
  get dropped(): number {
    void this.#version;
    return this.#next - 1 - this.#lines.length;
  }

  /** Adds a piece of output; a line goes on where the last piece of the same script's stream ended. */
  append(skill: string, stream: LogLine['stream'], chunk: string): void {
    const key = `${stream} ${skill}`;
    const parts = chunk.split('\n');
    for (const [i, part] of parts.entries()) {
      const isLast = i === parts.length - 1;
      if (isLast && part === '') break;
      const open = this.#open.get(key);
      const line = open ? this.#grow(open, part) : this.#push(skill, stream, part);
      if (isLast) this.#open.set(key, line);
      else this.#open.delete(key);
    }
    this.#trim();
    this.#version++;
  }

  clear(): void {
    this.#lines = [];
    this.#open.clear();
    this.#next = 1;
    this.#version++;
  }

  #push(skill: string, stream: LogLine['stream'], text: string): LogLine {
    const line = { number: this.#next++, skill, stream, text: text.slice(0, longestLine) };
    this.#lines.push(line);
    return line;
  }

  #grow(line: LogLine, part: string): LogLine {
    const grown = { ...line, text: (line.text + part).slice(0, longestLine) };
    const first = this.#lines[0]?.number ?? this.#next;
    if (line.number >= first) this.#lines[line.number - first] = grown;
    return grown;
  }

  /** In blocks, so that a flood does not move the whole list for every line. */
  #trim(): void {
    if (this.#lines.length > mostLines * 1.1) this.#lines = this.#lines.slice(-mostLines);
  }
}
