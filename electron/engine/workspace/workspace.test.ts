import { chmod, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FileId, WorkspaceEvent } from '#shared/model/workspace.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { passingName } from '#shared/blocked-names.ts';
import { Workspace } from './workspace.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const lens = (name: string): string => `metadata: { name: ${name}, version: 1.0.0 }\nskills: []\n`;

async function nextEvent(workspace: Workspace, after: number): Promise<WorkspaceEvent> {
  for await (const event of workspace.events(after)) return event;
  throw new Error('The stream ended early');
}

test('a lens that cannot be parsed is listed with its problem', async () => {
  const root = await world.makeWorkspace({ 'bad.lens': 'metadata: [unclosed\n' });
  await using workspace = await Workspace.open(root);
  const [entry] = workspace.snapshot().entries;
  expect(entry).toMatchObject({ kind: 'lens', file: 'bad.lens', name: 'bad' });
  expect(entry?.problem).toMatch(/\]/);
});

test('lenses and libraries name the Agent Skills in the workspace that are skills of theirs', async () => {
  const entry = (path: string, type = 'local'): string => `{ name: x, type: ${type}, path: ${path} }`;
  const root = await world.makeWorkspace({
    'lenses/a.lens': `skills: [${entry('skills/pdf/')}, ${entry('../../out')}, ${entry('./b', 'inline')}]\n`,
    'skills/team.yaml': `skills: [${entry('../lenses/skills/pdf')}]\n`,
    'plain.lens': lens('Plain'),
  });
  await using workspace = await Workspace.open(root);
  const local = workspace.snapshot().entries.map((found) => 'localSkills' in found && found.localSkills);
  expect(local).toEqual([['lenses/skills/pdf'], false, ['lenses/skills/pdf']]);
});

test('a file that is not text or too large is listed with the reason, a link is left out', async () => {
  const outside = await world.makeWorkspace({ 'secret.lens': lens('Secret') });
  const root = await world.makeWorkspace({ 'large.lens': `# ${'x'.repeat(1024 * 1024)}` });
  await writeFile(join(root, 'binary.lens'), new Uint8Array([0xff, 0xfe, 0x00]));
  await symlink(join(outside, 'secret.lens'), join(root, 'link.lens'));
  await using workspace = await Workspace.open(root);
  expect(workspace.snapshot().entries.map((entry) => [entry.file, entry.problem])).toEqual([
    ['binary.lens', 'it is not UTF-8 text'],
    ['large.lens', 'it is larger than 1 MiB'],
  ]);
});

test('a link that replaces a listed file does not lead reading or saving out of the workspace', async () => {
  const outside = await world.makeWorkspace({ 'secret.lens': lens('Secret') });
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  const { revision } = await workspace.read('a.lens' as FileId);
  await rm(join(root, 'a.lens'));
  await symlink(join(outside, 'secret.lens'), join(root, 'a.lens'));
  await expect(workspace.read('a.lens' as FileId)).rejects.toMatchObject({ code: 'file.not-in-workspace' });
  await expect(workspace.save('a.lens' as FileId, 'x', revision)).rejects.toMatchObject({
    code: 'file.not-in-workspace',
  });
  expect(await world.readFile(outside, 'secret.lens')).toBe(lens('Secret'));
});

test('a file written the way other editors do, by renaming over it, is one change', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  await workspace.watch();
  const { seq } = workspace.snapshot();
  await writeFile(join(root, 'tmp'), lens('B'));
  await rename(join(root, 'tmp'), join(root, 'a.lens'));
  const event = await nextEvent(workspace, seq);
  expect(event).toMatchObject({ type: 'entry-changed', entry: { file: 'a.lens', name: 'B' } });
});

test('a folder of lenses that appears later is found', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  await workspace.watch();
  const { seq } = workspace.snapshot();
  await mkdir(join(root, 'new/deep'), { recursive: true });
  await writeFile(join(root, 'new/deep/b.lens'), lens('B'));
  expect(await nextEvent(workspace, seq)).toMatchObject({
    type: 'entry-changed',
    entry: { file: 'new/deep/b.lens' },
  });
});

test('a workspace deleted under us says so', async () => {
  const parent = await world.makeFolder();
  const root = join(parent, 'ws');
  await mkdir(root);
  await using workspace = await Workspace.open(root);
  await workspace.watch();
  await rm(root, { recursive: true });
  expect(await nextEvent(workspace, 0)).toMatchObject({ type: 'workspace-lost' });
  expect(workspace.isLost).toBe(true);
});

test('a workspace deleted before it was watched says so', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  await rm(root, { recursive: true });
  await workspace.watch();
  expect(await nextEvent(workspace, 0)).toMatchObject({ type: 'workspace-lost' });
});

test('save() keeps the mode of the file', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await chmod(join(root, 'a.lens'), 0o640);
  await using workspace = await Workspace.open(root);
  const { revision } = await workspace.read('a.lens' as FileId);
  await workspace.save('a.lens' as FileId, lens('B'), revision);
  expect((await stat(join(root, 'a.lens'))).mode & 0o777).toBe(0o640);
});

