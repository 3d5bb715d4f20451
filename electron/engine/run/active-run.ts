import type { RunEvent } from '#shared/model/event.ts';
import type { RunId, RunRecord } from '#shared/model/run.ts';
import type { ToldOverride } from './override-verdict.ts';
import type { AnswerDesk } from './model/answer-desk.ts';
import type { Run } from './run.ts';
import type { RunStream } from './run-stream.ts';

/** A run that goes on in this process, for whoever started it or comes later. */
export class ActiveRun {
  readonly runId: RunId;
  /** Resolves with the finished record when every process is gone and the journal is closed; never rejects for a failed step. */
  readonly done: Promise<RunRecord>;
  readonly #run: Run;
  readonly #stream: RunStream;
  readonly #answers: AnswerDesk;

  constructor(parts: {
    runId: RunId;
    run: Run;
    stream: RunStream;
    answers: AnswerDesk;
    done: Promise<RunRecord>;
  }) {
    this.runId = parts.runId;
    this.done = parts.done;
    this.#run = parts.run;
    this.#stream = parts.stream;
    this.#answers = parts.answers;
  }

  record(): RunRecord {
    return this.#run.record();
  }

  /** Ends one step or the whole run; resolves when every process of it is gone. */
  async cancel(skill?: string): Promise<RunRecord> {
    await this.#run.cancel(skill);
    return this.record();
  }

  /** Answers a question that the run asks a person, or declines with null. */
  answer(request: string, text: string | null): void {
    this.#answers.answer(request, text);
  }

  /** Everything after the number, then what comes; ends with the run. */
  events(after: number, signal?: AbortSignal): AsyncGenerator<RunEvent, void> {
    return this.#stream.events(after, signal);
  }

  /** Bytes that the run proposes and nobody else may have; undefined for others. */
  content(contentHash: string): Uint8Array | undefined {
    return this.#run.content(contentHash);
  }

  get baseline(): ReadonlyMap<string, string | null> {
    return this.#run.baseline;
  }

  /** What a step printed so far. */
  printed(skill: string): string {
    return this.#stream.printed(skill);
  }

  /** Remembers what was written into the workspace, where no journal can. */
  noteApplied(applied: ReadonlyMap<string, string | null>): void {
    this.#run.noteApplied(applied);
  }

  /** Remembers what a person said about a verdict, where no journal can. */
  noteOverride(told: ToldOverride): void {
    this.#run.noteOverride(told);
  }
}
