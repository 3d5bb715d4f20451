import { describe, expect, it } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';
import { Studio } from './studio.svelte.ts';
import type { Tab } from './tabs.svelte.ts';

const file = 'lenses/docs.lens' as FileId;
const library = 'skills/new.skills.yaml';
const text = `lens:
  metadata: { name: Docs, version: 1.0.0 }
  skills:
    - name: read # first
      description: Reads
    - name: write
      description: Writes
      depends_on: [read]
    - name: publish
      description: Publishes
`;

async function rig(
  others: Record<string, string> = {},
): Promise<{ engine: FakeEngine; studio: Studio; tab: Tab }> {
  const engine = new FakeEngine({ [file]: text, ...others });
  const { promise: closed } = deferred();
  const studio = new Studio({
    connect: () => Promise.resolve({ client: engine.client, closed }),
    clock: new ManualClock(),
  });
  await studio.start();
  await settled();
  studio.openFile(file);
  const tab = studio.tabs.active!;
  await tab.document.atRest();
  await tab.resolution!.ask();
  return { engine, studio, tab };
}

describe('GraphEdits', () => {
  it('connects, disconnects and deletes, each one step that undo takes back to the byte', async () => {
    const { studio, tab } = await rig();
    const { graphEdits, edits, notices } = studio;
    const texts = [tab.document.text];
    expect(await graphEdits.connect(tab, { from: 'write', to: 'publish' })).toBe(true);
    expect(notices.spoken).toBe('Done: Connect write to publish');
    texts.push(tab.document.text);
    expect(await graphEdits.disconnect(tab, { from: 'read', to: 'write' })).toBe(true);
    texts.push(tab.document.text);
    expect(await graphEdits.delete(tab, 'read', { withUses: false })).toBe(true);
    texts.push(tab.document.text);
    expect(new Set(texts).size).toBe(4);
    for (const before of texts.slice(0, -1).reverse()) {
      edits.undo();
      expect(tab.document.text).toBe(before);
    }
    for (const after of texts.slice(1)) {
      edits.redo();
      expect(tab.document.text).toBe(after);
    }
  });

  it('refuses a circle with a sentence and writes nothing', async () => {
    const { studio, tab } = await rig();
    expect(await studio.graphEdits.connect(tab, { from: 'write', to: 'read' })).toBe(false);
    expect(studio.notices.shown.map(({ message }) => message)).toEqual([
      'Cannot make "read" wait for "write": each would wait for the other, read → write → read',
    ]);
    expect(tab.document.text).toBe(text);
  });

  it('asks before it deletes what others depend on, and deletes the rest at once', async () => {
    const { studio, tab } = await rig();
    const { graphEdits } = studio;
    await graphEdits.askToDelete(tab, 'read');
    expect(graphEdits.question).toMatchObject({ kind: 'delete', key: 'read', uses: [{ name: 'write' }] });
    expect(tab.document.text).toBe(text);
    graphEdits.ask(undefined);
    await graphEdits.askToDelete(tab, 'publish');
    expect([graphEdits.question, tab.document.text.includes('publish')]).toEqual([undefined, false]);
  });

  it('adds a skill that others wait for, and selects it', async () => {
    const { studio, tab } = await rig();
    const entry = { name: 'prepare', description: 'Prepares' };
    expect(await studio.graphEdits.add(tab, entry, ['read'])).toBe(true);
    await tab.resolution!.ask();
    expect(tab.selectedSkill?.key).toBe('prepare');
    expect(tab.document.text).toContain('depends_on:\n        - prepare');
  });

  it('renames a skill with its references, and says why it cannot', async () => {
    const { studio, tab } = await rig();
    expect(await studio.graphEdits.rename(tab, 'read', 'Not A Name')).toContain('Cannot rename "read"');
    expect(await studio.graphEdits.rename(tab, 'read', 'load')).toBeUndefined();
    expect(tab.document.text).toBe(text.replaceAll('read', 'load'));
  });

  it('renames a skill in the fixtures of its lens too, not in those of others, and one undo takes all back', async () => {
    const own = 'lenses/tests/docs.fixtures.yaml';
    const fixtures =
      '# tried daily\n- name: reads\n  skill: "read" # the first\n- {name: writes, skill: write}\n';
    const { engine, studio, tab } = await rig({
      [own]: fixtures,
      'other/b.lens': 'skills:\n  - {name: read, description: Reads}\n',
      'other/tests/fixtures.yaml': fixtures,
    });
    expect(await studio.graphEdits.rename(tab, 'read', 'load')).toBeUndefined();
    const texts = (): string[] => studio.tabs.all.map(({ document }) => `${document.file}\n${document.text}`);
    const renamed = [text.replaceAll('read', 'load'), fixtures.replace('"read"', '"load"')];
    expect(texts()).toEqual([`${file}\n${renamed[0]}`, `${own}\n${renamed[1]}`]);
    expect([studio.tabs.active?.document.file, studio.notices.shown]).toEqual([file, []]);
    studio.edits.undo();
    expect(texts()).toEqual([`${file}\n${text}`, `${own}\n${fixtures}`]);
    studio.edits.redo();
    await studio.tabs.find(own)!.document.save();
    expect(engine.files.get(own)).toBe(renamed[1]);
  });

  it('renames nothing where the files of the workspace cannot be listed', async () => {
    const { engine, studio, tab } = await rig();
    engine.refusals.set('workspace.files', 'workspace.not-found');
    expect(await studio.graphEdits.rename(tab, 'read', 'load')).toBe('Refused: workspace.not-found');
    expect(tab.document.text).toBe(text);
  });

  it('moves skills into a library that it makes; undo takes back text and file, redo makes both again', async () => {
    const { engine, studio, tab } = await rig();
    const state = () => [
      tab.document.text,
      engine.files.get(library),
      studio.tabs.find(library)?.document.text,
    ];
    expect(await studio.graphEdits.group(tab, ['read'], library)).toBeUndefined();
    expect(engine.files.get(library)).toBe('skills: []\n');
    expect(studio.tabs.find(library)!.document.text).toContain('- name: read # first\n');
    expect(tab.document.text).toContain('- include: ../skills/new.skills.yaml::read');
    const moved = state();
    for (let round = 0; round < 2; round++) {
      studio.edits.undo();
      await settled();
      expect([...state(), studio.tabs.active]).toEqual([text, undefined, undefined, tab]);
      studio.edits.redo();
      await settled();
      expect(state()).toEqual(moved);
    }
    expect(studio.notices.shown.map(({ message }) => message)).toEqual([
      `Undone in 2 files: Move read to ${library}`,
      `Redone in 2 files: Move read to ${library}`,
    ]);
  });

  it('undo and redo that are pressed at once make the library again in their order', async () => {
    const { engine, studio, tab } = await rig();
    await studio.graphEdits.group(tab, ['read'], library);
    const moved = tab.document.text;
    studio.edits.undo();
    studio.edits.redo();
    studio.edits.undo();
    await settled();
    expect([tab.document.text, engine.files.has(library)]).toEqual([text, false]);
    studio.edits.redo();
    await settled();
    expect([tab.document.text, engine.files.get(library)]).toEqual([moved, 'skills: []\n']);
  });

  it('undo leaves a library alone that was saved with its skills', async () => {
    const { engine, studio, tab } = await rig();
    await studio.graphEdits.group(tab, ['read'], library);
    const { document } = studio.tabs.find(library)!;
    await document.save();
    studio.edits.undo();
    await settled();
    expect([engine.calls.includes('lens.remove'), document.text, document.isDirty]).toEqual([
      false,
      'skills: []\n',
      true,
    ]);
    studio.edits.redo();
    expect(document.isDirty).toBe(false);
  });

  it('undo says why the file of a library stays, and redo fills it again', async () => {
    const { engine, studio, tab } = await rig();
    await studio.graphEdits.group(tab, ['read'], library);
    const moved = tab.document.text;
    engine.refusals.set('lens.remove', 'file.not-new');
    studio.edits.undo();
    await settled();
    expect([tab.document.text, studio.tabs.find(library)?.document.text]).toEqual([text, 'skills: []\n']);
    expect(studio.notices.shown.at(-1)?.message).toBe('Refused: file.not-new');
    studio.edits.redo();
    expect(tab.document.text).toBe(moved);
  });

  it('redo does nothing where the name of the library was taken meanwhile', async () => {
    const { engine, studio, tab } = await rig();
    await studio.graphEdits.group(tab, ['read'], library);
    studio.edits.undo();
    await settled();
    engine.write(library, 'skills: [] # mine\n');
    studio.edits.redo();
    await settled();
    expect([tab.document.text, engine.files.get(library), studio.notices.shown.at(-1)?.message]).toEqual([
      text,
      'skills: [] # mine\n',
      'There',
    ]);
  });
});
