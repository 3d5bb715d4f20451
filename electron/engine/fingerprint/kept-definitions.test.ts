import { afterEach, beforeEach, expect, test } from 'vitest';
import { ResolveRig } from '../resolve/testing/resolve-rig.ts';
import { valueDigest } from '../store/digest.ts';
import { cacheKey, fingerprintOf, type FingerprintParts } from './fingerprint.ts';

let rig: ResolveRig;
beforeEach(() => void (rig = new ResolveRig()));
afterEach(() => rig[Symbol.asyncDispose]());

test('cacheKey() of a kept definition is the digest of the whole record', async () => {
  const { skills } = await rig.resolve({
    'a.lens': `
metadata: { name: A, version: 1.0.0 }
skills:
  - { name: a, description: d, scripts: [{ name: a.sh, content: x, args: ["\${name}"] }], templates: [{ name: t, content: "\\u00e9" }] }
  - { name: b, description: d, scripts: [{ name: a.sh, content: x, args: ["\${TIMESTAMP}"] }] }
`,
  });
  const keys = new Set<string>();
  for (const day of [1, 2]) {
    for (const node of skills) {
      const parts: FingerprintParts = {
        node,
        trust: 'sandboxed',
        limits: { timeoutMs: 1 },
        interpreters: new Map([['bash', '5.2.0']]),
        inputs: {},
        params: {},
        upstream: {},
        files: new Map(),
        task: 'Go',
        now: new Date(Date.UTC(2026, 0, day)),
      };
      for (const fingerprint of [
        fingerprintOf(parts),
        fingerprintOf(parts),
        fingerprintOf({ ...parts, model: 'm' }),
      ]) {
        expect(cacheKey(fingerprint)).toBe(valueDigest(fingerprint));
        keys.add(cacheKey(fingerprint));
      }
    }
  }
  // Two of the first skill; of the second, which gets the time, two for each day.
  expect(keys.size).toBe(6);
});
