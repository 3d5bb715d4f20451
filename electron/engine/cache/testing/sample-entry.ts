import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import { digestOf, valueDigest } from '../../store/digest.ts';
import type { NewEntry } from '../action-cache.ts';
import type { CachedResult } from '../cached-result.ts';

const fileList = '[["a.md","0000000000000000000000000000000000000000000000000000000000000000"]]';

/** A result that is told apart by its number: key, content, output, proposed file and log all depend on it. */
export function sampleEntry(number: number, changes: Partial<NewEntry> = {}): NewEntry {
  const fingerprint = sampleFingerprint(number);
  const proposal = Buffer.from(`proposal ${number}`);
  return {
    key: valueDigest(fingerprint),
    fingerprint,
    workspace: 'harbor',
    skillId: `lenses/a.lens:skill-${number}`,
    runId: `run-${number}`,
    result: sampleResult(number, digestOf(proposal)),
    artifacts: new Map([[digestOf(proposal), proposal]]),
    texts: [fileList, `print(${number})`],
    ...changes,
  };
}

export function sampleFingerprint(number: number): Fingerprint {
  return {
    engine: 1,
    definition: {
      instructions: null,
      scripts: [{ name: 'run.py', language: 'python', args: [], content: digestOf(`print(${number})`) }],
      templates: [],
      resources: [],
      parameters: null,
      tools: null,
      permissions: null,
      produces: ['out'],
      requires: [],
      files: null,
    },
    trust: 'sandboxed',
    limits: { timeoutMs: 30_000 },
    interpreters: { python: '3.13.5' },
    inputs: {},
    params: {},
    upstream: {},
    files: digestOf(fileList),
    task: null,
  };
}

export function sampleResult(number: number, contentHash?: Digest): CachedResult {
  return {
    content: `content ${number}`,
    outputs: { out: { number } },
    changes: contentHash ? [{ operation: 'write', path: `${number}.md`, contentHash, mode: 0o644 }] : [],
    logs: [{ scriptName: 'run.py', stdout: `log ${number}`, stderr: '', truncated: false, durationMs: 5 }],
    limitsHit: [],
    durationMs: 10 + number,
  };
}
