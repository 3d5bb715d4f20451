import type { RunEvent } from '#shared/model/event.ts';
import type { StyledSpan } from '#shared/model/output-style.ts';
import type { RunId } from '#shared/model/run.ts';
import { spansWithin } from '#shared/output-styles.ts';
import { EventLog } from '../workspace/event-log.ts';
import type { Journal } from './journal.ts';

type WithoutBase<E> = E extends unknown ? Omit<E, 'seq' | 'at' | 'run_id'> : never;
/** An event before it has its number, its time and its run. */
export type NewRunEvent = WithoutBase<RunEvent>;

const keptEvents = 10_000;
const chunkChars = 8 * 1024;
const chunkDelayMs = 25;
/** Passed on of each stream of each step: the first of it as it comes, the last of it when the step ends. */
const outputChars = 256 * 1024;
const tailChars = 64 * 1024;
const gapMark = '… more was printed …';

export interface RunStreamOptions {
  readonly runId: RunId;
  readonly journal: Journal;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Numbers what happens in a run and hands it to everybody: windows that follow or come late, the journal, the terminal. */
export class RunStream {
  readonly #options: RunStreamOptions;
  readonly #log = new EventLog<RunEvent>(keptEvents);
  readonly #output = new Map<string, OutputBuffer>();
  readonly #printed = new Map<string, string>();

  constructor(options: RunStreamOptions) {
    this.#options = options;
  }

  get seq(): number {
    return this.#log.seq;
  }

  emit(event: NewRunEvent): void {
    this.#append(event, Date.now(), (whole) => this.#options.journal.append({ event: whole }));
  }

  /** Tells what follows from a line of the journal, so that it need not be in it once more. */
  emitKept(event: NewRunEvent, at: number): void {
    this.#append(event, at, () => undefined);
  }

  /** Passes on what a script prints in pieces that neither flood a window nor let it wait. */
  output({ skill, script, stream }: Printer, text: string, styles: readonly StyledSpan[] = []): void {
    const key = JSON.stringify([skill, stream]);
    let buffer = this.#output.get(key);
    if (!buffer) this.#output.set(key, (buffer = new OutputBuffer()));
    const emit: EmitOutput = (chunk, spans) => {
      this.#printed.set(skill, (this.#printed.get(skill) ?? '') + chunk);
      const printer = { skill_name: skill, script_name: script, stream };
      this.emit({ type: 'skill_output', ...printer, chunk, ...(spans.length > 0 && { styles: spans }) });
    };
    buffer.add(text, styles, emit);
  }

  /** What a step printed so far, as far as it was passed on. */
  printed(skill: string): string {
    return this.#printed.get(skill) ?? '';
  }

  /** Sends what is still held back of a step's output, before the step is said to be over. */
  endOutput(skill: string): void {
    for (const stream of ['stdout', 'stderr', 'model']) {
      const key = JSON.stringify([skill, stream]);
      this.#output.get(key)?.end();
      this.#output.delete(key);
    }
  }

  events(after: number, signal?: AbortSignal): AsyncGenerator<RunEvent, void> {
    const { runId } = this.#options;
    return this.#log.after(after, signal, (seq) => ({
      type: 'snapshot_needed',
      seq,
      at: Date.now(),
      run_id: runId,
    }));
  }

  close(): void {
    this.#log.close();
  }

  #append(event: NewRunEvent, at: number, note: (whole: RunEvent) => void): void {
    const { runId, onEvent } = this.#options;
    this.#log.append((seq) => {
      const whole: RunEvent = { ...event, seq, at, run_id: runId };
      note(whole);
      onEvent?.(whole);
      return whole;
    });
  }
}

/** Who prints: a script of a skill, or its model by name. */
interface Printer {
  readonly skill: string;
  readonly script: string;
  readonly stream: 'stdout' | 'stderr' | 'model';
}

type EmitOutput = (chunk: string, styles: StyledSpan[]) => void;

/** The output of one stream of one step on its way out. */
class OutputBuffer {
  #held = '';
  #styles: StyledSpan[] = [];
  #left = outputChars;
  /** What came after that, as far as it is kept. */
  #tail: { text: string; styles: StyledSpan[] } = { text: '', styles: [] };
  #hasGap = false;
  #isLineOver = true;
  #emit: EmitOutput | undefined;
  #timer: NodeJS.Timeout | undefined;

  add(text: string, styles: readonly StyledSpan[], emit: EmitOutput): void {
    this.#emit = emit;
    const taken = text.slice(0, this.#left);
    this.#left -= taken.length;
    if (taken !== '') this.#hold(taken, spansWithin(styles, { start: 0, end: taken.length }));
    if (taken.length < text.length) this.#keepLast(part({ text, styles }, taken.length));
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held !== '') this.#emit?.(this.#held, this.#styles);
    this.#held = '';
    this.#styles = [];
  }

  /** Sends everything that is still here. */
  end(): void {
    const { text, styles } = this.#hasGap ? wholeLines(lastOf(this.#tail)) : this.#tail;
    if (text !== '') this.#hold(text, styles);
    this.flush();
  }

  #hold(text: string, styles: readonly StyledSpan[]): void {
    this.#styles.push(...spansWithin(styles, { start: 0, end: text.length }, this.#held.length));
    this.#held += text;
    this.#isLineOver = text.endsWith('\n');
    if (this.#held.length >= chunkChars) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), chunkDelayMs);
  }

  #keepLast({ text, styles }: StyledText): void {
    this.#tail.styles.push(...spansWithin(styles, { start: 0, end: text.length }, this.#tail.text.length));
    this.#tail.text += text;
    if (this.#tail.text.length <= tailChars) return;
    if (!this.#hasGap) this.#hold(`${this.#isLineOver ? '' : '\n'}${gapMark}\n`, []);
    this.#hasGap = true;
    // Not for every piece: of a flood of small ones each would copy all of it.
    if (this.#tail.text.length > 2 * tailChars) this.#tail = lastOf(this.#tail);
  }
}

interface StyledText {
  readonly text: string;
  readonly styles: readonly StyledSpan[];
}

function part({ text, styles }: StyledText, start: number): { text: string; styles: StyledSpan[] } {
  return { text: text.slice(start), styles: spansWithin(styles, { start, end: text.length }) };
}

function lastOf(tail: StyledText): ReturnType<typeof part> {
  return part(tail, Math.max(0, tail.text.length - tailChars));
}

/** From the beginning of a line where one ends in it, else of a character. */
function wholeLines(tail: StyledText): StyledText {
  const line = tail.text.indexOf('\n') + 1;
  if (line > 0 && line < tail.text.length) return part(tail, line);
  return part(tail, /^[\udc00-\udfff]/.test(tail.text) ? 1 : 0);
}
