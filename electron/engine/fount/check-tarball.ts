import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { StudioError } from '#shared/errors.ts';
import { PackageCount, packageLimits, pathProblem, tooLarge, unsafe } from './package-limits.ts';

const block = 512;
const unpack = promisify(gunzip);
// Headers, long names and padding come on top of the files' own bytes.
const maxTarBytes = packageLimits.bytes + packageLimits.files * 4 * block;

const linkKinds: Readonly<Record<string, string>> = {
  '1': 'it is a hard link',
  '2': 'it is a symbolic link',
  '3': 'it is a device',
  '4': 'it is a device',
  '6': 'it is a named pipe',
};

/**
 * Refuses a package that holds links, devices, paths that leave it or too much, before a byte of it is written.
 * Unpacking would drop such entries without a word, and a bomb would fill the disk first.
 */
export async function checkTarball(bytes: Buffer, label: string): Promise<void> {
  const tar = await inflate(bytes, label);
  const count = new PackageCount(label);
  let hasManifest = false;
  let long: { path?: string; size?: number } = {};
  for (let at = 0; at + block <= tar.length;) {
    const header = tar.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) break;
    if (!hasRightSum(header)) throw damaged(label, 'the archive is not a tar file');
    const type = String.fromCharCode(header[156] || 0x30);
    const isMeta = 'xgLK'.includes(type);
    const size = (isMeta ? undefined : long.size) ?? octal(header, 124, 12, label);
    const body = tar.subarray(at + block, at + block + size);
    if (body.length < size) throw damaged(label, 'the archive ends too early');
    at += block + Math.ceil(size / block) * block;

    if (type === 'x') long = { ...long, ...paxRecords(body, label) };
    else if (type === 'L') long = { ...long, path: text(body) };
    else if (!isMeta) {
      const path = long.path ?? headerPath(header);
      checkEntry(type, path, label);
      hasManifest ||= /^[^/]+\/package\.json$/.test(path);
      if (type !== '5') count.add(size);
      long = {};
    }
  }
  if (hasManifest) return;
  throw new StudioError('fount.wrong-package', `Cannot use "${label}": it has no package.json`, {
    package: label,
  });
}

function checkEntry(type: string, path: string, label: string): void {
  const problem = pathProblem(path.replace(/\/+$/, '')) ?? linkKinds[type];
  if (problem !== undefined) throw unsafe(label, path, problem);
  if (!'057'.includes(type)) throw unsafe(label, path, 'it is of an unknown kind');
}

async function inflate(bytes: Buffer, label: string): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: maxTarBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(label, 'more than 64 MB');
    throw damaged(label, 'the archive cannot be unpacked');
  }
}

function hasRightSum(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += header[at]!;
  return Number.parseInt(text(header.subarray(148, 156)), 8) === sum;
}

function octal(header: Buffer, start: number, length: number, label: string): number {
  const digits = text(header.subarray(start, start + length)).trim();
  // A first byte above 0x7f starts a binary size, which only files of 8 GB and more need.
  if (!/^[0-7]*$/.test(digits)) throw damaged(label, 'an entry has no readable size');
  return Number.parseInt(digits || '0', 8);
}

function decimal(digits: string, label: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw damaged(label, 'an entry has no readable size');
  return Number(digits);
}

function headerPath(header: Buffer): string {
  const prefix = text(header.subarray(257, 262)) === 'ustar' ? text(header.subarray(345, 500)) : '';
  const name = text(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The records of a pax header that change what is unpacked. */
function paxRecords(body: Buffer, label: string): { path?: string; size?: number } {
  const records: { path?: string; size?: number } = {};
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at);
    const length = Number.parseInt(body.toString('latin1', at, space), 10);
    if (space < 0 || !(length > 0)) break;
    const [key, ...value] = body.toString('utf8', space + 1, at + length - 1).split('=');
    if (key === 'path') records.path = value.join('=');
    if (key === 'size') records.size = decimal(value.join('='), label);
    at += length;
  }
  return records;
}

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

function damaged(label: string, problem: string): StudioError {
  return new StudioError('fount.damaged', `Cannot unpack "${label}": ${problem}`, { package: label });
}
