/** Keeps the last bytes of a stream, in room for twice as many, so that a flood of small pieces costs little each. */
export class LastBytes {
  readonly #keep: number;
  #room: Buffer | undefined;
  #used = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  push(bytes: Uint8Array): void {
    this.#room ??= Buffer.alloc(this.#keep * 2);
    const added = bytes.subarray(-this.#keep);
    if (this.#used + added.length > this.#room.length) {
      this.#room.copyWithin(0, this.#used - this.#keep, this.#used);
      this.#used = this.#keep;
    }
    this.#room.set(added, this.#used);
    this.#used += added.length;
  }

  /** From the beginning of a line where one ends there, else of a character. */
  whole(): Uint8Array {
    const kept = this.#room?.subarray(Math.max(0, this.#used - this.#keep), this.#used) ?? Buffer.alloc(0);
    const line = kept.indexOf(0x0a) + 1;
    if (line > 0 && line < kept.length) return kept.subarray(line);
    const character = kept.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return kept.subarray(Math.max(0, character));
  }
}
