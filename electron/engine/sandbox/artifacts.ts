import { isUtf8 } from 'node:buffer';
import { digestOf } from '../store/digest.ts';
import type { Limits } from './limits.ts';
import { readTar, type TarEntry } from './tar.ts';

/** A file that a script proposes for the same path in the workspace. */
export interface Artifact {
  readonly path: string;
  readonly content: Buffer;
  readonly sha256: string;
  readonly mode: 0o644 | 0o755;
}

/** Something a script left that cannot be an artifact. */
export interface RejectedArtifact {
  readonly path: string;
  readonly reason: RejectionReason;
}

export type RejectionReason =
  'not-a-file' | 'bad-name' | 'too-deep' | 'twin' | 'unreadable' | 'too-many' | 'too-large';

/** What a script left behind: its output document, the files it proposes, and what was refused. */
export interface Collected {
  readonly output?: Buffer;
  readonly artifacts: readonly Artifact[];
  readonly rejected: readonly RejectedArtifact[];
}

const maxDepth = 16;
const maxNameBytes = 255;
const maxRejectedListed = 100;

/** Control, bidirectional and zero-width characters, separators of other systems, and what Windows cannot store. */
const badCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:*?"<>|]/u;
const reservedName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Takes regular files out of the archive of /out. Over a cap nothing is kept: half of a proposal is not a proposal. */
export function collectArtifacts(
  archive: Buffer,
  limits: Pick<Limits, 'artifactBytes' | 'artifactFiles'>,
): Collected {
  const artifacts = new Map<string, Artifact>();
  const rejected: RejectedArtifact[] = [];
  let output: Buffer | undefined;
  let bytes = 0;
  let entries = 0;
  const reject = (path: string, reason: RejectionReason) => {
    if (rejected.length < maxRejectedListed) rejected.push({ path, reason });
  };
  try {
    for (const entry of readTar(archive)) {
      const path = decode(entry.name).replace(/^\.\//, '');
      bytes += entry.content.length;
      if (++entries > 2 * limits.artifactFiles || artifacts.size > limits.artifactFiles)
        return over('too-many');
      if (bytes > limits.artifactBytes) return over('too-large');
      if (path === 'output.json' && entry.kind === 'file') output = entry.content;
      else if (path.startsWith('files/') && path !== 'files/') place(entry, path.slice('files/'.length));
      else if (path === 'output.json') reject(path, 'not-a-file');
    }
  } catch {
    return over('unreadable'); // A script can have damaged the stream on purpose: then nothing of it counts.
  }
  return { ...(output && { output }), artifacts: [...artifacts.values()], rejected };

  function place(entry: TarEntry, path: string): void {
    const reason = problemOf(path, entry.kind);
    if (reason) return reject(path, reason);
    if (entry.kind === 'folder') return;
    const twin = path.normalize('NFKC').toLowerCase();
    if (artifacts.has(twin)) return reject(path, 'twin');
    artifacts.set(twin, {
      path,
      content: entry.content,
      sha256: digestOf(entry.content),
      mode: (entry.mode & 0o100) !== 0 ? 0o755 : 0o644,
    });
  }

  function over(reason: RejectionReason): Collected {
    return { artifacts: [], rejected: [{ path: '', reason }] };
  }
}

function decode(name: Buffer): string {
  // What is not UTF-8 is shown with a mark that no good name has.
  return isUtf8(name) ? name.toString('utf8') : `files/\ufffd${name.toString('latin1')}`;
}

function problemOf(path: string, kind: TarEntry['kind']): RejectionReason | undefined {
  if (kind === 'other') return 'not-a-file';
  const parts = path.replace(/\/$/, '').split('/');
  if (parts.length > maxDepth) return 'too-deep';
  return parts.every(isGoodName) && path === path.normalize('NFC') ? undefined : 'bad-name';
}

function isGoodName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || Buffer.byteLength(name) > maxNameBytes) return false;
  if (name.includes('\ufffd') || badCharacter.test(name) || reservedName.test(name)) return false;
  return !/[. ]$/.test(name) && !name.startsWith(' ');
}
