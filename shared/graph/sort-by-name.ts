import { byName, type SkillGraph } from './skill-graph.ts';

const characterBits = 8;
/** Stands for every character from here on: what follows it in a name cannot be packed. */
const wideCharacter = 2 ** characterBits - 1;
const fewSkills = 16;

/**
 * Sorts skills in place by name, then id. Packs the next characters of each name and its place into one
 * number and sorts those natively: comparing the names themselves takes half as long as building the graph.
 */
export function sortByName(graph: SkillGraph, skills: Int32Array): void {
  const compare = byName(graph);
  const pending: Range[] = [{ start: 0, end: skills.length, depth: 0 }];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const part = skills.subarray(range.start, range.end);
    if (part.length < fewSkills) insertionSort(part, compare);
    else if (range.depth < 0) part.sort(compare);
    else sortByPrefix(graph.names, part, range, pending);
  }
}

/** Skills whose names agree before `depth`; below zero when the rest can only be found by comparing. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** Sorts by the characters after the common prefix, and leaves what those cannot tell apart as pending. */
function sortByPrefix(names: readonly string[], part: Int32Array, range: Range, pending: Range[]): void {
  const depth = commonPrefix(names, part, range.depth);
  const placeBits = 32 - Math.clz32(part.length - 1);
  const places = 2 ** placeBits;
  const packed = Math.min(5, Math.floor((52 - placeBits) / characterBits));
  const before = part.slice();
  const keys = new Float64Array(part.length);
  for (let i = 0; i < before.length; i++) keys[i] = pack(names[before[i]!]!, depth, packed) * places + i;
  keys.sort();

  let runStart = 0;
  let runKey = -1;
  for (let i = 0; i <= part.length; i++) {
    const key = i < part.length ? Math.floor(keys[i]! / places) : -1;
    if (i < part.length) part[i] = before[keys[i]! - key * places]!;
    if (key === runKey) continue;
    if (i - runStart > 1) {
      const last = runKey % 2 ** characterBits;
      const isOpen = last !== 0 && last !== wideCharacter;
      pending.push({
        start: range.start + runStart,
        end: range.start + i,
        depth: isOpen ? depth + packed : -1,
      });
    }
    runStart = i;
    runKey = key;
  }
}

/** The next characters as one number: the end of the name is 0, and a wide character repeats to the end. */
function pack(name: string, depth: number, count: number): number {
  let key = 0;
  let isWide = false;
  for (let k = depth; k < depth + count; k++) {
    const code = k < name.length ? name.charCodeAt(k) + 1 : 0;
    isWide ||= code >= wideCharacter;
    key = key * 2 ** characterBits + (isWide ? wideCharacter : code);
  }
  return key;
}

function commonPrefix(names: readonly string[], part: Int32Array, depth: number): number {
  const first = names[part[0]!]!;
  let end = first.length;
  for (let i = 1; i < part.length && end > depth; i++) {
    const name = names[part[i]!]!;
    let k = depth;
    while (k < end && name.charCodeAt(k) === first.charCodeAt(k)) k++;
    end = k;
  }
  return end;
}

function insertionSort(part: Int32Array, compare: (a: number, b: number) => number): void {
  for (let i = 1; i < part.length; i++) {
    const skill = part[i]!;
    let j = i;
    for (; j > 0 && compare(part[j - 1]!, skill) > 0; j--) part[j] = part[j - 1]!;
    part[j] = skill;
  }
}