test('create() is not led out of the workspace by a link, and leaves nothing behind when it refuses', async () => {
  const outside = await world.makeFolder();
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await symlink(outside, join(root, 'linked'));
  await using workspace = await Workspace.open(root);
  const refusal = async (file: string): Promise<unknown> =>
    workspace.create(file as FileId, lens('B')).catch((error: { code: string }) => error.code);
  const refusals = await Promise.all(['linked/b.lens', 'linked/new/b.lens', 'a.lens', '.lens'].map(refusal));
  expect([refusals, await readdir(outside), await readdir(root)]).toEqual([
    ['file.bad-name', 'file.bad-name', 'file.exists', 'file.bad-name'],
    [],
    ['a.lens', 'linked'],
  ]);
});

test('remove() takes back what create() wrote, and leaves everything else alone', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  const [changed, linked, made] = ['b.lens', 'c.lens', 'd.lens'].map((file) => file as FileId);
  for (const file of [changed!, linked!, made!]) await workspace.create(file, lens('B'));
  await writeFile(join(root, changed!), lens('C'));
  await rm(join(root, linked!));
  await writeFile(join(root, 'target.txt'), lens('B'));
  await symlink('target.txt', join(root, linked!));
  const outcome = async (file: FileId): Promise<unknown> =>
    workspace.remove(file).catch((error: { code: string }) => error.code);
  const outcomes: unknown[] = [];
  for (const file of ['a.lens' as FileId, changed!, linked!, made!, made!])
    outcomes.push(await outcome(file));
  expect([outcomes, await readdir(root), workspace.snapshot().entries.map(({ file }) => file)]).toEqual([
    ['file.not-new', 'file.not-new', undefined, undefined, 'file.not-new'],
    ['a.lens', 'b.lens', 'target.txt'],
    ['a.lens', 'b.lens'],
  ]);
});

test('open() refuses a file and a missing folder', async () => {
  const root = await world.makeWorkspace({ 'a.lens': '' });
  await expect(Workspace.open(join(root, 'a.lens'))).rejects.toMatchObject({ code: 'workspace.not-found' });
  await expect(Workspace.open(join(root, 'none'))).rejects.toMatchObject({ code: 'workspace.not-found' });
});

test('a script is read and saved like a lens, and its changes are told; keys stay closed', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A'), 'scripts/a.py': 'one\n', '.env': 'KEY=1\n' });
  await using workspace = await Workspace.open(root);
  await workspace.watch();
  const script = 'scripts/a.py' as FileId;
  const { text, revision } = await workspace.read(script);
  expect(text).toBe('one\n');
  const { seq } = workspace.snapshot();
  await writeFile(join(root, script), 'two\n');
  expect(await nextEvent(workspace, seq)).toMatchObject({ type: 'files-changed', files: [script] });
  await expect(workspace.save(script, 'three\n', revision)).rejects.toMatchObject({ code: 'file.changed' });
  const now = await workspace.read(script);
  await workspace.save(script, 'three\n', now.revision);
  expect((await workspace.read(script)).text).toBe('three\n');
  for (const file of ['.env', '.git/config', 'secrets/a.txt', '../out.txt']) {
    await expect(workspace.read(file as FileId)).rejects.toMatchObject({ code: 'file.not-in-workspace' });
  }
});

test('a temporary file that is renamed over another is told of as a change of that one only', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A'), 'docs/page.md': 'one\n' });
  await using workspace = await Workspace.open(root);
  await workspace.watch();
  const { seq } = workspace.snapshot();
  await writeFile(join(root, 'docs/page.md.tmp'), 'two\n');
  await rename(join(root, 'docs/page.md.tmp'), join(root, 'docs/page.md'));
  expect(await nextEvent(workspace, seq)).toMatchObject({ type: 'files-changed', files: ['docs/page.md'] });
});

test('what was taken back in a workspace is in its snapshots from then on, and who follows it takes a new one', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  const { seq, takenBack } = workspace.snapshot();
  expect(takenBack).toBeUndefined();
  workspace.tellTakenBack('One file is as before');
  expect(await nextEvent(workspace, seq)).toMatchObject({ type: 'snapshot-needed' });
  expect(workspace.snapshot().takenBack).toBe('One file is as before');
});

test('a file that is being written is told of once it is in its place', async () => {
  const root = await world.makeWorkspace({ 'a.lens': lens('A') });
  await using workspace = await Workspace.open(root);
  await workspace.watch();
  const { seq } = workspace.snapshot();
  await writeFile(join(root, passingName('ab12', 3)), 'half of i');
  await writeFile(join(root, 'next.txt'), 'next');
  expect(await nextEvent(workspace, seq)).toMatchObject({ type: 'files-changed', files: ['next.txt'] });
});
