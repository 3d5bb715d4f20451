import { expect, test } from 'vitest';
import { readSkillArchive } from './read-archive.ts';
import { makeZip } from '../../testing/make-zip.ts';
import type { ZipEntry } from '../../testing/make-zip.ts';

const skillMd: ZipEntry = { name: 'pdf/SKILL.md', content: '---\nname: pdf\ndescription: d\n---\n' };

async function refusal(entries: readonly ZipEntry[]): Promise<{ reason: unknown; message: string }> {
  const error = await readSkillArchive(makeZip(entries), 'x.zip').then(
    () => new Error('nothing was refused'),
    (thrown: Error) => thrown,
  );
  return { reason: (error as { reason?: string }).reason, message: error.message };
}

test('readSkillArchive() takes the only folder, with modes, empty folders and binary files', async () => {
  const binary = Uint8Array.from({ length: 256 }, (_, i) => i);
  const archive = makeZip([
    { name: 'pdf/', mode: 0o040755 },
    skillMd,
    { name: 'pdf/scripts/run.sh', content: '#!/bin/sh\n', mode: 0o100755 },
    { name: 'pdf/assets/raw.bin', content: binary, isStored: true },
    { name: 'pdf/empty/', mode: 0o040755 },
    { name: '__MACOSX/pdf/._SKILL.md', content: 'x' },
  ]);
  const read = await readSkillArchive(archive, 'x.zip');
  expect({
    folderName: read.folderName,
    emptyFolders: read.tree.emptyFolders,
    leftOut: read.leftOut.map(({ path }) => path),
    files: read.tree.files.map(({ path, bytes, mode }) => [path, Buffer.from(bytes), mode]),
  }).toEqual({
    folderName: 'pdf',
    emptyFolders: ['empty'],
    leftOut: ['__MACOSX/pdf/._SKILL.md'],
    files: [
      ['SKILL.md', Buffer.from(skillMd.content as string), 0o644],
      ['assets/raw.bin', Buffer.from(binary), 0o644],
      ['scripts/run.sh', Buffer.from('#!/bin/sh\n'), 0o755],
    ],
  });
});

test('readSkillArchive() takes SKILL.md at the top, and archives of Windows without modes', async () => {
  const read = await readSkillArchive(makeZip([{ ...skillMd, name: 'SKILL.md', mode: 0 }]), 'x.skill');
  expect([read.folderName, read.tree.files.map(({ path, mode }) => [path, mode])]).toEqual([
    undefined,
    [['SKILL.md', 0o644]],
  ]);
});

const bomb = Buffer.alloc(11 * 1024 * 1024);

test.each<[string, readonly ZipEntry[], string, string]>([
  ['a path that leads out', [skillMd, { name: 'pdf/../../evil' }], 'unsafe', 'invalid relative path'],
  ['an absolute path', [skillMd, { name: '/etc/evil' }], 'unsafe', 'absolute path'],
  ['a drive letter', [skillMd, { name: 'C:/evil' }], 'unsafe', 'absolute path'],
  ['a backslash', [skillMd, { name: 'pdf\\..\\evil' }], 'unsafe', 'invalid characters'],
  ['a control character', [skillMd, { name: 'pdf/a\nb' }], 'unsafe', 'control characters'],
  [
    'a link',
    [skillMd, { name: 'pdf/link', content: '/etc/passwd', mode: 0o120777 }],
    'unsafe',
    'it is a link',
  ],
  [
    'a link to a folder and a file through it',
    [skillMd, { name: 'pdf/up', content: '../..', mode: 0o120777 }, { name: 'pdf/up/evil' }],
    'unsafe',
    'it is a link',
  ],
  ['a device', [skillMd, { name: 'pdf/zero', mode: 0o020666 }], 'unsafe', 'neither a file nor a folder'],
  ['a name that is there twice', [skillMd, skillMd], 'unsafe', 'it is there twice'],
  ['names that differ in case', [skillMd, { name: 'pdf/skill.MD' }], 'unsafe', 'the same as "pdf/SKILL.md"'],
  [
    'names in two Unicode forms',
    [skillMd, { name: 'pdf/é' }, { name: 'pdf/e\u0301' }],
    'unsafe',
    'the same as',
  ],
  [
    'a file that is a folder too',
    [skillMd, { name: 'pdf/a' }, { name: 'pdf/a/b' }],
    'unsafe',
    'it is there twice',
  ],
  ['an encrypted entry', [skillMd, { name: 'pdf/a', claims: { flags: 1 } }], 'unsafe', 'encrypted'],
  ['a wrong check sum', [{ ...skillMd, claims: { crc: 1 } }], 'unsafe', 'check sum'],
  ['a bomb', [skillMd, { name: 'pdf/bomb', content: bomb }], 'too_large', 'exceeds total size limit'],
  [
    'a bomb that claims to be small',
    [skillMd, { name: 'pdf/bomb', content: bomb, claims: { size: 10 } }],
    'unsafe',
    'too many bytes',
  ],
  [
    'many parts that are too much together',
    [skillMd, ...[1, 2, 3].map((n) => ({ name: `pdf/${n}`, content: bomb.subarray(0, 4 * 1024 * 1024) }))],
    'too_large',
    'exceeds total size limit',
  ],
  [
    'too many files',
    [skillMd, ...Array.from({ length: 2000 }, (_, n) => ({ name: `pdf/${n}` }))],
    'too_large',
    '2000 files',
  ],
  ['no SKILL.md', [{ name: 'pdf/README.md' }], 'missing_skill_md', 'no SKILL.md'],
  ['two folders', [skillMd, { name: 'other/a' }], 'missing_skill_md', 'pack "pdf" by itself'],
])('readSkillArchive() refuses %s', async (_, entries, reason, message) => {
  expect(await refusal(entries)).toEqual({ reason, message: expect.stringContaining(message) as string });
});

test.each([
  ['no archive at all', Buffer.from('hello')],
  ['half an archive', makeZip([skillMd]).subarray(0, -30)],
])('readSkillArchive() refuses %s', async (_, bytes) => {
  await expect(readSkillArchive(bytes, 'x.zip')).rejects.toMatchObject({ code: 'agent-skill.invalid' });
});
