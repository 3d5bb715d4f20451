import { describe, expect, it } from 'vitest';
import { OpenDocument } from './document.svelte.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine, entryOf, revisionOf } from './testing/fake-engine.ts';
import { settled } from './testing/manual-clock.ts';

const file = 'lenses/a.lens';
const lens = 'skills:\n  - name: one\n';

async function open(text = lens): Promise<{ engine: FakeEngine; document: OpenDocument; changes: string[] }> {
  const engine = new FakeEngine({ [file]: text });
  const changes: string[] = [];
  const document = new OpenDocument({
    target: entryOf(file, text),
    changed: (by) => changes.push(by),
    source: () => ({ client: engine.client, workspace: engine.workspaceId }),
  });
  await document.load();
  return { engine, document, changes };
}

const seen = ({ text, isDirty, trouble }: OpenDocument): unknown => ({ text, isDirty, trouble });

describe('OpenDocument', () => {
  it('save() writes the text and is clean afterwards', async () => {
    const { engine, document } = await open();
    document.edit('mine');
    expect(document.isDirty).toBe(true);
    expect(await document.save()).toBe(true);
    expect([engine.files.get(file), seen(document)]).toEqual([
      'mine',
      { text: 'mine', isDirty: false, trouble: undefined },
    ]);
  });

  it('keeps byte order mark and line ends as they are', async () => {
    const { engine, document } = await open('\uFEFFskills:\r\n');
    document.edit(`${document.text}# end\r\n`);
    await document.save();
    expect(engine.files.get(file)).toBe('\uFEFFskills:\r\n# end\r\n');
  });

  it('checkDisk() follows the disk while nothing was typed', async () => {
    const { engine, document } = await open();
    engine.files.set(file, 'theirs');
    await document.checkDisk(revisionOf('theirs'));
    expect(seen(document)).toEqual({ text: 'theirs', isDirty: false, trouble: undefined });
  });

  it('checkDisk() keeps typed text and names the conflict', async () => {
    const { engine, document } = await open();
    document.edit('mine');
    engine.files.set(file, 'theirs');
    await document.checkDisk(revisionOf('theirs'));
    const disk = { file, text: 'theirs', revision: revisionOf('theirs') };
    expect(seen(document)).toEqual({
      text: 'mine',
      isDirty: true,
      trouble: { kind: 'changed-on-disk', disk },
    });
  });

  it('checkDisk() sees no conflict where both made the same change', async () => {
    const { engine, document } = await open();
    document.edit('same');
    engine.files.set(file, 'same');
    await document.checkDisk(revisionOf('same'));
    expect(seen(document)).toEqual({ text: 'same', isDirty: false, trouble: undefined });
  });

  it('save() of a file that changed meanwhile is a conflict, never an overwrite', async () => {
    const { engine, document } = await open();
    document.edit('mine');
    engine.files.set(file, 'theirs');
    expect(await document.save()).toBe(false);
    expect([engine.files.get(file), document.text, document.trouble?.kind]).toEqual([
      'theirs',
      'mine',
      'changed-on-disk',
    ]);
  });

  it('overwrite() replaces only the version that was shown', async () => {
    const { engine, document } = await open();
    document.edit('mine');
    engine.files.set(file, 'theirs');
    await document.save();
    engine.files.set(file, 'newer');
    expect(await document.overwrite()).toBe(false);
    expect(document.trouble).toMatchObject({ kind: 'changed-on-disk', disk: { text: 'newer' } });
    expect(await document.overwrite()).toBe(true);
    expect([engine.files.get(file), document.isDirty]).toEqual(['mine', false]);
  });

  it('reload() takes the version on disk', async () => {
    const { engine, document } = await open();
    document.edit('mine');
    engine.files.set(file, 'theirs');
    await document.save();
    document.reload();
    expect(seen(document)).toEqual({ text: 'theirs', isDirty: false, trouble: undefined });
  });

  it('does not take its own save for a change by somebody else while more is typed', async () => {
    const { engine, document } = await open();
    const answer = deferred();
    engine.delays.set('lens.save', answer.promise);
    document.edit('first');
    const saving = document.save();
    await settled();
    document.edit('first and second');
    const checking = document.checkDisk(revisionOf('first'));
    await settled();
    expect(document.trouble).toBeUndefined();
    answer.resolve();
    await Promise.all([saving, checking]);
    expect(seen(document)).toEqual({ text: 'first and second', isDirty: true, trouble: undefined });
  });

  it('keeps its text when the file is deleted, and recovers when it is back', async () => {
    const { engine, document } = await open();
    document.edit('mine');
    engine.files.delete(file);
    expect(await document.save()).toBe(false);
    expect(seen(document)).toEqual({ text: 'mine', isDirty: true, trouble: { kind: 'deleted' } });
    engine.files.set(file, lens);
    await document.checkDisk(revisionOf(lens));
    expect(seen(document)).toEqual({ text: 'mine', isDirty: true, trouble: undefined });
  });

  it('save() makes a file again that is known to be gone, and not over one that came back', async () => {
    const { engine, document } = await open();
    engine.files.delete(file);
    document.fileRemoved();
    expect([await document.save(), engine.files.get(file)]).toEqual([true, lens]);
    document.edit('mine');
    document.fileRemoved();
    engine.files.set(file, 'theirs');
    expect([await document.save(), engine.files.get(file)]).toEqual([false, 'theirs']);
    expect(document.trouble).toMatchObject({ kind: 'changed-on-disk', disk: { text: 'theirs' } });
  });

  it('keeps its text when the disk refuses it and says why', async () => {
    const { engine, document } = await open();
    engine.refusals.set('lens.save', 'file.unwritable');
    document.edit('mine');
    expect(await document.save()).toBe(false);
    expect(seen(document)).toMatchObject({
      text: 'mine',
      isDirty: true,
      trouble: { kind: 'not-saved', failure: { code: 'file.unwritable' } },
    });
  });

  it('refuses to send more than the engine takes', async () => {
    const { engine, document } = await open();
    document.edit('é'.repeat(600_000));
    expect(await document.save()).toBe(false);
    expect(document.trouble).toMatchObject({ kind: 'not-saved', failure: { code: 'file.too-large' } });
    expect(engine.calls).not.toContain('lens.save');
  });

  it('tells what makes resolving worth another try', async () => {
    const { engine, document, changes } = await open();
    document.edit('mine');
    await document.save();
    document.edit('mine again');
    engine.files.set(file, 'theirs');
    await document.save();
    document.reload();
    expect(changes).toEqual(['typing', 'disk', 'typing', 'disk']);
  });

  it('says why it cannot be read, and load() tries again', async () => {
    const { engine, document } = await open();
    engine.refusals.set('lens.read', 'file.not-text');
    await document.load();
    expect(document.phase).toMatchObject({ phase: 'unreadable', failure: { code: 'file.not-text' } });
    engine.refusals.clear();
    await document.load();
    expect(document.phase).toEqual({ phase: 'ready' });
  });

  it('checkDisk() reads a file that could not be read before', async () => {
    const { engine, document } = await open();
    engine.refusals.set('lens.read', 'file.unreadable');
    await document.load();
    engine.refusals.clear();
    await document.checkDisk(revisionOf(lens));
    expect([document.phase, document.text]).toEqual([{ phase: 'ready' }, lens]);
  });
});
