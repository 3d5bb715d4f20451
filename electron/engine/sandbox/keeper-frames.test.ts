import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeeperFrames, type FrameHearer } from './keeper-frames.ts';

type Heard = readonly [string, string | number | undefined];

const content = fc.uint8Array({ maxLength: 300 });
const frames = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('1', '2', 'A'), bytes: content }),
    fc.record({
      kind: fc.constantFrom('P', 'E'),
      bytes: fc.nat(99_999).map((n) => Buffer.from(String(n))),
    }),
    fc.record({ kind: fc.constantFrom('H', 'E'), bytes: fc.constant(Buffer.alloc(0)) }),
  ),
  { maxLength: 12 },
);

function encoded(all: readonly { kind: string; bytes: Uint8Array }[]): Buffer {
  return Buffer.concat(
    all.flatMap(({ kind, bytes }) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, Buffer.from(kind), bytes];
    }),
  );
}

/** What is heard, with neighbouring pieces of one stream joined. */
function heardOf(pieces: readonly Buffer[]): Heard[] {
  const heard: [string, string | number | undefined][] = [];
  const add = (kind: string, bytes: Buffer) => {
    const last = heard.at(-1);
    const text = bytes.toString('hex');
    if (last?.[0] === kind) last[1] = `${last[1]}${text}`;
    else if (text !== '') heard.push([kind, text]);
  };
  const hearer: FrameHearer = {
    ready: () => heard.push(['H', undefined]),
    first: (pid) => heard.push(['P', pid]),
    ended: (code) => heard.push(['E', code]),
    sent: (bytes) => add('A', bytes),
    printed: (stream, bytes) => add(stream, bytes),
  };
  const parser = new KeeperFrames(() => hearer);
  for (const piece of pieces) parser.push(piece);
  return heard;
}

test('KeeperFrames hears the same wherever the stream is cut', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat(4000)), (all, cuts) => {
      const stream = encoded(all);
      const places = [
        0,
        ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b),
        stream.length,
      ];
      const pieces = places.slice(1).map((end, i) => stream.subarray(places[i], end));
      const expected: [string, string | number | undefined][] = [];
      for (const { kind, bytes } of all) {
        const text = Buffer.from(bytes).toString('hex');
        const name = kind === '1' ? 'stdout' : kind === '2' ? 'stderr' : kind;
        const last = expected.at(-1);
        if ('HPE'.includes(kind))
          expected.push([kind, bytes.length === 0 ? undefined : Number(Buffer.from(bytes).toString())]);
        else if (last?.[0] === name) last[1] = `${last[1]}${text}`;
        else if (text !== '') expected.push([name, text]);
      }
      expect(heardOf(pieces)).toEqual(expected);
    }),
  );
});
