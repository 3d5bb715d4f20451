import type { RunRecord, StepState } from '#shared/model/run.ts';
import type { LiveStep } from '#renderer/state/run.svelte.ts';

/** One step on the time axis; shares are of the whole axis. */
export interface TimelineBar {
  readonly skill: string;
  readonly state: StepState;
  readonly start: number;
  readonly share: number;
  readonly durationMs: number;
  readonly savedMs: number;
  readonly savedShare: number;
  readonly isCritical: boolean;
}

export interface Timeline {
  readonly bars: readonly TimelineBar[];
  readonly ticks: readonly { readonly ms: number; readonly share: number }[];
  readonly totalMs: number;
  /** How long the longest chain of steps that waited for each other took. */
  readonly criticalMs: number;
  readonly savedMs: number;
  /** How long no step ran between the first and the last, in whole milliseconds. */
  readonly idleMs: number;
}

interface Span {
  readonly skill: string;
  readonly step: LiveStep;
  readonly from: number;
  readonly to: number;
}

/** What ran when. Steps that never started have no bar. */
export function timelineOf(
  record: RunRecord,
  steps: ReadonlyMap<string, LiveStep>,
  dependsOn: ReadonlyMap<string, readonly string[]>,
  now: number,
): Timeline {
  const spans: Span[] = [];
  for (const { skill } of record.steps) {
    const step = steps.get(skill);
    if (step?.startedAt === undefined) continue;
    const from = Math.max(0, step.startedAt - record.startedAt);
    const took = step.durationMs ?? Math.max(0, now - step.startedAt);
    spans.push({ skill, step, from, to: from + took });
  }
  const savedOf = ({ step }: Span): number => (step.state === 'cached' ? (step.savedMs ?? 0) : 0);
  const totalMs = Math.max(record.durationMs, ...spans.map(({ to }) => to));
  const axis = Math.max(1, totalMs, ...spans.map((span) => span.from + savedOf(span)));
  const critical = criticalPath(spans, dependsOn);
  return {
    bars: spans.map((span) => ({
      skill: span.skill,
      state: span.step.state,
      start: span.from / axis,
      share: (span.to - span.from) / axis,
      durationMs: span.to - span.from,
      savedMs: savedOf(span),
      savedShare: savedOf(span) / axis,
      isCritical: critical.skills.has(span.skill),
    })),
    ticks: ticksOf(axis),
    totalMs,
    criticalMs: critical.ms,
    savedMs: spans.reduce((sum, span) => sum + savedOf(span), 0),
    idleMs: Math.round(idle(spans)),
  };
}

/** Round times that share the axis out; none so near its end that its label would not fit. */
export function ticksOf(axisMs: number): Timeline['ticks'] {
  const least = axisMs / 6;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const count = Math.floor((axisMs * 0.9) / step) + 1;
  return Array.from({ length: count }, (_, i) => ({ ms: step * i, share: (step * i) / axisMs }));
}

/** From the step that ended last back through the dependency that ended last, each time. */
function criticalPath(
  spans: readonly Span[],
  dependsOn: ReadonlyMap<string, readonly string[]>,
): { skills: ReadonlySet<string>; ms: number } {
  const bySkill = new Map(spans.map((span) => [span.skill, span]));
  const latest = (candidates: readonly Span[]): Span | undefined =>
    candidates.reduce<Span | undefined>(
      (best, span) => (best && best.to >= span.to ? best : span),
      undefined,
    );
  const skills = new Set<string>();
  let ms = 0;
  for (let at = latest(spans); at && !skills.has(at.skill);) {
    skills.add(at.skill);
    ms += at.to - at.from;
    at = latest((dependsOn.get(at.skill) ?? []).flatMap((key) => bySkill.get(key) ?? []));
  }
  return { skills, ms };
}

function idle(spans: readonly Span[]): number {
  let until: number | undefined;
  let total = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (until !== undefined && from > until) total += from - until;
    until = Math.max(until ?? to, to);
  }
  return total;
}
