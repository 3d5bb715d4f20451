import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a test archive, honest or not. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** The whole Unix mode with the file's kind; 0 leaves it out, as archives of Windows do. */
  readonly mode?: number;
  readonly isStored?: boolean;
  /** What the archive claims instead of the truth. */
  readonly claims?: { readonly size?: number; readonly crc?: number; readonly flags?: number };
}

/** Writes an archive entry for entry, with whatever lies a test wants. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644, isStored = false, claims = {} } of entries) {
    const bytes = Buffer.from(content as string);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    // Bit 11: the name is UTF-8.
    fields.writeUInt16LE(0x800 | (claims.flags ?? 0), 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(claims.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claims.size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(mode === 0 ? 20 : (3 << 8) | 20, 4);
    fields.copy(central, 6);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    bodies.push(local);
    directory.push(central, Buffer.from(name));
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, index, end]);
}
