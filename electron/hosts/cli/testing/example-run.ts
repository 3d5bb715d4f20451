import { RunRecord } from '#shared/model/run.ts';

const digest = 'a'.repeat(64);
const step = {
  wave: 0,
  decision: 'run',
  cached: false,
  durationMs: 0,
  artifacts: [],
  verdicts: [],
  attempts: 1,
};

const verdicts = [
  {
    judge: 'no-todo',
    kind: 'deterministic',
    outcome: 'fail',
    severity: 'error',
    confidence: 1,
    message: 'contains "TODO"',
    evidence: [{ quote: 'a *TODO*', file: 'docs/a.md', line: 3 }],
  },
  {
    judge: 'clear',
    kind: 'heuristic',
    outcome: 'fail',
    severity: 'warning',
    confidence: 0.8,
    message: 'rambles',
    override: { outcome: 'pass', note: 'It is | a poem', at: 1 },
  },
  {
    judge: 'novice',
    kind: 'persona',
    outcome: 'not-judged',
    severity: 'info',
    message: 'Needs a model to judge',
    questions: ['Where do I start?'],
  },
];

/** A finished run with every way a step can end that reports must tell apart. */
export const exampleRun: RunRecord = RunRecord.parse({
  runId: '20261116-051200-abcdef',
  lens: 'a.lens',
  lensName: 'A | *b*',
  status: 'failed',
  startedAt: Date.UTC(2026, 10, 16, 5, 12),
  durationMs: 2400,
  request: {},
  plan: {
    lens: 'a.lens',
    lensName: 'A | *b*',
    contentHash: digest,
    decisions: [
      {
        skill: 'read',
        id: 'a.lens:read',
        wave: 0,
        decision: 'run',
        reasons: [{ id: 'script-changed', subject: 'read.py', sentence: 'script read.py changed (2 lines)' }],
      },
    ],
    toExecute: ['read'],
    toSkip: [],
    skipPercentage: 0,
    estimatedMs: 0,
    savedMs: 0,
  },
  steps: [
    {
      ...step,
      skill: 'read',
      id: 'a.lens:read',
      state: 'ran',
      durationMs: 1200,
      artifacts: [{ path: 'docs/a`b.md', operation: 'write', contentHash: digest, bytes: 4200 }],
    },
    { ...step, skill: 'list', id: 'a.lens:list', state: 'cached', cached: true, savedMs: 300 },
    {
      ...step,
      skill: 'check',
      id: 'a.lens:check',
      state: 'failed',
      durationMs: 90,
      error: {
        phase: 'execute',
        skillName: 'check',
        message: 'Script "check.sh" of "check" ended with exit code 9',
        recoverable: true,
        exitCode: 9,
        stderr: 'no <luck>\n```\n',
        waysOut: [{ id: 'read-only', subject: '', sentence: 'Scripts cannot change *it*' }],
      },
    },
    {
      ...step,
      skill: 'write',
      id: 'a.lens:write',
      state: 'judged-failed',
      durationMs: 10,
      model: {
        ...{ name: 'large', calls: 3, durationMs: 9, dollars: 0.1 },
        usage: { inputTokens: 60, outputTokens: 12 },
      },
      judging: { name: 'small', calls: 2, durationMs: 4, usage: { inputTokens: 20, outputTokens: 10 } },
      rule: { minConfidence: 0.7, personaAgreement: 0.5, required: [] },
      verdicts,
      refinement: {
        attempts: [
          {
            attempt: 1,
            content: 'TODO',
            resultDigest: digest,
            verdicts,
            passed: false,
            confidence: 0.06,
            durationMs: 5,
          },
          {
            attempt: 2,
            feedback: 'Failed: no-todo: contains "TODO"',
            content: 'TODO',
            resultDigest: digest,
            verdicts,
            passed: false,
            confidence: 0.06,
            durationMs: 5,
          },
        ],
        best: 1,
        stop: 'max-attempts',
      },
    },
    { ...step, skill: 'report', id: 'a.lens:report', wave: 1, state: 'blocked', blockedBy: 'check' },
  ],
  predictedVsActual: [],
  artifactsApplied: [],
  warnings: ['The cache cannot be written'],
  seq: 12,
});
