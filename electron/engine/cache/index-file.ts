import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { digestOf } from '../store/digest.ts';
import { contentOf, type CacheLine, type LineSigner } from './cache-line.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK, O_NOFOLLOW = 0, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const maxBytes = 512 * 1024 * 1024;
const sealMark = Buffer.from('{"t":"seal"');

/** What was read since the last time. */
export interface ReadLines {
  /** The file was replaced: what was read before does not count any more. */
  readonly isNew: boolean;
  readonly lines: readonly CacheLine[];
  /** The file was too long to be read, and is now of this name. */
  readonly aside?: string;
}

/**
 * An append-only file of signed lines that several processes read and extend at once. A line is written by one write, and
 * counts for its writer too only in its place among those of others.
 */
export class IndexFile implements Disposable {
  readonly #path: string;
  readonly #signer: LineSigner;
  #fd: number | undefined;
  #identity = '';
  #isWritable = false;
  #offset = 0;
  #leastBytes = 0;
  #unsealed = 0;
  #hasBadLines = false;
  /** What was read so far came from a file that is no longer the one of this name. */
  #isStale = false;

  constructor(path: string, signer: LineSigner) {
    this.#path = path;
    this.#signer = signer;
  }

  /** How long the file is, as far as it was read. */
  get bytes(): number {
    return this.#offset;
  }

  /** How long it was when it was last written anew; nothing in it was useless then. */
  get leastBytes(): number {
    return this.#leastBytes;
  }

  /** There are lines that are not whole or not ours. */
  get hasBadLines(): boolean {
    return this.#hasBadLines;
  }

  /** Lines that were checked one by one because nothing answers for them together. */
  get unsealed(): number {
    return this.#unsealed;
  }

  /** Which file was read so far; it is another one after it was written anew. */
  get identity(): string {
    return this.#identity;
  }

