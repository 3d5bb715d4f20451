import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { addNeededSkill, addSkills } from '#shared/lens/graph-edit/add-skill.ts';
import { connectSkills, disconnectSkills } from '#shared/lens/graph-edit/connect.ts';
import type { GraphContext } from '#shared/lens/graph-edit/context.ts';
import { deleteSkill, usesOf } from '#shared/lens/graph-edit/delete-skill.ts';
import { emptyLibrary, extractSkills } from '#shared/lens/graph-edit/extract.ts';
import type { GraphEdit } from '#shared/lens/graph-edit/graph-edit.ts';
import { graphDocument } from './documents.ts';
import { problems, ResolveRig } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const files = {
  'lenses/docs.lens': `# Keeps the pages true.
lens:
  metadata: { name: Docs, version: 1.0.0 }
  extends: ./base.lens
  router:
    shortcuts:
      "::r": read-pages
  workflows:
    - name: all
      steps:
        - skill: read-pages
        - parallel: [list-terms, publish]
  skills:
    # Reads them.
    - name: read-pages
      description: Reads
      scripts:
        - { name: read.py, path: ../scripts/read.py }

    - name: list-terms # important
      description: Lists
      instructions: List
      depends_on: [read-pages]

    - name: publish
      description: Publishes
      instructions: Publish
      depends_on:
        - list-terms # last of all
        - ../skills/team.skills.yaml:check-tone

    - name: check-links
      source: sunwell/common:check-links
`,
  'lenses/base.lens': `lens:
  metadata: { name: Base, version: 1.0.0 }
  skills:
    - name: greet
      description: Greets
      instructions: Hello
`,
  'skills/team.skills.yaml': `skills:
  - name: check-tone
    description: Checks
    instructions: Check
    depends_on: [check-words]
  - name: check-words
    description: Words
    instructions: Words
`,
  'scripts/read.py': 'print("{}")\n',
};

class Edited {
  readonly texts: Map<string, string>;
  readonly file = 'lenses/docs.lens';

  constructor(own: Record<string, string> = files) {
    this.texts = new Map(Object.entries(own));
  }

  async context(): Promise<GraphContext> {
    const { resolution } = await this.resolve();
    return {
      file: this.file,
      graph: graphDocument(resolution),
      textOf: (file) => (file.startsWith('scripts/') ? undefined : this.texts.get(file)),
    };
  }

  async resolve() {
    const root = await rig.world.makeWorkspace(Object.fromEntries(this.texts));
    return { root, resolution: await rig.resolveIn(root, this.file) };
  }

  apply(edit: GraphEdit): string[] {
    if (!edit.ok) throw new Error(edit.message);
    const changed = [...new Set(edit.edits.map(({ file }) => file))];
    for (const file of changed) {
      const own = edit.edits.filter((each) => each.file === file);
      this.texts.set(file, applyEdits(this.texts.get(file)!, own));
    }
    return changed;
  }

  /** Dependencies by record key, and what is wrong. */
  async edges(): Promise<{ edges: Record<string, string[]>; problems: string[] }> {
    const { resolution } = await this.resolve();
    const { skills } = graphDocument(resolution);
    const entries = Object.entries(skills).map(
      ([key, { dependsOn }]) => [key, dependsOn.map(({ skillName }) => skillName)] as const,
    );
    return {
      edges: Object.fromEntries(entries.filter(([, dependencies]) => dependencies.length > 0)),
      problems: problems(resolution),
    };
  }
}

