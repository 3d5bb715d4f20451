import type { GraphDecision, GraphStepState, SkillOverlay } from '#renderer/state/graph-overlay.svelte.ts';

/** The colour a status has, by the name of its custom property. */
export type StatusTone = 'run' | 'skip' | 'rejudge' | 'unknown' | 'fail' | 'live' | 'ok';

/** What a node or row says about a skill in plan or run. */
export interface Status {
  readonly kind: GraphDecision | Exclude<GraphStepState, 'pending'> | 'pending';
  readonly tone: StatusTone;
  readonly word: string;
  /** Said after the word, where there is something to say. */
  readonly detail: string | undefined;
  readonly duration: string | undefined;
}

const decisions: Readonly<Record<GraphDecision, readonly [StatusTone, string]>> = {
  run: ['run', 'run'],
  skip: ['skip', 'skip'],
  rejudge: ['rejudge', 're-judge'],
  undecided: ['unknown', 'undecided'],
  blocked: ['fail', 'blocked'],
};

const states: Readonly<Record<GraphStepState, readonly [StatusTone, string]>> = {
  pending: ['unknown', 'waiting'],
  running: ['live', 'running'],
  cached: ['skip', 'cached'],
  ran: ['ok', 'ran'],
  'judged-failed': ['fail', 'judged: failed'],
  failed: ['fail', 'failed'],
  blocked: ['fail', 'blocked'],
  cancelled: ['unknown', 'cancelled'],
  interrupted: ['unknown', 'interrupted'],
};

const measured: ReadonlySet<GraphStepState> = new Set(['running', 'ran', 'judged-failed', 'failed']);

/** The state once there is one, before that the decision; undefined where neither is known. */
export function statusOf(overlay: SkillOverlay | undefined): Status | undefined {
  if (!overlay) return undefined;
  const { decision, reason, state, durationMs, verdict } = overlay;
  const isMeasured = state !== undefined && measured.has(state);
  const duration =
    durationMs === undefined ? undefined : `${isMeasured ? '' : '~'}${durationText(durationMs)}`;
  if (state !== undefined && (state !== 'pending' || decision === undefined)) {
    const [tone, word] = states[state];
    return { kind: state, tone, word, detail: verdict, duration };
  }
  if (decision === undefined) return undefined;
  const [tone, word] = decisions[decision];
  return { kind: decision, tone, word, detail: reason ?? verdict, duration };
}

/** A duration as people say it: `40 ms`, `0.4 s`, `12 s`, `3 min`. */
export function durationText(ms: number): string {
  if (ms < 95) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 59_500) return `${Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
