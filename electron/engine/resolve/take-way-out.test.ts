import { afterAll, expect, test } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { isTaken, labelOf, takeWayOut } from '#shared/lens/graph-edit/take-way-out.ts';
import type { WayOut } from '#shared/model/run.ts';
import { graphDocument } from './documents.ts';
import { ResolveRig } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const file = 'a.lens';
const lens = `metadata: { name: A, version: 1.0.0 }
inputs: [topic]
skills:
  - name: list-pages
    description: Lists
    produces: [pages]
    instructions: List
  - name: read # all of them
    description: Reads
    files: ["src/**"] # code
    depends_on: [list-pages]
    instructions: Read
  - name: write
    description: Writes
    files: src/*.py
    requires: topic
    instructions: Write
  - name: check-links
    source: sunwell/common:check-links
`;

const seeDocs: WayOut = { id: 'unseen-file', subject: 'docs/**', sentence: 'See' };
const askForPages: WayOut = { id: 'undeclared-key', subject: 'pages', sentence: 'Ask' };

/** The lens after a way out was taken for a skill, or why it was not. */
async function take(key: string, way: WayOut, text = lens): Promise<string> {
  const root = await rig.world.makeWorkspace({ [file]: text });
  const graph = graphDocument(await rig.resolveIn(root, file));
  const edit = takeWayOut({ file, graph, textOf: (name) => (name === file ? text : undefined) }, key, way);
  return edit.ok ? `${edit.label}\n${applyEdits(text, edit.edits)}` : edit.message;
}

test('takeWayOut() adds to a list, to one text, and to what a skill waits for; every other byte stays', async () => {
  const added = (label: string, before: string, after: string) => `${label}\n${lens.replace(before, after)}`;
  expect({
    list: await take('read', seeDocs),
    text: await take('write', seeDocs),
    key: await take('read', askForPages),
    keyAndDependency: await take('write', askForPages),
    input: await take('read', { ...askForPages, subject: 'topic' }),
  }).toEqual({
    list: added('Add docs/** to files', '["src/**"]', '["src/**", "docs/**"]'),
    text: added('Add docs/** to files', 'files: src/*.py', 'files:\n      - src/*.py\n      - docs/**'),
    key: added('Add pages to requires', '[list-pages]\n', '[list-pages]\n    requires:\n      - pages\n'),
    keyAndDependency: added(
      'Add pages to requires',
      'requires: topic\n',
      'requires:\n      - topic\n      - pages\n    depends_on:\n      - list-pages\n',
    ),
    input: added('Add topic to requires', '[list-pages]\n', '[list-pages]\n    requires:\n      - topic\n'),
  });
});

test('takeWayOut() says why not where it is done already, written elsewhere, or for a person to do', async () => {
  expect([
    await take('read', { ...seeDocs, subject: 'src/**' }),
    await take('check-links', askForPages),
    await take('read', { id: 'no-network', subject: '', sentence: 'Scripts have no network' }),
    await take('gone', seeDocs),
  ]).toEqual([
    '"read" already has "src/**" in "files": run it again',
    '"check-links" takes its "requires" from "sunwell/common:check-links": change it there, or copy the skill into this lens',
    'Cannot do this for you: Scripts have no network',
    'Cannot find skill "gone": it is not in this graph any more',
  ]);
  expect(labelOf({ id: 'no-network', subject: '', sentence: '' })).toBeUndefined();
});

test('isTaken() says whether the graph already is as the way out wants it', async () => {
  const root = await rig.world.makeWorkspace({ [file]: lens });
  const { skills } = graphDocument(await rig.resolveIn(root, file));
  const taken = (key: string, way: WayOut): boolean => isTaken(skills[key]!, way);
  expect([
    taken('read', { ...seeDocs, subject: 'src/**' }),
    taken('read', seeDocs),
    taken('write', { ...askForPages, subject: 'topic' }),
    taken('write', askForPages),
  ]).toEqual([true, false, true, false]);
});
