import { stringify } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { readLens } from '#shared/lens/read/lens.ts';
import { draftEntry, draftProblems } from '#shared/lens/templates/skill-draft.ts';
import { lensTemplates } from '#shared/lens/templates/lens-templates.ts';
import { skillTemplates } from '#shared/lens/templates/skill-templates.ts';
import type { SkillTemplate } from '#shared/lens/templates/skill-templates.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { lensText, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
afterAll(() => testing[Symbol.dispose]());

const files = {
  'docs/index.md': '# Harbor\n\nKeeps boats. See [berths](berths.md) and [nothing](nowhere.md).\n',
  'docs/berths.md': '# Berths\n\nOne each.\n',
  'src/a.py': 'x = 1  # TODO: name it\n',
  'git-log.txt': 'a1b2c3d feat: moor boats\nb2c3d4e fix(api): count berths\nc3d4e5f Tidy up\n',
};

/** The skill of a template as YAML; those that stand for nothing yet get a name. */
function itemOf({ draft, id }: SkillTemplate): string {
  const named = { ...draft, name: draft.name || id, description: draft.description || 'Does nothing yet' };
  expect(draftProblems(named, [])).toEqual({});
  return stringify([draftEntry(named)]);
}

const records =
  '- name: list-records\n  description: d\n  files: []\n  produces: [records]\n  scripts:\n    - name: r.py\n      content: |\n        print(\'{"records": [{"a": 1, "b": "x|y"}]}\')\n';

/** What each template with a script delivers in the workspace above. */
const delivered: Record<string, unknown> = {
  'summarize-docs': {
    page_summaries: [
      { page: 'docs/berths.md', title: 'Berths', first_sentence: 'One each.', words: 4 },
      { page: 'docs/index.md', title: 'Harbor', first_sentence: 'Keeps boats.', words: 8 },
    ],
  },
  'check-links': { dead_links: [{ page: 'docs/index.md', line: 3, target: 'nowhere.md' }] },
  'collect-todos': { todos: [{ path: 'src/a.py', line: 1, kind: 'TODO', text: 'name it' }] },
  'release-notes': {
    release_notes:
      '# Release notes\n\n## Added\n\n- moor boats\n\n## Fixed\n\n- count berths\n\n## Changed\n\n- Tidy up\n',
  },
  'json-to-table': { table: '| a | b |\n| --- | --- |\n| 1 | x\\|y |' },
  'count-lines': { line_counts: expect.stringContaining('3 docs/index.md') as string },
  'python-script': {},
  'node-script': {},
};

test.each(skillTemplates.map((template) => [template.title, template] as const))(
  'the template "%s" reads without a problem',
  (_title, template) => {
    const { diagnostics } = readLens(lensText(itemOf(template)), 'a.lens');
    expect(diagnostics).toEqual([]);
  },
);

describe.skipIf(!isAvailable)('in the sandbox', () => {
  const scripted = skillTemplates.filter(({ draft }) => draft.kind !== 'model');

  test.each(['scripts', 'docs', 'one'])('the lens template "%s" runs as it is', async (id) => {
    const text = lensTemplates.find((template) => template.id === id)!.text('Try');
    await using rig = await RunsRig.make(testing.sandbox, '', { ...files, 'a.lens': text });
    const { record } = await rig.run();
    expect([record.status, new Set(Object.values(statesOf(record)))]).toEqual([
      'succeeded',
      new Set(['ran']),
    ]);
  });

  test.each(['review', 'tests'])('the scripts of the lens template "%s" run as they are', async (id) => {
    const text = lensTemplates.find((template) => template.id === id)!.text('Try');
    await using rig = await RunsRig.make(testing.sandbox, '', { ...files, 'a.lens': text });
    const scripts = (await rig.plan()).decisions.filter(({ decision }) => decision !== 'blocked');
    const { record } = await rig.run();
    const states = statesOf(record);
    const { value } = readLens(text, 'a.lens');
    const done = value.skills.filter((skill) => skill.scripts).map(({ name }) => states[name]);
    expect([scripts.length > 0, new Set(done)]).toEqual([true, new Set(['ran'])]);
  });

  test.each(scripted.map((template) => [template.title, template] as const))(
    'the template "%s" runs as it is and delivers what it promises',
    async (_title, template) => {
      const needsRecords = template.draft.requires.includes('records');
      const item = needsRecords
        ? itemOf(template).replace('  requires:', '  depends_on: [list-records]\n  requires:')
        : itemOf(template);
      await using rig = await RunsRig.make(testing.sandbox, (needsRecords ? records : '') + item, files);
      const { record } = await rig.run();
      const name = template.draft.name || template.id;
      const step = record.steps.find(({ skill }) => skill === name);
      expect({ state: statesOf(record)[name], outputs: step?.outputs }).toEqual({
        state: 'ran',
        outputs: delivered[template.id],
      });
    },
  );
});
