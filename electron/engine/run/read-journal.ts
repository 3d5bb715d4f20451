import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '#shared/model/event.ts';
import type { RunRecord, StepRecord } from '#shared/model/run.ts';
import { isMarkAlive, type SignOfLife } from '../store/process-mark.ts';
import { JournalLine, type StepLine } from './journal-line.ts';
import { journalName, signOfRun } from './run-places.ts';
import { repeatedRun } from './kept/repeated-run.ts';
import { standingPart } from './kept/standing-part.ts';
import { withOverride } from './override-verdict.ts';
import { pendingStep } from './step-record.ts';

/** A run as its journal tells it. */
export interface JournaledRun {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  /** Path → what the run saw there, null for no file; of every path that a step proposes to change. */
  readonly baseline: ReadonlyMap<string, string | null>;
}

/** Reads a run from its folder; undefined where there is no journal, or none that began. A damaged line is left out; what the system refuses is thrown. */
export async function readJournal(folder: string): Promise<JournaledRun | undefined> {
  const text = await readFile(join(folder, journalName), 'utf8').catch(orMissing);
  return text === undefined ? undefined : runFromLines(text.split('\n'), signOfRun(folder));
}

/** Puts a run together; without an end it still runs, or was interrupted when its process is gone. */
export function runFromLines(lines: readonly string[], sign?: SignOfLife): JournaledRun | undefined {
  const parsed = lines.flatMap(parseLine);
  const header = parsed.find((line) => 'run' in line)?.run;
  const end = parsed.find((line) => 'end' in line)?.end;
  const kept = parsed.find((line) => 'repeated' in line)?.repeated;
  const line = parsed.find((other) => 'standing' in other)?.standing;
  const repeated = header && kept ? repeatedRun(kept, header, end?.durationMs ?? 0) : undefined;
  const standing = header && line ? standingPart(line, header) : undefined;
  const plan = repeated?.plan ?? standing?.plan ?? parsed.find((other) => 'plan' in other)?.plan;
  if (!header || !plan) return undefined;
  const told = repeated ?? standing;
  const events = [
    ...(told?.events ?? []),
    ...parsed.flatMap((other) => ('event' in other ? [other.event] : [])),
  ].sort((a, b) => a.seq - b.seq);
  const finished = new Map<string, StepLine>(told?.steps.map((step) => [step.id, { step }]));
  for (const other of parsed) if ('step' in other) finished.set(other.step.id, other);
  const isOver = end !== undefined || !isMarkAlive(header.mark, sign);
  const started = new Map(
    events.flatMap((event) => (event.type === 'skill_execute_start' ? [[event.skill_name, event.at]] : [])),
  );
  const now = Date.now();
  const steps = plan.decisions.map((planned): StepRecord => {
    const ended = finished.get(planned.id);
    if (ended) return ended.step;
    if (isOver) return { ...pendingStep(planned), state: 'interrupted' };
    const startedAt = started.get(planned.skill);
    if (startedAt === undefined) return pendingStep(planned);
    return { ...pendingStep(planned), state: 'running', startedAt, durationMs: timeBetween(startedAt, now) };
  });
  for (const event of events) {
    if (event.type !== 'verdict_overridden') continue;
    const at = steps.findIndex(({ skill }) => skill === event.skill_name);
    if (at >= 0) steps[at] = withOverride(steps[at]!, event);
  }
  const { mark: _mark, resumes, ...asked } = header;
  const last = events.at(-1);
  const record: RunRecord = {
    ...asked,
    status: end?.status ?? (isOver ? 'interrupted' : 'running'),
    // A long step writes nothing for as long as it is silent.
    durationMs: end?.durationMs ?? timeBetween(header.startedAt, isOver ? last?.at : now),
    plan,
    steps,
    predictedVsActual: end?.predictedVsActual ?? [],
    artifactsApplied: appliedIn(events),
    warnings:
      end?.warnings ?? events.flatMap((event) => (event.type === 'run_warning' ? [event.message] : [])),
    ...(resumes !== undefined && { resumes }),
    seq: last?.seq ?? 0,
  };
  const baseline = new Map<string, string | null>();
  for (const other of parsed) {
    const seen = 'step' in other ? other.baseline : 'applied' in other ? other.applied : undefined;
    for (const [path, digest] of Object.entries(seen ?? {})) baseline.set(path, digest);
  }
  return { record, events, baseline };
}

/** A clock that was set back between makes it no time. */
function timeBetween(startedAt: number, at = startedAt): number {
  return Math.max(0, at - startedAt);
}

function appliedIn(events: readonly RunEvent[]): string[] {
  return [...new Set(events.flatMap((event) => (event.type === 'artifacts_applied' ? event.paths : [])))];
}

function parseLine(line: string): JournalLine[] {
  if (line === '') return [];
  try {
    const parsed = JournalLine.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return []; // Torn by a crash or a full disk: everything else still counts.
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}
