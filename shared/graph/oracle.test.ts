import { expect, test } from 'vitest';
import { downstream, upstream } from './closure.ts';
import { shortestCycle } from './cycles.ts';
import { order } from './order.ts';
import { pathBetween } from './path-between.ts';
import { buildGraph, type GraphNode } from './skill-graph.ts';
import { waves } from './waves.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const count = Number(process.env['COUNT'] ?? 1_000_000);
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

test(
  `the graph functions agree with brute force on ${count} random graphs of up to 8 skills`,
  { timeout: 300_000 },
  () => {
    const random = mulberry32(seed);
    for (let round = 0; round < count; round++) {
      const masks = randomMasks(random);
      const problem = disagreement(masks, round);
      if (problem !== undefined) {
        expect.fail(
          `${problem} for dependency masks [${masks.join(', ')}] in round ${round}; repeat with SEED=${seed}`,
        );
      }
    }
  },
);

/** Skill i depends on skill j when bit j of masks[i] is set. Half of the graphs are made free of cycles. */
function randomMasks(random: () => number): number[] {
  const size = 1 + (random() & 7);
  const isAcyclic = (random() & 1) === 1;
  const isSparse = (random() & 1) === 1;
  const masks: number[] = [];
  for (let i = 0; i < size; i++) {
    let mask = random() & (2 ** size - 1);
    if (isSparse) mask &= random();
    if (isSparse && size > 4) mask &= random();
    masks.push(isAcyclic ? mask & (2 ** i - 1) : mask);
  }
  return masks;
}

/** Says where a function differs from what the definition gives, or nothing. */
function disagreement(masks: readonly number[], round: number): string | undefined {
  const size = masks.length;
  // Declaration is rotated and now and then reversed, so that index order and id order differ.
  const position = (skill: number) => ((round & 1 ? size - 1 - skill : skill) + round) % size;
  const nodes = new Array<GraphNode>(size);
  const skillAt = new Int32Array(size);
  for (let skill = 0; skill < size; skill++) {
    const dependsOn: string[] = [];
    for (let other = 0; other < size; other++)
      if (masks[skill]! & (1 << other)) dependsOn.push(letters[other]!);
    nodes[position(skill)] = {
      id: letters[skill]!,
      name: letters[skill]!,
      dependsOn,
      produces: [],
      requires: [],
    };
    skillAt[position(skill)] = skill;
  }
  const graph = buildGraph(nodes);

  const reach = transitiveClosure(masks);
  const expectedWaves = wavesByDefinition(masks, reach);
  const actual = waves(graph);
  let expectedText = '';
  expectedWaves.waves.forEach((mask) => (expectedText += `${lettersOf(mask)}|`));
  expectedText += `/${lettersOf(expectedWaves.unplaced)}`;
  const text = (group: readonly number[]) => group.map((node) => letters[skillAt[node]!]!).join('');
  const actualText = `${actual.waves.map((group) => `${text(group)}|`).join('')}/${text(actual.unplaced)}`;
  if (actualText !== expectedText) return `waves are ${actualText}, not ${expectedText},`;

  let before = 0;
  for (const node of order(graph).order) {
    const skill = skillAt[node]!;
    if (masks[skill]! & ~before) return `order puts ${letters[skill]} before a dependency`;
    before |= 1 << skill;
  }
  if (before !== ((2 ** size - 1) & ~expectedWaves.unplaced)) return 'order drops or adds a skill';

  const cycle = shortestCycle(graph);
  const expectedCycle = firstShortestCycle(masks, reach);
  const cycleLetters = cycle === undefined ? '' : text(cycle);
  if (cycleLetters !== expectedCycle) return `shortest cycle is "${cycleLetters}", not "${expectedCycle}",`;

  for (let skill = 0; skill < size; skill++) {
    const up = maskOf(upstream(graph, [position(skill)]), skillAt);
    if (up !== (reach[skill]! | (1 << skill))) return `upstream of ${letters[skill]} is ${lettersOf(up)}`;
    const down = maskOf(downstream(graph, [position(skill)]), skillAt);
    let expectedDown = 1 << skill;
    for (let other = 0; other < size; other++) if (reach[other]! & (1 << skill)) expectedDown |= 1 << other;
    if (down !== expectedDown) return `downstream of ${letters[skill]} is ${lettersOf(down)}`;
  }

  const from = round % size;
  const to = (round >>> 3) % size;
  const path = pathBetween(graph, position(from), position(to));
  const pathLetters = path === undefined ? '' : text(path);
  const canCome = from === to || (reach[to]! & (1 << from)) !== 0;
  const expectedPath = canCome ? firstShortestPath(reversed(masks), from, to) : '';
  if (pathLetters !== expectedPath) {
    return `path from ${letters[from]} to ${letters[to]} is "${pathLetters}", not "${expectedPath}",`;
  }
  return undefined;
}

