// @ts-check

/** @typedef {{ size: number, png: Buffer }} Picture */

const icoSizes = [16, 24, 32, 48, 64, 128, 256];

/** Apple's names of the PNG sizes in an icon file, with the doubled ones for fine screens. */
const icnsTypes = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
]);

/**
 * A Windows icon file of PNG entries.
 * @param {readonly Picture[]} pictures
 * @returns {Buffer}
 */
export function icoFile(pictures) {
  const entries = icoSizes.map((size) => ({ size, png: pngOf(pictures, size) }));
  const header = Buffer.alloc(6 + 16 * entries.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(entries.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of entries.entries()) {
    const at = 6 + 16 * index;
    // One byte per side: 256 is written as 0.
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...entries.map(({ png }) => png)]);
}

/**
 * A macOS icon file of PNG entries.
 * @param {readonly Picture[]} pictures
 * @returns {Buffer}
 */
export function icnsFile(pictures) {
  const chunks = icnsTypes.map(([type, size]) => icnsChunk(type, pngOf(pictures, size)));
  return icnsChunk('icns', Buffer.concat(chunks));
}

/**
 * @param {string} type
 * @param {Buffer} content
 */
function icnsChunk(type, content) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length + head.length, 4);
  return Buffer.concat([head, content]);
}

/**
 * @param {readonly Picture[]} pictures
 * @param {number} size
 */
function pngOf(pictures, size) {
  const picture = pictures.find((candidate) => candidate.size === size);
  if (picture === undefined) throw new Error(`No picture of ${size} pixels`);
  return picture.png;
}
