/** One member of an archive, as the archive says; nothing about it is checked yet. */
export interface TarEntry {
  readonly name: Buffer;
  readonly kind: 'file' | 'folder' | 'other';
  readonly mode: number;
  readonly content: Buffer;
}

const block = 512;

/** The members of an archive in GNU format, in order; throws on anything that is not one, because then nothing in it can be believed. */
export function* readTar(archive: Buffer): Generator<TarEntry> {
  let longName: Buffer | undefined;
  for (let at = 0; ;) {
    const header = archive.subarray(at, at + block);
    if (header.length < block) throw new Error('The archive has no end');
    if (header.every((byte) => byte === 0)) return;
    checkSum(header);
    const size = numberAt(header, 124, 12);
    const content = archive.subarray(at + block, at + block + size);
    if (content.length < size) throw new Error('The archive ends within a member');
    at += block + Math.ceil(size / block) * block;
    const type = String.fromCharCode(header[156]!);
    if (type === 'L') {
      longName = untilNul(content);
    } else if (type !== 'K') {
      yield {
        name: longName ?? untilNul(header.subarray(0, 100)),
        kind: kindOf(type),
        mode: numberAt(header, 100, 8),
        content,
      };
      longName = undefined;
    }
  }
}

function kindOf(type: string): TarEntry['kind'] {
  if (type === '0' || type === '\0') return 'file';
  return type === '5' ? 'folder' : 'other';
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function numberAt(header: Buffer, offset: number, length: number): number {
  const text = untilNul(header.subarray(offset, offset + length))
    .toString('latin1')
    .trim();
  if (!/^[0-7]+$/.test(text)) throw new Error('The archive has a malformed header');
  return parseInt(text, 8);
}

function checkSum(header: Buffer): void {
  let sum = 8 * 0x20;
  for (const [i, byte] of header.entries()) if (i < 148 || i >= 156) sum += byte;
  if (sum !== numberAt(header, 148, 8)) throw new Error('The archive has a damaged header');
}
