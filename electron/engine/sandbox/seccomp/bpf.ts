import { unreachable } from '#shared/errors.ts';
import type { Architecture, Condition, Denial, Rule } from './rules.ts';

/** One instruction of the kernel's classic packet filter (struct sock_filter). */
export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

export const opcodes = {
  load: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  answer: 0x06,
};

const offsets = { number: 0, architecture: 4, arguments: 16 };
const errnos: Readonly<Record<Denial, number>> = { EPERM: 1, EACCES: 13, ENOSYS: 38, EAFNOSUPPORT: 97 };

export const answers = { killProcess: 0x8000_0000, errno: 0x0005_0000, allow: 0x7fff_0000 };

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
export const auditArchitectures: Readonly<Record<Architecture, number>> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
};

/** Calls of the x32 ABI carry this bit, and the numbers below it mean other calls. */
const x32Bit = 0x4000_0000;

/** Calls that are compared one by one at the end of a search. */
const mostCompared = 3;

/** A filter that answers each rule's calls as the rule says, kills foreign ABIs and allows the rest. */
export function buildFilter(architecture: Architecture, rules: readonly Rule[]): Instruction[] {
  const filter = [
    load(offsets.architecture),
    jump(opcodes.jumpIfEqual, auditArchitectures[architecture], 1, 0),
    answer(answers.killProcess),
    load(offsets.number),
  ];
  if (architecture === 'x64') {
    filter.push(jump(opcodes.jumpIfAtLeast, x32Bit, 0, 1), answer(answers.killProcess));
  }
  const numbered = rules.flatMap((rule): Numbered[] => {
    const number = rule.numbers[architecture];
    return number === undefined ? [] : [{ number, body: bodyOf(rule) }];
  });
  return [...filter, ...search(numbered.sort((a, b) => a.number - b.number))];
}

interface Numbered {
  readonly number: number;
  readonly body: readonly Instruction[];
}

/** By halves: the kernel tries a filter with every call there is, twice for each sandbox, before the script starts. */
function search(sorted: readonly Numbered[]): Instruction[] {
  if (sorted.length <= mostCompared) {
    const compared = sorted.flatMap(({ number, body }) => [
      jump(opcodes.jumpIfEqual, number, 0, body.length),
      ...body,
    ]);
    return [...compared, answer(answers.allow)];
  }
  const middle = sorted.length >> 1;
  const below = search(sorted.slice(0, middle));
  return [
    jump(opcodes.jumpIfAtLeast, sorted[middle]!.number, below.length, 0),
    ...below,
    ...search(sorted.slice(middle)),
  ];
}

/** The bytes that bubblewrap's --seccomp expects; both architectures are little-endian. */
export function encodeFilter(filter: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(filter.length * 8);
  for (const [i, { code, ifTrue, ifFalse, value }] of filter.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4);
  }
  return bytes;
}

/** Always ends in an answer: the call number is lost as soon as an argument is loaded. */
function bodyOf({ answer: denial, when }: Rule): Instruction[] {
  const denied = answer(answers.errno | errnos[denial]);
  if (!when) return [denied];
  return [load(offsets.arguments + 8 * when.argument), ...testOf(when, denied)];
}

function testOf(when: Condition, denied: Instruction): Instruction[] {
  const allowed = answer(answers.allow);
  if ('hasAnyBit' in when) return [jump(opcodes.jumpIfAnyBit, when.hasAnyBit, 0, 1), denied, allowed];
  if ('isOneOf' in when) return [...jumpsPast(when.isOneOf), allowed, denied];
  if ('isNoneOf' in when) {
    const masked =
      when.ignoringBits === undefined ? [] : [{ ...load(~when.ignoringBits >>> 0), code: opcodes.and }];
    return [...masked, ...jumpsPast(when.isNoneOf), denied, allowed];
  }
  return unreachable(when);
}

/** Skips the answer that follows when the loaded argument is one of the values. */
function jumpsPast(values: readonly number[]): Instruction[] {
  return values.map((value, i) => jump(opcodes.jumpIfEqual, value, values.length - i, 0));
}

function load(value: number): Instruction {
  return { code: opcodes.load, ifTrue: 0, ifFalse: 0, value };
}

function answer(value: number): Instruction {
  return { code: opcodes.answer, ifTrue: 0, ifFalse: 0, value: value >>> 0 };
}

function jump(code: number, value: number, ifTrue: number, ifFalse: number): Instruction {
  // A jump is one byte: what does not fit would go somewhere else.
  if (ifTrue > 255 || ifFalse > 255) throw new Error('A jump of the filter is too far');
  return { code, ifTrue, ifFalse, value: value >>> 0 };
}
