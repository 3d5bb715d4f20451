import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answers, auditArchitectures, buildFilter, encodeFilter, opcodes, type Instruction } from './bpf.ts';
import { filterFor } from './filter.ts';
import { architectures, rules, type Architecture } from './rules.ts';

/** A system call as the kernel shows it to a filter. */
interface Call {
  readonly number: number;
  readonly args?: readonly number[];
  readonly audit?: number;
}

/** Runs a filter as the kernel does. */
function judge(
  filter: readonly Instruction[],
  architecture: Architecture,
  { number, args = [], audit }: Call,
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit ?? auditArchitectures[architecture], 4);
  args.forEach((value, i) => data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * i));
  let loaded = 0;
  for (let at = 0; ; at++) {
    const { code, value, ifTrue, ifFalse } = filter[at]!;
    if (code === opcodes.answer) return value;
    if (code === opcodes.load) loaded = data.readUInt32LE(value);
    else if (code === opcodes.and) loaded = (loaded & value) >>> 0;
    else at += isTrue(code, loaded, value) ? ifTrue : ifFalse;
  }
}

function isTrue(code: number, loaded: number, value: number): boolean {
  if (code === opcodes.jumpIfEqual) return loaded === value;
  if (code === opcodes.jumpIfAtLeast) return loaded >= value;
  return (loaded & value) !== 0;
}

const errno = (number: number) => answers.errno + number;

test.each(architectures)(
  'the filter of %s answers every rule as the table says, and the rest with yes',
  (architecture) => {
    const filter = buildFilter(architecture, rules);
    const errnos = { EPERM: 1, EACCES: 13, ENOSYS: 38, EAFNOSUPPORT: 97 };
    for (const { call, numbers, answer, when } of rules) {
      const number = numbers[architecture];
      if (number === undefined || when) continue;
      expect([call, judge(filter, architecture, { number })]).toEqual([call, errno(errnos[answer])]);
    }
    const listed = new Set(rules.map(({ numbers }) => numbers[architecture]));
    for (let number = 0; number < 470; number++) {
      if (!listed.has(number))
        expect([number, judge(filter, architecture, { number })]).toEqual([number, answers.allow]);
    }
  },
);

const x64 = (number: number, ...args: number[]) => judge(buildFilter('x64', rules), 'x64', { number, args });

test.each([
  ['clone for a thread', x64(56, 0x3d0f00), answers.allow],
  ['clone with a user namespace', x64(56, 0x10000011), errno(1)],
  ['clone with a network namespace', x64(56, 0x40000011), errno(1)],
  ['TIOCSTI', x64(16, 0, 0x5412), errno(1)],
  ['TIOCSTI with high bits', x64(16, 0, 0x1_0000_5412), errno(1)],
  ['TIOCLINUX', x64(16, 0, 0x541c), errno(1)],
  ['TCGETS', x64(16, 0, 0x5401), answers.allow],
  ['chmod 0755', x64(90, 0, 0o755), answers.allow],
  ['chmod 4755', x64(90, 0, 0o4755), errno(1)],
  ['fchmodat 2755', x64(268, 0, 0, 0o2755), errno(1)],
  ['socket INET', x64(41, 2, 1), answers.allow],
  ['socket INET6', x64(41, 10, 1), answers.allow],
  ['socket NETLINK', x64(41, 16, 3), answers.allow],
  ['socket UNIX', x64(41, 1, 1), errno(97)],
  ['socket VSOCK', x64(41, 40, 1), errno(97)],
  ['socketpair of streams', x64(53, 1, 1), answers.allow],
  ['socketpair of streams, close-on-exec', x64(53, 1, 0o2000001), answers.allow],
  ['socketpair of datagrams', x64(53, 1, 2), errno(1)],
  ['x32 getpid', x64(0x4000_0027), answers.killProcess],
])('%s', (_call, found, expected) => {
  expect(found).toBe(expected);
});

test.each(architectures)('the filter of %s kills calls of another ABI', (architecture) => {
  const filter = buildFilter(architecture, rules);
  for (const audit of [0x4000_0003, 0x4000_0028, 0]) {
    expect(judge(filter, architecture, { number: 39, audit })).toBe(answers.killProcess);
  }
});

test('no two rules are about one call: only the first would count', () => {
  expect(new Set(rules.map(({ call }) => call)).size).toBe(rules.length);
});

test('the filter in use is the one that the rules make', () => {
  expect(filterFor('x64')).toEqual(encodeFilter(buildFilter('x64', rules)));
  expect(filterFor('mips')).toBeUndefined();
});

test.runIf(existsSync('/usr/include/x86_64-linux-gnu/asm/unistd_64.h')).each([
  ['x64', '/usr/include/x86_64-linux-gnu/asm/unistd_64.h'],
  ['arm64', '/usr/include/asm-generic/unistd.h'],
] as const)('the numbers of %s are those of the system’s header', (architecture, header) => {
  const text = readFileSync(header, 'utf8');
  const known = new Map(
    [...text.matchAll(/#define\s+__NR(?:3264)?_(\w+)\s+(\d+)/g)].map(([, name, number]) => [
      name!,
      Number(number),
    ]),
  );
  const differing = rules.filter(
    ({ call, numbers }) => known.has(call) && known.get(call) !== numbers[architecture],
  );
  expect(differing).toEqual([]);
});
