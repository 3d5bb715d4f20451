import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { summarizeLens } from '#shared/lens/summary.ts';
import { graphDocument, lensDocument } from './documents.ts';
import { ResolveRig } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

async function summaryOf(folder: string, file: string): Promise<Record<string, readonly string[]>> {
  const resolution = await rig.resolveIn(folder, file);
  const parts = summarizeLens(graphDocument(resolution), lensDocument(resolution));
  return Object.fromEntries(parts.map(({ title, sentences }) => [title, sentences]));
}

test('summarizeLens() says of the sample what it is, does, needs, delivers and who judges', async () => {
  const folder = join(import.meta.dirname, '../../../resources/sample');
  const summary = await summaryOf(folder, 'lenses/harbor-docs.lens');
  expect(summary['What it is']).toEqual([
    '"Harbor docs", version 0.3.0 is a lens for documentation.',
    'Reads the code and the pages, finds what has drifted, proposes the missing pages.',
    'It builds on tech-writer.lens.',
  ]);
  expect(summary['What it does']).toEqual([
    'Its 8 skills run in 4 waves.',
    'First: list-docs (List the pages of the documentation) and list-sources (List the Python modules of the service).',
    'Then: check-links, extract-api and measure-docs.',
    expect.stringMatching(/^Then: find-undocumented .* and write-reference /) as string,
    expect.stringMatching(/^Last: publish-report /) as string,
  ]);
  expect(summary['What it needs']).toEqual([
    'It needs no model: everything is done by scripts.',
    'Its scripts need python, in the sandbox.',
  ]);
  expect(Object.keys(summary)).toEqual([
    'What it is',
    'How it thinks',
    'What it does',
    'What it needs',
    'What it delivers',
    'Who judges',
  ]);
});

test('summarizeLens() puts the highest priority first on either scale, and tells what is missing', async () => {
  const root = await rig.world.makeWorkspace({
    'a.lens': `metadata: { name: A, version: 1.0.0 }
heuristics:
  - { name: low, rule: L, priority: 2 }
  - { name: high, rule: H., priority: 0.9 }
  - { name: mid, rule: M, priority: 5 }
  - { name: none, rule: N }
skills:
  - { name: ask, description: Asks, instructions: Ask, requires: [nothing] }
`,
  });
  const summary = await summaryOf(root, 'a.lens');
  expect(summary['How it thinks']).toEqual([
    'It follows 4 heuristics, above all "high" (H), "mid" (M) and "low" (L).',
  ]);
  expect(summary['What it needs']).toEqual([
    'It reads "nothing", which no skill and no input delivers.',
    'One skill needs a model: ask.',
  ]);
});

test('summarizeLens() knows a library and an empty lens', async () => {
  const root = await rig.world.makeWorkspace({
    'x.skills.yaml': 'skills: []\n',
    'b.lens': 'metadata: { name: B, version: 1.0.0 }\n',
  });
  expect(await summaryOf(root, 'x.skills.yaml')).toEqual({
    'What it is': ['"x.skills.yaml" is a library: lenses take skills from it.'],
    'What it does': ['It has no skills yet.'],
  });
  expect((await summaryOf(root, 'b.lens'))['What it does']).toEqual(['It has no skills yet.']);
});
