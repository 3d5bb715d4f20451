import { maxObjectBytes } from './limits.ts';

/** Makes an object of another one: pieces copied from it, and pieces given. Throws where the pieces do not fit. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const size = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) return value;
    }
  };
  const [baseSize, resultSize] = [size(), size()];
  if (baseSize !== base.length || resultSize > maxObjectBytes) throw new RangeError('Delta does not fit');
  const parts: Buffer[] = [];
  while (at < delta.length) {
    const byte = delta[at++]!;
    if (byte & 0x80) {
      const [offset, length] = [number(4, byte), number(3, byte >> 4)];
      parts.push(base.subarray(offset, offset + (length || 0x10000)));
    } else {
      parts.push(delta.subarray(at, at + byte));
      at += byte;
    }
  }
  const result = Buffer.concat(parts);
  if (result.length !== resultSize) throw new RangeError('Delta does not fit');
  return result;

  /** Bytes of a number, lowest first, as far as the bits say that they are there. */
  function number(bytes: number, bits: number): number {
    let value = 0;
    for (let byte = 0; byte < bytes; byte++) if (bits & (1 << byte)) value += delta[at++]! * 2 ** (8 * byte);
    return value;
  }
}
