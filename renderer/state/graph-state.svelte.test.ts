import { describe, expect, it } from 'vitest';
import { drawGraph } from './graph-drawing.ts';
import { answerLayout } from './graph-layout.ts';
import type { LayoutAnswer, LayoutRequest } from './graph-layout.ts';
import { GraphState } from './graph-state.svelte.ts';
import { resolvedGraph, testFile } from './testing/resolved-graph.ts';

const drawing = drawGraph(
  resolvedGraph([
    { name: 'a' },
    { name: 'b', dependsOn: ['a'] },
    { name: 'c', dependsOn: ['b'] },
    { name: 'd', dependsOn: ['a'] },
  ]),
);
const newState = (): GraphState =>
  new GraphState({ file: testFile, drawing: () => drawing, lens: () => undefined });
const layOut = (request: LayoutRequest): Promise<LayoutAnswer> => Promise.resolve(answerLayout(request));
const shown = (state: GraphState): string[] => state.scene!.items.map(({ key }) => key).sort();

describe('GraphState', () => {
  it('drops a layout that a newer question has overtaken', async () => {
    const state = newState();
    const answers: (() => void)[] = [];
    const slow = (request: LayoutRequest): Promise<LayoutAnswer> =>
      new Promise((resolve) => answers.push(() => resolve(answerLayout(request))));
    const whole = state.scene!;
    const first = state.arrange(whole, slow);
    state.focusOn({ kind: 'lineage', key: 'b', depth: 1 });
    const part = state.scene!;
    const second = state.arrange(part, slow);
    answers.reverse().forEach((answer) => answer());
    await Promise.all([first, second]);
    expect(state.placed?.scene).toBe(part);
  });

  it('asks once for the same scene', async () => {
    const state = newState();
    let asked = 0;
    const counting = (request: LayoutRequest): Promise<LayoutAnswer> => {
      asked++;
      return layOut(request);
    };
    const { scene } = state;
    await Promise.all([state.arrange(scene!, counting), state.arrange(scene!, counting)]);
    expect([asked, state.placed?.scene === scene]).toEqual([1, true]);
  });

  it('shows only a lineage or the ways between two skills, and all again', () => {
    const state = newState();
    state.focusOn({ kind: 'lineage', key: 'b', depth: Infinity });
    expect(shown(state)).toEqual(['a', 'b', 'c']);
    state.focusOn({ kind: 'path', from: 'c', to: 'a' });
    expect([shown(state), state.path?.shortest]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    state.focusOn({ kind: 'path', from: 'c', to: 'd' });
    expect([shown(state), state.path]).toEqual([['a', 'b', 'c', 'd'], undefined]);
    state.focusOn(undefined);
    expect(shown(state)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('finds nothing until something is looked for', () => {
    const state = newState();
    expect(state.found).toEqual([]);
    state.find('b');
    expect([...state.foundKeys]).toEqual(['b']);
    state.find(undefined);
    expect(state.found).toEqual([]);
  });
});
