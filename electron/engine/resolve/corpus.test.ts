import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { corpusFolder, problems, ResolveRig, waveNames } from './testing/resolve-rig.ts';

const corpus = corpusFolder();
const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

describe.skipIf(!existsSync(corpus))('the corpus', () => {
  test('core-skills.yaml has 17 skills, 16 edges and waves of 4, 7, 5 and 1; its only problem is two inputs', async () => {
    const resolution = await rig.resolveIn(corpus, 'skills/core-skills.yaml');
    expect(resolution.skills).toHaveLength(17);
    expect(resolution.graph.dependencies).toHaveLength(16);
    expect(waveNames(resolution).map((wave) => wave.length)).toEqual([4, 7, 5, 1]);
    expect(problems(resolution)).toEqual([
      expect.stringContaining('Skill "save-document" requires "content_to_save"'),
      expect.stringContaining('Skill "save-document" requires "output_path"'),
    ]);
    expect((await rig.resolveIn(corpus, 'skills/core-skills.yaml')).contentHash).toBe(resolution.contentHash);
  });

  test('a lens that includes core-skills.yaml and declares the two inputs has no problem', async () => {
    const unsaved = new Map([
      [
        join(corpus, 'mine.lens'),
        'metadata: { name: Mine, version: 1.0.0 }\ninputs: { content_to_save: {}, output_path: {} }\nskills: [{ include: skills/core-skills.yaml }]\n',
      ],
    ]);
    const resolution = await rig.resolveIn(corpus, 'mine.lens', { unsaved });
    expect(problems(resolution)).toEqual([]);
    expect(waveNames(resolution).map((wave) => wave.length)).toEqual([4, 7, 5, 1]);
  });

  test('all skill files together report the one duplicate name, and both stay reachable', async () => {
    const unsaved = new Map([
      [
        join(corpus, 'all.lens'),
        'metadata: { name: All, version: 1.0.0 }\nskill_sources: [./skills]\nskills:\n  - { name: x, description: d, instructions: i, depends_on: ["./skills/core-skills.yaml:audit-documentation", "./skills/docs-validation-skills.yaml:audit-documentation"] }\n',
      ],
    ]);
    const resolution = await rig.resolveIn(corpus, 'all.lens', { unsaved });
    const duplicates = resolution.diagnostics.filter(({ code }) => code === 'graph.duplicate-skill');
    expect(duplicates.map(({ message }) => message)).toEqual([
      expect.stringContaining('"audit-documentation"'),
    ]);
    expect(resolution.skills.filter(({ name }) => name === 'audit-documentation')).toHaveLength(2);
  });

  test('every lens resolves without an error', async () => {
    const folders = ['lenses', 'lenses/base'];
    for (const folder of folders) {
      for (const name of (await readdir(join(corpus, folder))).filter((file) => file.endsWith('.lens'))) {
        const resolution = await rig.resolveIn(corpus, `${folder}/${name}`);
        expect(resolution.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      }
    }
  });
});