describe('connectSkills()', () => {
  test('writes the dependency where the waiting skill is written, and nothing else', async () => {
    const edited = new Edited();
    edited.apply(connectSkills(await edited.context(), { from: 'greet', to: 'read-pages' }));
    const before = files['lenses/docs.lens'];
    expect(edited.texts.get(edited.file)).toBe(
      before.replace(
        '      description: Reads\n',
        '      description: Reads\n      depends_on:\n        - greet\n',
      ),
    );
    expect((await edited.edges()).edges['read-pages']).toEqual(['greet']);
  });

  test('names a library in front of a skill that the file does not have', async () => {
    const edited = new Edited();
    edited.apply(connectSkills(await edited.context(), { from: 'check-words', to: 'read-pages' }));
    expect(edited.texts.get(edited.file)).toContain('- ../skills/team.skills.yaml:check-words\n');
    expect((await edited.edges()).edges['read-pages']).toEqual(['check-words']);
  });

  test('keeps what a reference depends on when it gets a dependency of its own', async () => {
    const edited = new Edited();
    edited.apply(connectSkills(await edited.context(), { from: 'read-pages', to: 'check-links' }));
    const { edges, problems: found } = await edited.edges();
    expect(edges['check-links']).toEqual(['list-files', 'read-pages']);
    expect(found).toEqual([]);
  });

  test('refuses a circle and names it', async () => {
    const context = await new Edited().context();
    expect(connectSkills(context, { from: 'publish', to: 'read-pages' })).toEqual({
      ok: false,
      message:
        'Cannot make "read-pages" wait for "publish": each would wait for the other, ' +
        'read-pages → list-terms → publish → read-pages',
    });
    expect(connectSkills(context, { from: 'publish', to: 'publish' })).toEqual({
      ok: false,
      message: 'Cannot connect "publish" with itself',
    });
  });

  test('refuses to write what is not the user’s, and what the other file cannot name', async () => {
    const context = await new Edited().context();
    expect(connectSkills(context, { from: 'read-pages', to: 'list-files' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('it comes from "sunwell/common"') as string,
    });
    expect(connectSkills(context, { from: 'read-pages', to: 'check-words' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('does not know the skills of "lenses/docs.lens"') as string,
    });
  });
});

describe('disconnectSkills()', () => {
  test.each([
    ['check-tone', 'publish', '        - ../skills/team.skills.yaml:check-tone\n'],
    ['read-pages', 'list-terms', '      depends_on: [read-pages]\n'],
  ])('takes %s out of %s, and comments stay', async (from, to, gone) => {
    const edited = new Edited();
    edited.apply(disconnectSkills(await edited.context(), { from, to }));
    expect(edited.texts.get(edited.file)).toBe(files['lenses/docs.lens'].replace(gone, ''));
  });

  test('edits the library where the dependency is the library’s', async () => {
    const edited = new Edited();
    const changed = edited.apply(
      disconnectSkills(await edited.context(), { from: 'check-words', to: 'check-tone' }),
    );
    expect(changed).toEqual(['skills/team.skills.yaml']);
  });

  test('says where a dependency comes from that the entry does not declare', async () => {
    expect(
      disconnectSkills(await new Edited().context(), { from: 'list-files', to: 'check-links' }),
    ).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        '"check-links" takes this dependency from "sunwell/common:check-links"',
      ) as string,
      place: { file: 'lenses/docs.lens' },
    });
  });
});

describe('deleteSkill()', () => {
  test('tells who uses a skill, and takes all uses with it', async () => {
    const edited = new Edited();
    const context = await edited.context();
    expect(usesOf(context, 'read-pages').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'skill list-terms',
      'shortcut ::r',
      'workflow all',
    ]);
    edited.apply(deleteSkill(context, 'read-pages', { withUses: true }));
    const text = edited.texts.get(edited.file)!;
    expect(text).not.toContain('read-pages');
    expect(text).toContain('# important');
    expect((await edited.edges()).problems).toEqual([]);
  });

  test('takes only the skill where its uses shall stay', async () => {
    const edited = new Edited();
    edited.apply(deleteSkill(await edited.context(), 'list-terms', { withUses: false }));
    const { problems: found } = await edited.edges();
    expect(found.join('\n')).toContain('list-terms');
  });
});

