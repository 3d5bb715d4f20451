import type { RunEvent } from '#shared/model/event.ts';
import type { Plan } from '#shared/model/plan.ts';
import type { RunId, StepRecord } from '#shared/model/run.ts';
import type { NewRunEvent } from '../run-stream.ts';
import { keptRecord, planOf, savedBy, type KeptPlan, type KeptStep } from './kept-plan.ts';
import { keptStepEvents } from './standing-line.ts';

/** A run in which every step came from the cache, told from its plan alone. */
export interface RepeatedRun {
  readonly plan: Plan;
  readonly steps: readonly StepRecord[];
  readonly events: readonly RunEvent[];
}

/** What a run of a kept plan does and tells; nobody has to write that down step by step. */
export function repeatedRun(
  kept: KeptPlan,
  { runId, startedAt }: { readonly runId: RunId; readonly startedAt: number },
  durationMs: number,
): RepeatedRun {
  const events = eventsOf(kept, durationMs).map((event, i): RunEvent => ({
    ...event,
    seq: i + 1,
    at: startedAt,
    run_id: runId,
  }));
  const steps = kept.steps.map((step) => keptRecord(step, startedAt));
  return { plan: planOf(kept, new Date(startedAt)), steps, events };
}

function eventsOf({ lens, lensName, contentHash, steps }: KeptPlan, durationMs: number): NewRunEvent[] {
  const byWave = new Map<number, KeptStep[]>();
  for (const step of steps) {
    const members = byWave.get(step[2]);
    if (members) members.push(step);
    else byWave.set(step[2], [step]);
  }
  const waves = [...byWave];
  return [
    { type: 'run_start', lens, lens_name: lensName },
    {
      type: 'skill_graph_resolved',
      lens_name: lensName,
      skill_count: steps.length,
      wave_count: waves.length,
      content_hash: contentHash,
    },
    ...waves.flatMap(([wave, members]) => waveEvents(wave, members, waves.length)),
    {
      type: 'run_complete',
      status: 'succeeded',
      duration_ms: durationMs,
      ...{ ran: 0, cached: steps.length, failed: 0, blocked: 0, saved_ms: savedBy(steps), diverged: false },
    },
  ];
}

function waveEvents(wave: number, steps: readonly KeptStep[], total: number): NewRunEvent[] {
  return [
    {
      type: 'skill_wave_start',
      wave_index: wave,
      total_waves: total,
      skills: steps.map(([skill]) => skill),
      parallel: steps.length > 1,
    },
    ...steps.flatMap(([skill, , , produces, cacheKey, , , , savedMs]) =>
      keptStepEvents(skill, produces, cacheKey, savedMs),
    ),
    {
      type: 'skill_wave_complete',
      wave_index: wave,
      duration_ms: 0,
      succeeded: steps.length,
      failed: 0,
    },
  ];
}
