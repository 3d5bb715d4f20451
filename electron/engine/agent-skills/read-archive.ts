import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { SkillMountError, SkillValidationError } from './skill-errors.ts';
import { skillLimits, TreeBuilder } from './skill-tree.ts';
import type { LeftOut, SkillTree } from './skill-tree.ts';

/** A skill from an archive, with the folder it was in: undefined where SKILL.md lies at the top. */
export interface ReadArchive {
  readonly tree: SkillTree;
  readonly folderName: string | undefined;
  readonly leftOut: readonly LeftOut[];
}

/** What an archive itself may weigh: unpacked content that does not compress, and its directory. */
const maxArchiveBytes = skillLimits.bytes + 4 * 1024 * 1024;
const fileTypeBits = 0o170000;
const kinds: Readonly<Record<number, string>> = {
  0o120000: 'a link',
  0o040000: 'a folder',
  0o100000: 'a file',
};
const madeOnUnix = 3;

/**
 * Unpacks a `.zip` or `.skill` into memory. Refuses links, paths that lead out, names that meet, encrypted or damaged
 * entries, and the first byte beyond the limit as it comes out, whatever the archive says of its sizes.
 */
export async function readSkillArchive(bytes: Uint8Array, label: string): Promise<ReadArchive> {
  if (bytes.length > maxArchiveBytes) throw new TreeBuilder(label).tooLarge();
  const everything = new TreeBuilder(label);
  const leftOut: LeftOut[] = [];
  const zip = await opened(bytes, label);
  try {
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.replace(/\/$/, '');
      // The Finder puts its own notes beside the real files.
      if (path === '__MACOSX' || path.startsWith('__MACOSX/')) {
        leftOut.push({ path, why: 'it is a note of the Finder' });
        continue;
      }
      checkKind(entry, path, everything);
      if (entry.fileName.endsWith('/')) everything.addFolder(path);
      else everything.addFile({ path, bytes: await unpack(zip, entry, everything), mode: modeOf(entry) });
    }
  } catch (error) {
    throw error instanceof SkillValidationError || error instanceof SkillMountError
      ? error
      : damaged(label, error as Error);
  } finally {
    zip.close();
  }
  return { ...withoutTopFolder(everything.build(), label), leftOut };
}

async function opened(bytes: Uint8Array, label: string): Promise<ZipFile> {
  try {
    // Without strict names a backslash would become a slash, and a path that leads out an ordinary one.
    return await fromBufferPromise(Buffer.from(bytes), { strictFileNames: true });
  } catch (error) {
    throw damaged(label, error as Error);
  }
}

function checkKind(entry: Entry, path: string, builder: TreeBuilder): void {
  if (entry.isEncrypted()) throw builder.unsafe(path, 'it is encrypted');
  if (!entry.canDecodeFileData()) throw builder.unsafe(path, 'it is packed in an unknown way');
  const type = unixMode(entry) & fileTypeBits;
  const isFolder = entry.fileName.endsWith('/');
  if (type === 0 || type === (isFolder ? 0o040000 : 0o100000)) return;
  throw builder.unsafe(path, `it is ${kinds[type] ?? 'neither a file nor a folder'}`);
}

async function unpack(zip: ZipFile, entry: Entry, builder: TreeBuilder): Promise<Buffer> {
  const limit = builder.bytesLeft;
  if (entry.uncompressedSize > limit) throw builder.tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw builder.tooLarge();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw builder.unsafe(entry.fileName, 'its check sum is wrong');
  return bytes;
}

function modeOf(entry: Entry): number {
  const mode = unixMode(entry) & 0o777;
  return mode === 0 ? 0o644 : mode;
}

function unixMode(entry: Entry): number {
  return entry.versionMadeBy >>> 8 === madeOnUnix ? entry.externalFileAttributes >>> 16 : 0;
}

/** The skill in the archive: at its top, or in its only folder. */
function withoutTopFolder(all: SkillTree, label: string): Omit<ReadArchive, 'leftOut'> {
  if (all.files.some(({ path }) => path === 'SKILL.md')) return { tree: all, folderName: undefined };
  const tops = new Set([...all.files.map(({ path }) => path), ...all.emptyFolders].map(topOf));
  const holding = all.files
    .filter(({ path }) => /^[^/]+\/SKILL\.md$/.test(path))
    .map(({ path }) => topOf(path));
  const [folderName] = holding;
  if (folderName === undefined) {
    const message = `Cannot use "${label}": there is no SKILL.md at its top or in its only folder`;
    throw new SkillValidationError('missing_skill_md', message, { skill: label });
  }
  if (tops.size > 1) {
    const message = `Cannot use "${label}": it holds more than one folder; pack "${folderName}" by itself`;
    throw new SkillValidationError('missing_skill_md', message, { skill: label, folders: [...tops] });
  }
  const below = (path: string): string => path.slice(folderName.length + 1);
  const tree = new TreeBuilder(label);
  for (const file of all.files) tree.addFile({ ...file, path: below(file.path) });
  for (const folder of all.emptyFolders) tree.addFolder(below(folder));
  return { tree: tree.build(), folderName };
}

function topOf(path: string): string {
  return path.split('/', 1)[0]!;
}

function damaged(label: string, error: Error): SkillValidationError {
  return new SkillValidationError('unsafe', `Cannot unpack "${label}": ${error.message}`, { skill: label });
}