describe('addSkills()', () => {
  test('adds at the end, apart from the one before like the others', () => {
    const text = files['lenses/docs.lens'];
    const edited = new Edited();
    edited.apply(
      addSkills(edited.file, text, [{ name: 'new-one', description: 'New', instructions: 'Do\nthis\n' }]),
    );
    expect(edited.texts.get(edited.file)).toBe(
      `${text}\n    - name: new-one\n      description: New\n      instructions: |\n        Do\n        this\n`,
    );
  });

  test('starts the list of a lens that has none', () => {
    const edit = addSkills('a.lens', 'lens:\n  metadata: { name: A, version: 1.0.0 }\n', [
      { name: 'first', source: 'sunwell/common:list-files' },
    ]);
    expect(edit.ok && applyEdits('lens:\n  metadata: { name: A, version: 1.0.0 }\n', edit.edits)).toBe(
      'lens:\n  metadata: { name: A, version: 1.0.0 }\n  skills:\n    - name: first\n      source: sunwell/common:list-files\n',
    );
  });

  test('lets others wait for the new skill at once', async () => {
    const edited = new Edited();
    const entry = { name: 'prepare', description: 'Prepares', instructions: 'Do' };
    edited.apply(addNeededSkill(await edited.context(), entry, ['read-pages', 'check-links']));
    const { edges, problems: found } = await edited.edges();
    expect([edges['read-pages'], edges['check-links'], found]).toEqual([
      ['prepare'],
      ['list-files', 'prepare'],
      [],
    ]);
  });

  test('refuses a name that is taken, however it is spelled', () => {
    expect(addSkills('lenses/docs.lens', files['lenses/docs.lens'], [{ name: 'Read_Pages' }])).toEqual({
      ok: false,
      message: 'Cannot add "Read_Pages": it is already in "lenses/docs.lens"',
    });
  });
});

describe('extractSkills()', () => {
  const library = 'skills/pages.skills.yaml';
  const extract = async (edited: Edited, names: readonly string[]): Promise<GraphEdit> => {
    edited.texts.set(library, edited.texts.get(library) ?? emptyLibrary);
    const libraryText = edited.texts.get(library)!;
    return extractSkills(await edited.context(), { names, library, libraryText });
  };

  test('moves skills with their comments, and the graph stays what it was', async () => {
    const edited = new Edited();
    const before = await edited.edges();
    const changed = edited.apply(await extract(edited, ['read-pages', 'list-terms']));
    expect(changed).toEqual([library, edited.file]);
    expect(edited.texts.get(library)).toBe(
      `skills:
  - name: read-pages
    description: Reads
    scripts:
      - { name: read.py, path: ../scripts/read.py }

  - name: list-terms # important
    description: Lists
    instructions: List
    depends_on: [read-pages]
`,
    );
    expect(edited.texts.get(edited.file)).toContain(
      '- include: ../skills/pages.skills.yaml::read-pages, list-terms',
    );
    expect(await edited.edges()).toEqual(before);
  });

  test('rewrites relative references for the new place', async () => {
    const edited = new Edited();
    edited.apply(await extract(edited, ['read-pages', 'list-terms', 'publish']));
    expect(edited.texts.get(library)).toContain('./team.skills.yaml:check-tone');
    expect((await edited.edges()).problems).toEqual([]);
  });

  test('refuses to part a skill from what it waits for in the lens', async () => {
    const edited = new Edited();
    expect(await extract(edited, ['list-terms'])).toMatchObject({
      ok: false,
      message: 'Cannot move "list-terms" without "read-pages", for which it waits: move both',
    });
  });
});

test('edits of the shipped sample leave every other byte alone', async () => {
  const folder = join(import.meta.dirname, '../../../resources/sample');
  const file = 'lenses/harbor-docs.lens';
  const text = await readFile(join(folder, file), 'utf8');
  const graph = graphDocument(await rig.resolveIn(folder, file));
  const context: GraphContext = { file, graph, textOf: (asked) => (asked === file ? text : undefined) };
  const pair = { from: 'list-docs', to: 'list-sources' };
  const edit = connectSkills(context, pair);
  if (!edit.ok) throw new Error(edit.message);
  const after = applyEdits(text, edit.edits);
  const kept = after.split('\n').filter((line) => text.split('\n').includes(line));
  expect(kept).toEqual(text.split('\n'));
});
