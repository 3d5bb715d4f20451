/** What a keeper sends: text that comes whole, and streams that come as they are. */
export interface FrameHearer {
  /** The keeper is ready; heard once, before anything else. */
  ready(): void;
  /** The first process of the sandbox, as the host numbers it; heard before the script is started. */
  first(pid: number): void;
  printed(stream: 'stdout' | 'stderr', bytes: Buffer): void;
  /** What init sent: that it is there, and what the script left. */
  sent(bytes: Buffer): void;
  /** Nothing of the sandbox is left; without a code where bubblewrap told none. */
  ended(exitCode: number | undefined): void;
}

const headerLength = 5;

/** Takes the frames of a keeper apart, wherever the pieces of the stream are cut. */
export class KeeperFrames {
  readonly #hearer: () => FrameHearer;
  /** Of a frame that has not come whole: its header, and what of its text. */
  #header: Buffer = Buffer.alloc(0);
  #kind = '';
  #missing = 0;
  #text = '';

  /** The hearer is asked for with every frame: the next script has another. */
  constructor(hearer: () => FrameHearer) {
    this.#hearer = hearer;
  }

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#kind === '') {
        const piece = bytes.subarray(at, at + headerLength - this.#header.length);
        at += piece.length;
        this.#header = this.#header.length === 0 ? piece : Buffer.concat([this.#header, piece]);
        if (this.#header.length < headerLength) return;
        this.#missing = this.#header.readUInt32LE(0);
        this.#kind = String.fromCharCode(this.#header[4]!);
        this.#header = this.#header.subarray(headerLength);
        this.#text = '';
      }
      const piece = bytes.subarray(at, at + this.#missing);
      at += piece.length;
      this.#missing -= piece.length;
      this.#take(piece);
    }
  }

  #take(piece: Buffer): void {
    const hearer = this.#hearer();
    const kind = this.#kind;
    if (this.#missing === 0) this.#kind = '';
    if (kind === '1') hearer.printed('stdout', piece);
    else if (kind === '2') hearer.printed('stderr', piece);
    else if (kind === 'A') hearer.sent(piece);
    else {
      this.#text += piece.toString('latin1');
      if (this.#missing > 0) return;
      if (kind === 'H') hearer.ready();
      else if (kind === 'P') hearer.first(Number(this.#text));
      else hearer.ended(this.#text === '' ? undefined : Number(this.#text));
    }
  }
}

/** A frame to a keeper: its length, its kind, and parts with their lengths. */
export function encodeFrame(kind: 'S' | 'K', parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + 4 + part.length, 0);
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame.writeUInt32LE(length, 0);
  frame.write(kind, 4, 'latin1');
  let at = headerLength;
  for (const part of parts) {
    at = frame.writeUInt32LE(part.length, at);
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}
