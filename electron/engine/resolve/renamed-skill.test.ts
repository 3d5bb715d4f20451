import { afterAll, describe, expect, test } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { LanguageFile } from '#shared/lens/language/file-facts.ts';
import { renameSkill } from '#shared/lens/language/rename.ts';
import { lookupName } from '#shared/lens/names.ts';
import { join } from 'node:path';
import { graphDocument } from './documents.ts';
import { sourceFile } from './place.ts';
import { ResolveRig } from './testing/resolve-rig.ts';

const files: Record<string, string> = {
  'child.lens': `metadata: {name: Child, version: 1.0.0}
extends: Parent
skill_sources: [./libs]
router:
  shortcuts: {"::g": gather, "::c": count_words}
workflows:
  - {name: w, steps: [gather, {parallel: [count-words, {skill: check}]}]}
skills:
  - include: "libs/more.skills.yaml::polish"
  - name: polish
    override: true
    description: Replaces the included one
    depends_on: gather
    instructions: i
  - name: check
    override: true
    description: Replaces the inherited one
    depends_on: [polish, "./libs/text.skills.yaml:count-words"]
    instructions: i
  - {name: upper, source: ./libs/text.skills.yaml}
`,
  'parent.lens': `metadata: {name: Parent, version: 1.0.0}
skills:
  - {name: gather, description: d, instructions: i, produces: [facts]}
  - {name: check, description: d, instructions: i, depends_on: [gather], requires: [facts]}
`,
  'libs/text.skills.yaml': `skills:
  - {name: count-words, description: d, instructions: i, depends_on: upper}
  - {name: upper, description: d, instructions: i}
`,
  'libs/more.skills.yaml': `skills:
  - {name: polish, description: d, instructions: i, depends_on: [./text:upper]}
`,
};

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

/** Every lens and library of the workspace as a graph in which no skill is called by its name. */
async function graphs(texts: Record<string, string>, renamed: (text: string) => string): Promise<unknown[]> {
  const root = await rig.world.makeWorkspace(texts);
  const lenses = Object.keys(texts).filter((file) => file.endsWith('.lens'));
  const lensesNamed = (name: string) =>
    Promise.resolve(
      lenses
        .filter((file) => lookupName(file) === `${lookupName(name)}.lens`)
        .map((file) => sourceFile({ root, label: '' }, join(root, file))),
    );
  return Promise.all(
    Object.keys(texts).map(async (file) => {
      const { skills, waves, diagnostics } = graphDocument(await rig.resolveIn(root, file, { lensesNamed }));
      const said = {
        skills: Object.values(skills).map(({ id, dependsOn, shortcut }) => [
          ...[id, shortcut ?? '', ...dependsOn.map(({ source }) => source).sort()],
        ]),
        waves: waves.map((wave) => wave.skills),
        problems: diagnostics.map(({ code, message }) => `${code} ${message}`),
      };
      return sorted(JSON.parse(renamed(JSON.stringify(said))));
    }),
  );
}

/** Lists go by name, which a rename may move. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(sorted(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sorted(part)]));
}

describe('renameSkill()', () => {
  const workspace = Object.entries(files).map(([file, text]): LanguageFile => ({
    file,
    text,
    kind: file.endsWith('.lens') ? 'lens' : 'library',
  }));

  test.each([
    ['child.lens', 'polish'],
    ['child.lens', 'check'],
    ['parent.lens', 'gather'],
    ['parent.lens', 'check'],
    ['libs/text.skills.yaml', 'count-words'],
    ['libs/text.skills.yaml', 'upper'],
    ['libs/more.skills.yaml', 'polish'],
  ])('gives the same graphs up to the name: %s %s', async (file, name) => {
    const newName = 'zzz-new';
    const result = renameSkill({ file, name }, { files: workspace, newName });
    expect(result).toMatchObject({ ok: true });
    if (!result.ok) return;
    const after = Object.fromEntries(
      Object.entries(files).map(([one, text]) => [
        one,
        applyEdits(
          text,
          result.edits.filter((edit) => edit.file === one),
        ),
      ]),
    );
    const before = await graphs(files, (text) => text.replaceAll(name, newName));
    expect(await graphs(after, (text) => text)).toEqual(before);
  });
});
