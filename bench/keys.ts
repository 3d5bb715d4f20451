import { createHash } from 'node:crypto';
import { cacheKey, fingerprintOf, type FingerprintParts } from '#engine/fingerprint/fingerprint.ts';
import { definitionRecord } from '#engine/resolve/definition-record.ts';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import { digestOf } from '#engine/store/digest.ts';
import { compare } from './lib/compare.ts';

const count = 1000;

/** Keys with named parts against plain canonical JSON and SHA-256 of the same. */
export async function run(): Promise<void> {
  const files = new Map(Array.from({ length: 200 }, (_, i) => [`src/file-${i}.ts`, digestOf(`file ${i}`)]));
  const parts = Array.from({ length: count }, (_, i) => partsOf(i, files));
  const records = parts.map(fingerprintOf);
  await compare({
    title: `${count} keys of fingerprints`,
    limit: 'canonical JSON + sha256',
    repetitions: 31,
    prepare: () => undefined,
    contenders: [
      { name: 'canonical JSON + sha256', work: () => records.map(plainKey) },
      { name: 'cacheKey', work: () => records.map(cacheKey) },
    ],
  });
  await compare({
    title: `${count} keys from resolved skills: scripts hashed, arguments filled in`,
    limit: 'canonical JSON + sha256 of the whole definitions',
    repetitions: 31,
    prepare: () => undefined,
    contenders: [
      {
        name: 'canonical JSON + sha256 of the whole definitions',
        work: () =>
          parts.map(({ node, now: _now, files: _files, interpreters: _interpreters, ...others }) =>
            plainKey({ definition: definitionRecord(node), ...others }),
          ),
      },
      { name: 'fingerprintOf and cacheKey', work: () => parts.map((one) => cacheKey(fingerprintOf(one))) },
    ],
  });
}

function plainKey(value: unknown): string {
  return createHash('sha256').update(plainJson(value)).digest('hex');
}

/** What anybody would write. */
function plainJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const record = value as Record<string, unknown>;
  const members = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${plainJson(record[key])}`);
  return `{${members.join(',')}}`;
}

function partsOf(i: number, files: ReadonlyMap<string, string>): FingerprintParts {
  const at = { file: 'a.lens', line: 1, column: 1, endLine: 1, endColumn: 1 };
  const place = { at, path: [] };
  const node: ResolvedSkill = {
    id: `a.lens:skill-${i}`,
    name: `skill-${i}`,
    kind: 'own',
    skill: {
      ...place,
      name: `skill-${i}`,
      type: 'inline',
      produces: [{ ...place, key: `out-${i}` }],
      requires: [
        { ...place, key: `in-${i}` },
        { ...place, key: `also-${i}` },
      ],
      files: ['src/**', `docs/${i}/**`],
    },
    source: { place: { root: '/w', label: '' }, path: '/w/a.lens', file: 'a.lens' },
    origin: at,
    scripts: [
      {
        name: 'run.py',
        language: 'python',
        args: ['--out', '${name}', '--root', '${WORKSPACE_ROOT}'],
        content: `# ${i}\n${'print("hello")\n'.repeat(40)}`,
      },
    ],
    resources: [],
    permissions: { filesystem: { read: ['src/**'] } },
    dependsOn: [],
  };
  return {
    node,
    trust: 'sandboxed',
    limits: { timeoutMs: 30_000, memoryBytes: 2 ** 29, processes: 64, outputBytes: 1_000_000 },
    interpreters: new Map([['python', '3.13.5']]),
    inputs: { [`in-${i}`]: digestOf(`a${i}`), [`also-${i}`]: digestOf(`b${i}`) },
    params: {},
    upstream: { [`a.lens:skill-${i - 1}`]: digestOf(`c${i}`) },
    files,
    now: new Date(0),
  };
}
