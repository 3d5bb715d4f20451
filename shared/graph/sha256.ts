const roundConstants = new Uint32Array(64);
const initialState = new Uint32Array(8);

/** SHA-256 of the UTF-8 bytes of a text, in lower-case hex. The platforms' own are asynchronous or Node's alone. */
export function sha256(text: string): string {
  // At the first use: where the platform has its own there is none.
  if (roundConstants[0] === 0) fillConstants();
  const bytes = new TextEncoder().encode(text);
  const state = initialState.slice();
  const schedule = new Uint32Array(64);
  const wholeBlocks = bytes.length & ~63;
  const body = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < wholeBlocks; at += 64) mixBlock(state, schedule, body, at);

  const tail = new Uint8Array(bytes.length - wholeBlocks < 56 ? 64 : 128);
  tail.set(bytes.subarray(wholeBlocks));
  tail[bytes.length - wholeBlocks] = 0x80;
  const tailView = new DataView(tail.buffer);
  tailView.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  tailView.setUint32(tail.length - 4, bytes.length << 3);
  for (let at = 0; at < tail.length; at += 64) mixBlock(state, schedule, tailView, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function mixBlock(state: Uint32Array, schedule: Uint32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = block.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15]!;
    const y = schedule[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    schedule[i] = (schedule[i - 16]! + s0 + schedule[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i]! + schedule[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/** The standard's constants: fractional bits of the square and cube roots of the first primes. */
function fillConstants(): void {
  let found = 0;
  for (let candidate = 2; found < 64; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) isPrime &&= candidate % divisor !== 0;
    if (!isPrime) continue;
    if (found < 8) initialState[found] = fraction(candidate ** (1 / 2));
    roundConstants[found++] = fraction(candidate ** (1 / 3));
  }
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}
