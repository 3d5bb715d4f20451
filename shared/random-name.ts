/**
 * A name that nothing else has, of 32 hexadecimal digits. Not a UUID: browsers make one only for pages of this machine, and a
 * studio may be served to another.
 */
export function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
