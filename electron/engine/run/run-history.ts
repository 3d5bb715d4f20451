import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { RunId, RunSummary } from '#shared/model/run.ts';
import { timeOfRun } from '#shared/run-time.ts';
import type { Log } from '../store/log.ts';
import { isMarkAlive } from '../store/process-mark.ts';
import { writeFile } from '../store/write-file.ts';
import type { JournaledRun } from './read-journal.ts';
import { historyIndexName, historyLimits, signOfRun } from './run-places.ts';
import { summaryOf } from './step-record.ts';

/** A run in the index; `mark` while it runs, `bytes` when it is over. */
export interface IndexLine {
  readonly summary: RunSummary;
  readonly mark?: string;
  readonly bytes?: number;
}

export interface HistoryLimits {
  readonly runs: number;
  readonly bytes: number;
}

export interface ListOptions {
  readonly limit: number;
  readonly before?: RunId | undefined;
  /** The file of a lens. */
  readonly lens?: string | undefined;
}

/** A folder without a journal is one that is just being made, or was left by a crash long ago. */
const unbegunMs = 60_000;

/**
 * The runs of one workspace. Their journals are the truth; the index beside them only spares reading every journal, and
 * what it lacks or gets wrong by a crash is read again.
 *
 *   runs/<workspace>/history.jsonl            one line when a run starts, one when it is over
 *   runs/<workspace>/<run>/journal.jsonl      everything that happened
 *   runs/<workspace>/<run>/artifacts/<hash>   what it proposes
 */
export class RunHistory {
  readonly folder: string;
  readonly #limits: HistoryLimits;
  readonly #log: Log;

  constructor(options: { folder: string; log: Log; limits?: HistoryLimits }) {
    this.folder = options.folder;
    this.#log = options.log;
    this.#limits = options.limits ?? historyLimits;
  }

  folderOf(run: RunId): string {
    return join(this.folder, run);
  }

  /** Newest first, those before a run and of a lens if they are named. Refused where it would lack one that cannot be read. */
  async list({ limit, before, lens }: ListOptions): Promise<RunSummary[]> {
    const ids = this.#runs().reverse();
    const index = this.#index();
    const found: RunSummary[] = [];
    for (const id of before === undefined ? ids : ids.filter((other) => other < before)) {
      const summary = await this.#summary(id, index.get(id));
      if (lens !== undefined && summary?.lens !== lens) continue;
      if (summary && found.push(summary) === limit) break;
    }
    return found;
  }

  async read(run: RunId): Promise<JournaledRun> {
    const found = timeOfRun(run) === undefined ? undefined : await this.#journal(run);
    if (found) return found;
    throw new StudioError('run.unknown', `Cannot find run "${run}" in this workspace`, { run });
  }

  /** Adds a line to the index; a run whose line is missing is read from its journal. */
  note(line: IndexLine): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(this.folder, historyIndexName), `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      // Of a disk that refuses the run itself tells, and a run that is missing here is read from its journal.
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    }
  }

  /** Removes the oldest runs above the limits and what crashes left behind, and rewrites an index that has grown. */
  async tidy(now = Date.now()): Promise<void> {
    try {
      const ids = this.#runs().reverse();
      const index = this.#index();
      let bytes = 0;
      let kept = 0;
      for (const id of ids) {
        const line = index.get(id);
        const isRunning = line?.mark !== undefined && isMarkAlive(line.mark, signOfRun(this.folderOf(id)));
        bytes += line?.bytes ?? 0;
        const isOver = kept >= this.#limits.runs || bytes > this.#limits.bytes;
        const isUnbegun = !line && now - timeOfRun(id)! > unbegunMs && !(await this.#mayHaveBegun(id));
        if (!isRunning && ((isOver && kept > 0) || isUnbegun)) {
          index.delete(id);
          await rm(this.folderOf(id), { recursive: true, force: true });
        } else kept++;
      }
      if (index.lines > 2 * this.#limits.runs + 100) await this.#rewrite(index, ids);
    } catch (error) {
      this.#log.report(error);
    }
  }

  #runs(): RunId[] {
    try {
      const names = readdirSync(this.folder);
      return names.filter((name) => timeOfRun(name) !== undefined).sort() as RunId[];
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return []; // No run yet.
      throw new StudioError('run.unreadable', `Cannot read the history of runs: ${message}`, {
        folder: this.folder,
      });
    }
  }

  async #journal(run: RunId): Promise<JournaledRun | undefined> {
    try {
      return await readJournal(this.folderOf(run));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw new StudioError('run.unreadable', `Cannot read run "${run}": ${(error as Error).message}`, {
        run,
      });
    }
  }

  /** What cannot be read may be a whole run. */
  async #mayHaveBegun(run: RunId): Promise<boolean> {
    return await this.#journal(run).then(
      (read) => read !== undefined,
      () => true,
    );
  }

  async #summary(id: RunId, line: IndexLine | undefined): Promise<RunSummary | undefined> {
    if (line) {
      if (line.mark === undefined) return line.summary;
      if (isMarkAlive(line.mark, signOfRun(this.folderOf(id)))) return runningSoFar(line.summary);
    }
    const read = await this.#journal(id);
    if (!read) return undefined;
    const summary = summaryOf(read.record);
    // Said once for all later lists: a run that was interrupted stays so.
    if (summary.status !== 'running') this.note({ summary });
    return summary;
  }

  #index(): Map<string, IndexLine> & { lines: number } {
    const lines = this.#indexText().split('\n');
    const byRun = new Map<string, IndexLine>();
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed) byRun.set(parsed.summary.runId, parsed);
    }
    return Object.assign(byRun, { lines: lines.length });
  }

  #indexText(): string {
    try {
      return readFileSync(join(this.folder, historyIndexName), 'utf8');
    } catch {
      return ''; // Rebuilt from the journals.
    }
  }

  /** Lines that another process adds meanwhile are lost, and read from their journals instead. */
  async #rewrite(index: ReadonlyMap<string, IndexLine>, ids: readonly RunId[]): Promise<void> {
    const lines = ids.toReversed().flatMap((id) => index.get(id) ?? []);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(join(this.folder, historyIndexName), text);
  }
}

/** What the index has was written when the run started, and had taken no time then. */
function runningSoFar(summary: RunSummary): RunSummary {
  return { ...summary, durationMs: Math.max(0, Date.now() - summary.startedAt) };
}

/** By hand: every run reads the index, and loading the schemas takes longer than reading it. */
function parseLine(line: string): IndexLine | undefined {
  try {
    const parsed = JSON.parse(line) as Partial<IndexLine> | null;
    return parsed?.summary && summaryFields.every((field) => field in parsed.summary!)
      ? (parsed as IndexLine)
      : undefined;
  } catch {
    return undefined; // Torn: the journal has the same.
  }
}

const summaryFields: readonly (keyof RunSummary)[] = [
  ...(['runId', 'lens', 'lensName', 'status', 'startedAt', 'durationMs', 'ran', 'cached', 'failed'] as const),
  ...(['blocked', 'cancelled', 'savedMs', 'artifacts', 'diverged'] as const),
];

/** The journals are read rarely and checked thoroughly. */
async function readJournal(folder: string): Promise<JournaledRun | undefined> {
  return (await import('./read-journal.ts')).readJournal(folder);
}
