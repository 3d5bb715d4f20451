import { gzipSync } from 'node:zlib';

/** One entry of an archive; the type is a tar type flag, `0` for a file. */
export interface TarEntry {
  readonly path: string;
  readonly content?: string | Buffer;
  readonly type?: string;
  readonly link?: string;
  readonly mode?: number;
}

/** A gzipped tar with exactly these entries, also those that no honest tool would write. */
export function makeTarball(entries: readonly TarEntry[]): Buffer {
  return gzipSync(Buffer.concat([...entries.map(entryBytes), Buffer.alloc(1024)]), { level: 1 });
}

/** A package as npm packs it: `package/` above every file. */
export function makePackage(files: Readonly<Record<string, string>>): Buffer {
  return makeTarball(Object.entries(files).map(([path, content]) => ({ path: `package/${path}`, content })));
}

function entryBytes({ path, content = '', type = '0', link = '', mode = 0o644 }: TarEntry): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}