  /** Throws when the file is there and cannot be read. */
  read(): ReadLines {
    let found = statSync(this.#path, { throwIfNoEntry: false });
    const aside = found && found.size > maxBytes ? setAside(this.#path) : undefined;
    if (aside !== undefined) found = undefined;
    if (this.#fd !== undefined && (identityOf(found) !== this.#identity || found!.size < this.#offset)) {
      this.#close();
    }
    if (this.#fd === undefined && found) this.#open(O_RDWR);
    const isNew = this.#isStale;
    this.#isStale = false;
    if (this.#fd === undefined || !found || found.size <= this.#offset) {
      return { isNew, lines: [], ...(aside !== undefined && { aside }) };
    }
    const text = readAll(this.#fd, this.#offset, found.size);
    const end = text.lastIndexOf(0x0a) + 1;
    const lines = this.#parse(text.subarray(0, end), this.#offset === 0);
    this.#offset += end;
    return { isNew, lines };
  }

  /**
   * Throws when the lines could not be written whole; then none of them counts. Says whether they directly follow what was
   * read: then they count as read, else they have to be read after what others wrote.
   */
  append(lines: readonly CacheLine[]): boolean {
    // The newline in front ends a line that another process could not finish.
    const bytes = Buffer.from(lines.map((line) => `\n${this.#signer.sign(line)}\n`).join(''));
    const size = this.#appendBytes(bytes);
    if (this.#isStale || size !== this.#offset + bytes.length) return false;
    this.#offset = size;
    this.#unsealed += lines.length;
    return true;
  }

  /** Writes the lines in place of all that were read. Lines that others append meanwhile stay. Only under the lock. */
  replace(lines: readonly CacheLine[], temporary: string): void {
    const body = lines.map((line) => `${this.#signer.sign(line)}\n`).join('');
    const least = Buffer.byteLength(body);
    const seal = this.#signer.sign({ t: 'seal', bytes: least, digest: digestOf(body), least });
    writeNew(temporary, Buffer.from(`${body}${seal}\n`));
    renameSync(temporary, this.#path);
    const late = this.#fd === undefined ? '' : readAll(this.#fd, this.#offset).toString('utf8');
    this.#close();
    if (late !== '') this.#appendBytes(Buffer.from(`\n${late}\n`));
  }

  /** Lets one digest answer for all lines so far; a file with lines that are not ours cannot be sealed. */
  seal(): void {
    if (this.#hasBadLines || this.#fd === undefined || this.#offset === 0) return;
    const digest = digestOf(readAll(this.#fd, 0, this.#offset));
    this.append([{ t: 'seal', bytes: this.#offset, digest, least: this.#leastBytes }]);
    this.#unsealed = 0;
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  /** Gives the size of the file afterwards. */
  #appendBytes(bytes: Buffer): number {
    for (;;) {
      if (this.#fd === undefined) this.#open(O_RDWR | O_CREAT);
      if (!this.#isWritable) throw new Error('its index may only be read');
      const written = writeSync(this.#fd!, bytes);
      if (written < bytes.length) {
        throw new Error(`only ${written} of ${bytes.length} bytes of its index could be written`);
      }
      // A file that was replaced before this write is read by nobody any more; one replaced later was read to its end.
      const found = statSync(this.#path, { throwIfNoEntry: false });
      if (found && identityOf(found) === this.#identity) return found.size;
      this.#close();
    }
  }

  /** For reading and appending where that is allowed, else for reading: what is stored can still be used then. */
  #open(flags: number): void {
    let fd: number;
    this.#isWritable = true;
    try {
      fd = openSync(this.#path, flags | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isRefused = code === 'EACCES' || code === 'EROFS' || code === 'EPERM';
      if (!isRefused || flags !== O_RDWR) throw error;
      this.#isWritable = false;
      fd = openSync(this.#path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    }
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > maxBytes) {
      closeSync(fd);
      throw new Error(stats.isFile() ? 'its index is too long' : 'its index is no file');
    }
    this.#fd = fd;
    this.#identity = identityOf(stats);
  }

  #close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#offset = 0;
    this.#leastBytes = 0;
    this.#unsealed = 0;
    this.#hasBadLines = false;
    this.#isStale = true;
  }

  #parse(bytes: Buffer, isStart: boolean): CacheLine[] {
    const sealed = isStart ? this.#sealedBytes(bytes) : 0;
    const lines: CacheLine[] = [];
    for (const text of linesOf(bytes.subarray(0, sealed))) lines.push(contentOf(text));
    for (const text of linesOf(bytes.subarray(sealed))) {
      const line = this.#signer.open(text);
      if (line) lines.push(line);
      else this.#hasBadLines = true;
      this.#unsealed++;
    }
    return lines;
  }

  /** How much of the beginning the last seal answers for. */
  #sealedBytes(bytes: Buffer): number {
    const mark = bytes.lastIndexOf(sealMark);
    if (mark < 0) return 0;
    const start = bytes.lastIndexOf(0x0a, mark) + 1;
    const line = this.#signer.open(bytes.toString('utf8', start, bytes.indexOf(0x0a, mark)));
    if (line?.t !== 'seal' || line.bytes > start) return 0;
    if (digestOf(bytes.subarray(0, line.bytes)) !== line.digest) return 0;
    this.#leastBytes = line.least;
    return line.bytes;
  }
}

/** Out of the way, for whoever wants to look at it; gives its new name. */
export function setAside(path: string): string {
  const aside = `${path}.corrupt-${Date.now()}`;
  renameSync(path, aside);
  return aside;
}

function* linesOf(bytes: Buffer): Generator<string> {
  const text = bytes.toString('utf8');
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if (end < 0) return;
    if (end > start) yield text.slice(start, end);
    start = end + 1;
  }
}

/** Names a file for as long as it is not replaced; empty for none. */
export function identityOf(stats: Stats | undefined): string {
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

export function readAll(fd: number, from: number, to = fstatSync(fd).size): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

/**
 * Writes a new file whole. Not through to the disk: a power cut may leave it empty, which costs runs and never gives a wrong
 * answer, while waiting for a busy disk would cost seconds at the end of a command.
 */
function writeNew(path: string, bytes: Buffer): void {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
  } finally {
    closeSync(fd);
  }
}
