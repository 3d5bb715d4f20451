import { test } from 'vitest';
import { expectGenerated } from '../../../testing/drift.ts';
import { buildFilter, encodeFilter } from './bpf.ts';
import { architectures, rules } from './rules.ts';

test('filters.json holds the filters that the rules make', async () => {
  const filters = architectures.map((name) => [
    name,
    encodeFilter(buildFilter(name, rules)).toString('base64'),
  ]);
  const file = 'electron/engine/sandbox/seccomp/filters.json';
  await expectGenerated(file, JSON.stringify(Object.fromEntries(filters)));
});
