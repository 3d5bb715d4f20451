import { link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { importSkill, planImport } from './import-skill.ts';
import type { ImportRequest } from './import-skill.ts';
import { makeZip } from '../../testing/make-zip.ts';
import type { ZipEntry } from '../../testing/make-zip.ts';
import { contentOf, pathsIn, skillMd, SkillRig } from './testing/skill-rig.ts';

const rig = new SkillRig();
afterAll(() => rig[Symbol.asyncDispose]());

const lens = 'lenses/docs.lens' as FileId;
const lensText = `# The docs team's lens
metadata:
  name: Docs   # as people call it
  version: 1.0.0
skills:
  - name: read   # first
    description: Reads
    instructions: Read.

quality_policy:
  min_confidence: 0.8
`;

async function workspace(text = lensText): Promise<string> {
  return rig.folderWith({ [lens]: text });
}

/** Imports, and gives the error; a refused import must leave the workspace as it was. */
async function refused(request: Omit<ImportRequest, 'lens'>): Promise<unknown> {
  const before = await contentOf(request.root);
  const error = await planImport({ lens, ...request }).then(importSkill, (thrown: unknown) => thrown);
  expect(await contentOf(request.root)).toEqual(before);
  return error;
}

test('planImport() copies the whole tree beside the lens and adds an entry; comments, order and style stay', async () => {
  const root = await workspace();
  const source = await rig.folderWith({
    'pdf/SKILL.md':
      '---\nname: pdf\ndescription: Reads PDF\nlicense: MIT\nmodel: opus\nmetadata:\n  version: 1.0\n---\nDo.\n',
    'pdf/scripts/run.py*': 'print(1)\n',
    'pdf/other/deep/file.bin': Uint8Array.of(0, 1, 255),
    'pdf/.git/HEAD': 'x',
  });
  const plan = await planImport({ root, lens, source: { kind: 'path', path: join(source, 'pdf') } });
  expect({ name: plan.name, folder: plan.folder, files: plan.files, notes: plan.notes }).toEqual({
    name: 'pdf',
    folder: 'lenses/skills/pdf',
    files: [
      { path: 'pdf/other/deep/file.bin', operation: 'new', size: 3, isExecutable: false },
      { path: 'pdf/scripts/run.py', operation: 'new', size: 9, isExecutable: true },
      { path: 'pdf/SKILL.md', operation: 'new', size: 95, isExecutable: false },
    ],
    notes: [
      { what: '.git', why: 'left out: it is never part of a skill' },
      { what: 'model', why: 'kept in SKILL.md; a lens has no such field' },
      { what: 'license', why: 'kept in SKILL.md; a lens has no such field' },
      { what: 'metadata.version', why: 'kept in SKILL.md; a lens makes no use of it' },
      {
        what: 'scripts/run.py',
        why: 'copied; a run starts only scripts that the lens or metadata.sunwell names',
      },
      { what: 'SKILL.md', why: expect.stringContaining('Unexpected fields in frontmatter: model') as string },
    ],
  });
  await importSkill(plan);
  expect(await readFile(join(root, lens), 'utf8')).toBe(
    lensText.replace(
      '    instructions: Read.\n',
      '    instructions: Read.\n  - name: pdf\n    type: local\n    path: ./skills/pdf\n',
    ),
  );
  await rm(join(source, 'pdf/.git'), { recursive: true });
  expect(await contentOf(join(root, 'lenses/skills/pdf'))).toEqual(await contentOf(join(source, 'pdf')));
});

test.each(['pdf.zip', 'pdf.skill'])('planImport() takes %s from disk and from bytes', async (fileName) => {
  const bytes = makeZip([
    { name: 'pdf/SKILL.md', content: skillMd('pdf') },
    { name: 'pdf/x.sh', content: 'x', mode: 0o100755 },
  ]);
  const folder = await rig.folderWith({ [fileName]: bytes });
  const contents = await Promise.all(
    (
      [
        { kind: 'path', path: join(folder, fileName) },
        { kind: 'archive', fileName, bytes },
      ] as const
    ).map(async (source) => {
      const root = await workspace();
      await importSkill(await planImport({ root, lens, source }));
      return contentOf(join(root, 'lenses/skills'));
    }),
  );
  expect(contents[0]).toEqual(
    await contentOf(await rig.folderWith({ 'pdf/SKILL.md': skillMd('pdf'), 'pdf/x.sh*': 'x' })),
  );
  expect(contents[1]).toEqual(contents[0]);
});

test.each<[string, readonly ZipEntry[]]>([
  ['zip-slip', [{ name: 'pdf/../../../evil', content: 'x' }]],
  ['an absolute path', [{ name: '/tmp/evil', content: 'x' }]],
  ['a link', [{ name: 'pdf/link', content: '/etc/passwd', mode: 0o120777 }]],
  ['a bomb', [{ name: 'pdf/bomb', content: Buffer.alloc(11 * 1024 * 1024) }]],
  ['twins', [{ name: 'pdf/A' }, { name: 'pdf/a' }]],
  ['duplicates', [{ name: 'pdf/a' }, { name: 'pdf/a' }]],
])('row 86: an archive with %s is refused and nothing is written', async (_, entries) => {
  const root = await workspace();
  const bytes = makeZip([{ name: 'pdf/SKILL.md', content: skillMd('pdf') }, ...entries]);
  expect(await refused({ root, source: { kind: 'archive', fileName: 'x.zip', bytes } })).toMatchObject({
    code: expect.stringMatching(/^agent-skill\./) as string,
  });
});

test('row 85: links, hard links and twins inside a folder are refused; nothing outside is ever copied', async () => {
  const source = await rig.folderWith({ secret: 'secret' });
  const attempts: Readonly<Record<string, (folder: string) => Promise<void>>> = {
    link: (folder) => symlink(join(source, 'secret'), join(folder, 'x')),
    folderLink: (folder) => symlink(source, join(folder, 'x')),
    hardLink: (folder) => link(join(source, 'secret'), join(folder, 'x')),
    twins: async (folder) => {
      await writeFile(join(folder, 'a'), '1');
      await writeFile(join(folder, 'A'), '2');
    },
  };
  for (const [name, prepare] of Object.entries(attempts)) {
    const folder = join(source, name, 'pdf');
    await rig.write(folder, { 'SKILL.md': skillMd('pdf') });
    await prepare(folder);
    const root = await workspace();
    expect([name, await refused({ root, source: { kind: 'path', path: folder } })]).toEqual([
      name,
      expect.objectContaining({ reason: 'unsafe' }),
    ]);
  }
});

describe('names', () => {
  const at = async (name: string): Promise<ImportRequest['source']> => {
    const source = await rig.folderWith({ 'x/SKILL.md': skillMd(name) });
    return { kind: 'path', path: join(source, 'x') };
  };

  test('a name that the lens or the folder already has is refused', async () => {
    const root = await workspace();
    expect(await refused({ root, source: await at('read') })).toMatchObject({
      reason: 'duplicate',
      message:
        'Cannot import "read": "lenses/docs.lens" already has a skill of this name; choose another name',
    });
    await mkdir(join(root, 'lenses/skills/pdf'), { recursive: true });
    expect(await refused({ root, source: await at('pdf') })).toMatchObject({ reason: 'duplicate' });
    const plan = await planImport({ root, lens, source: await at('pdf'), name: 'pdf-two' });
    expect([plan.name, plan.folder, plan.notes[0]]).toEqual([
      'pdf-two',
      'lenses/skills/pdf-two',
      { what: 'name', why: 'the lens calls it "pdf-two"; SKILL.md keeps "pdf"' },
    ]);
  });

  test('a name that lenses do not allow is brought into form, or asked for', async () => {
    const root = await workspace();
    expect((await planImport({ root, lens, source: await at('MySkill') })).name).toBe('my-skill');
    expect(await refused({ root, source: await at('技能') })).toMatchObject({ reason: 'invalid_name' });
    expect(await refused({ root, source: await at('pdf'), name: '../evil' })).toMatchObject({
      reason: 'invalid_name',
    });
  });
});

test('a skill that already lies beside the lens only gets its entry', async () => {
  const root = await workspace();
  await rig.write(root, { 'lenses/skills/pdf/SKILL.md': skillMd('pdf'), 'lenses/skills/pdf/x': 'x' });
  const source = { kind: 'path', path: join(root, 'lenses/skills/pdf/SKILL.md') } as const;
  const plan = await planImport({ root, lens, source });
  expect(plan.files.map(({ operation }) => operation)).toEqual(['same', 'same']);
  await importSkill(plan);
  expect(await readFile(join(root, lens), 'utf8')).toContain('path: ./skills/pdf');
});

test('where the lens changed meanwhile, nothing is imported, and what was there stays', async () => {
  const root = await workspace();
  const source = await rig.folderWith({ 'pdf/SKILL.md': skillMd('pdf'), 'pdf/a/b': 'x' });
  const plan = await planImport({ root, lens, source: { kind: 'path', path: join(source, 'pdf') } });
  await writeFile(join(root, lens), `${lensText}# edited\n`);
  await expect(importSkill(plan)).rejects.toMatchObject({ code: 'file.changed' });
  expect(await pathsIn(root)).toEqual([lens]);

  await rig.write(root, { 'lenses/skills/own/SKILL.md': skillMd('own') });
  const own = { kind: 'path', path: join(root, 'lenses/skills/own') } as const;
  const inPlace = await planImport({ root, lens, source: own });
  await writeFile(join(root, lens), lensText);
  await expect(importSkill(inPlace)).rejects.toMatchObject({ code: 'file.changed' });
  expect(await pathsIn(root)).toEqual([lens, 'lenses/skills/own/SKILL.md']);
});

test('a lens that cannot be edited, a missing source and a stray file are refused', async () => {
  const source = await rig.folderWith({ 'pdf/SKILL.md': skillMd('pdf'), 'x.txt': 'x', 'empty/a': 'x' });
  const broken = await workspace('metadata: { name: [\n');
  expect(await refused({ root: broken, source: { kind: 'path', path: join(source, 'pdf') } })).toMatchObject({
    code: 'file.unknown-kind',
  });
  const root = await workspace();
  const reasons = await Promise.all(
    ['none', 'x.txt', 'empty'].map(async (name) => {
      const error = await refused({ root, source: { kind: 'path', path: join(source, name) } });
      return (error as { reason?: string }).reason;
    }),
  );
  expect(reasons).toEqual(['not_found', 'not_directory', 'missing_skill_md']);
});

test('a folder of skills that leads out of the workspace is not written to', async () => {
  const root = await workspace();
  const outside = await rig.makeFolder();
  await symlink(outside, join(root, 'lenses/skills'));
  const source = await rig.folderWith({ 'pdf/SKILL.md': skillMd('pdf') });
  await expect(
    planImport({ root, lens, source: { kind: 'path', path: join(source, 'pdf') } }),
  ).rejects.toMatchObject({ reason: 'unsafe' });
  expect(await pathsIn(outside)).toEqual([]);
});

test('a condition of the skill is written to the entry, where it is decided', async () => {
  const root = await workspace();
  const text = `---\nname: pdf\ndescription: d\nmetadata:\n  sunwell: '{"enabled":{"env":"CI"}}'\n---\n`;
  const source = await rig.folderWith({ 'pdf/SKILL.md': text });
  const plan = await planImport({ root, lens, source: { kind: 'path', path: join(source, 'pdf') } });
  expect(plan.lensText).toContain('    path: ./skills/pdf\n    enabled:\n      env: CI\n');
});
