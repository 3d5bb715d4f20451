import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';
import { costText } from '#shared/cost-text.ts';
import { outcomeOf } from '#shared/judgment/overall.ts';
import { evidenceText, overallOf, overallText, verdictText } from '#shared/judgment/verdict-words.ts';
import { countText, durationText } from '#shared/quantities.ts';
import type { RunEvent } from '#shared/model/event.ts';
import type { StepFailure } from '#shared/model/run.ts';
import { inert, type Output, type Style } from '../terminal.ts';
import { lastWords, logPrefix, waysOutOf } from './last-words.ts';
import { StatusLine } from './status-line.ts';
import { cachedLine, stepLine } from './step-line.ts';

export interface RunPrinterOptions {
  readonly output: Output;
  /** The stream of the person who waits; the status line is drawn only on a terminal. */
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Print what scripts say while they work. */
  readonly withLogs: boolean;
  /** Say of a result that it passes, and by whom; what speaks against one is always said. */
  readonly withPasses: boolean;
}

/** Tells a run on standard error as it happens: a line for every step, and on a terminal one line that says where it stands. */
export class RunPrinter {
  readonly #options: RunPrinterOptions;
  readonly #status: StatusLine;
  readonly #running = new Set<string>();
  #total = 0;
  #done = 0;
  /** The skill whose output stands unfinished at the end of the last line. */
  #talking: string | undefined;

  constructor(options: RunPrinterOptions) {
    this.#options = options;
    this.#status = new StatusLine(options.stream);
  }

  take(event: RunEvent): void {
    switch (event.type) {
      case 'skill_graph_resolved':
        this.#total = event.skill_count;
        break;
      case 'skill_execute_start':
        this.#running.add(event.skill_name);
        this.#line('▶', 'yellow', event.skill_name, event.reasons[0]?.sentence ?? '');
        break;
      case 'skill_output':
        if (this.#options.withLogs && event.stream === 'stderr') this.#say(event.skill_name, event.chunk);
        break;
      case 'skill_tool':
        if (this.#options.withLogs || !event.ok) this.#tool(event);
        break;
      case 'skill_model':
        if (event.error === undefined) {
          const by = event.purpose === 'judge' ? 'judged by ' : '';
          this.#line('∙', 'dim', event.skill_name, `${by}${costText(event.cost)}`);
        }
        break;
      case 'skill_retry':
        this.#line(
          '↻',
          'yellow',
          event.skill_name,
          `attempt ${event.attempt} of ${event.limit}: ${event.message}`,
        );
        break;
      case 'skill_execute_complete':
        this.#complete(event);
        break;
      case 'skill_judged':
        this.#judged(event);
        break;
      case 'skill_refined':
        this.#line(
          '↻',
          'yellow',
          event.skill_name,
          // What it was told has just been said: the verdicts above.
          event.stop === undefined ? `attempt ${event.attempt}` : `no further attempt: ${event.message}`,
        );
        break;
      case 'skill_blocked':
        this.#done++;
        this.#line('⛔', 'red', event.skill_name, event.message);
        break;
      case 'run_warning':
        this.#note(event.message);
        break;
      default:
        break;
    }
    this.#show();
  }

  /** Takes the status line away: what follows is the result. */
  end(): void {
    this.#finishTalking();
    this.#status.clear();
  }

  /** Says what speaks against a result, with the words it rests on, and what could not be judged. */
  #judged(event: Extract<RunEvent, { type: 'skill_judged' }>): void {
    const { skill_name: skill, verdicts } = event;
    const overall = overallOf(event);
    if (this.#options.withPasses && overall?.outcome === 'passed') {
      const passes = verdicts.filter((verdict) => outcomeOf(verdict) === 'pass');
      const judges = passes.map((verdict) => `${verdict.judge} ${verdictText(verdict)}`);
      this.#line('⚖', 'green', skill, `${overallText(overall)}: ${judges.join(', ')}`);
    }
    for (const verdict of verdicts) {
      const outcome = outcomeOf(verdict);
      const line = `${verdict.judge}: ${verdictText(verdict)}: ${verdict.message}`;
      if (outcome === 'not-judged') this.#line('⚖', 'dim', skill, line);
      else if (outcome !== 'pass') {
        this.#line('⚖', 'red', skill, line);
        for (const evidence of verdict.evidence ?? []) {
          this.#line(' ', 'dim', '', evidenceText(evidence));
        }
      }
    }
  }

  /** One line a call: what it was called with, or why it was refused. */
  #tool({ skill_name, tool, input, ok, message = '' }: Extract<RunEvent, { type: 'skill_tool' }>): void {
    const said = ok ? shortened(input) : `refused: ${shortened(message)}`;
    this.#line('·', ok ? 'dim' : 'red', skill_name, `${tool} ${said}`);
  }

  #complete(event: Extract<RunEvent, { type: 'skill_execute_complete' }>): void {
    this.#running.delete(event.skill_name);
    // Said already, with what it is blocked by.
    if (event.state === 'blocked') return;
    this.#done++;
    const time = durationText(event.duration_ms);
    if (event.state === 'cancelled') this.#line('–', 'dim', event.skill_name, 'cancelled');
    else if (event.error) this.#failed(event.skill_name, event.error);
    else if (event.cached) this.#note(cachedLine(event.skill_name, this.#options.output));
    else if (event.success) this.#line('✓', 'green', event.skill_name, time);
    else this.#line('✕', 'red', event.skill_name, `${event.state} after ${time}`);
  }

  /** With the last that its script said, unless it was said before, and what to do about it. */
  #failed(skill: string, error: StepFailure): void {
    this.#line('✕', 'red', skill, error.message);
    const said = this.#options.withLogs ? [] : lastWords(skill, error);
    for (const line of [...said, ...waysOutOf(error)]) this.#note(line);
  }

  #line(glyph: string, style: Style, skill: string, text: string): void {
    this.#note(stepLine(this.#options.output.styled(style, glyph), skill, text));
  }

  #note(text: string): void {
    this.#finishTalking();
    this.#status.clear();
    this.#options.output.note(text);
  }

  /** Every line of a script's output is marked with its skill, because several talk at once. */
  #say(skill: string, chunk: string): void {
    this.#status.clear();
    if (this.#talking !== skill) this.#finishTalking();
    const { stream } = this.#options;
    for (const line of cleanTerminalText(chunk).split(/(?<=\n)/)) {
      stream.write(this.#talking === skill ? line : `${logPrefix(skill)}${line}`);
      this.#talking = line.endsWith('\n') ? undefined : skill;
    }
  }

  #finishTalking(): void {
    if (this.#talking === undefined) return;
    this.#options.stream.write('\n');
    this.#talking = undefined;
  }

  #show(): void {
    if (this.#talking !== undefined || this.#running.size === 0) return;
    const names = [...this.#running].map(inert).join(', ');
    this.#status.show(`${this.#done} of ${countText(this.#total, 'skill')} · ${names}`);
  }
}

const longest = 100;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