/** Bit j of the result's i is set when skill j depends on skill i. */
function reversed(masks: readonly number[]): number[] {
  return masks.map((_, i) =>
    masks.reduce((mask, other, j) => (other & (1 << i) ? mask | (1 << j) : mask), 0),
  );
}

function transitiveClosure(masks: readonly number[]): number[] {
  const reach = [...masks];
  for (let via = 0; via < reach.length; via++) {
    for (let i = 0; i < reach.length; i++) if (reach[i]! & (1 << via)) reach[i]! |= reach[via]!;
  }
  return reach;
}

/** Takes, again and again, every skill all of whose dependencies are taken. */
function wavesByDefinition(
  masks: readonly number[],
  reach: readonly number[],
): { waves: number[]; unplaced: number } {
  let unplaced = 0;
  let cyclic = 0;
  for (let i = 0; i < masks.length; i++) if (reach[i]! & (1 << i)) cyclic |= 1 << i;
  for (let i = 0; i < masks.length; i++) if ((reach[i]! | (1 << i)) & cyclic) unplaced |= 1 << i;
  const found: number[] = [];
  for (let taken = 0; taken !== ((2 ** masks.length - 1) & ~unplaced);) {
    let wave = 0;
    for (let i = 0; i < masks.length; i++) {
      if (!((taken | unplaced) & (1 << i)) && (masks[i]! & ~taken) === 0) wave |= 1 << i;
    }
    found.push(wave);
    taken |= wave;
  }
  return { waves: found, unplaced };
}

/** Grows every walk by one step at a time; the first to come home is shortest, and ids are tried in order. */
function firstShortestCycle(masks: readonly number[], reach: readonly number[]): string {
  if (!reach.some((mask, i) => mask & (1 << i))) return '';
  for (let length = 1; length <= masks.length; length++) {
    for (let start = 0; start < masks.length; start++) {
      const walk = firstWalk(masks, start, start, length);
      if (walk !== '') return walk;
    }
  }
  return '';
}

/** The first of the shortest paths, by trying every length. */
function firstShortestPath(masks: readonly number[], from: number, to: number): string {
  if (from === to) return letters[from]!;
  for (let length = 1; length < masks.length; length++) {
    const walk = firstWalk(masks, from, to, length);
    if (walk !== '') return walk + letters[to]!;
  }
  return '';
}

/** The first walk of exactly this many steps by id, without its end, or ''. */
function firstWalk(masks: readonly number[], from: number, to: number, length: number): string {
  // ahead[k]: the skills from which `to` is exactly k steps away.
  const ahead = [1 << to];
  for (let k = 1; k <= length; k++) {
    let mask = 0;
    for (let i = 0; i < masks.length; i++) if (masks[i]! & ahead[k - 1]!) mask |= 1 << i;
    ahead.push(mask);
  }
  if (!(ahead[length]! & (1 << from))) return '';
  let walk = '';
  for (let k = length, at = from; k > 0; k--) {
    walk += letters[at]!;
    const next = masks[at]! & ahead[k - 1]!;
    at = 31 - Math.clz32(next & -next);
  }
  return walk;
}

function maskOf(nodes: readonly number[], skillAt: Int32Array): number {
  let mask = 0;
  for (const node of nodes) mask |= 1 << skillAt[node]!;
  return mask;
}

function lettersOf(mask: number): string {
  let text = '';
  for (let i = 0; i < letters.length; i++) if (mask & (1 << i)) text += letters[i]!;
  return text;
}

/** A small seeded generator of 32-bit numbers. */
function mulberry32(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}
