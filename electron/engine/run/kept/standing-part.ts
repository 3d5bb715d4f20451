import type { RunEvent } from '#shared/model/event.ts';
import type { RunId } from '#shared/model/run.ts';
import { WaveView } from '../wave-view.ts';
import { keptRecord } from './kept-plan.ts';
import type { RepeatedRun } from './repeated-run.ts';
import { tellKept, wholePlan, type StandingLine } from './standing-line.ts';

/** Of every run it is told first that it started, and of which graph. */
const eventsBeforeKept = 2;

/** What a run took from an earlier one before anything else, told from the line in its journal alone. */
export function standingPart(
  line: StandingLine,
  { runId, startedAt }: { readonly runId: RunId; readonly startedAt: number },
): RepeatedRun {
  const plan = wholePlan(line, startedAt);
  const events: RunEvent[] = [];
  tellKept(line.steps, new WaveView(plan, line.concurrency), (event) => {
    events.push({ ...event, seq: eventsBeforeKept + events.length + 1, at: line.at, run_id: runId });
  });
  return { plan, events, steps: line.steps.map((step) => keptRecord(step, line.at)) };
}
