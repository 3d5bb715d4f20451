import { describe, expect, it } from 'vitest';
import { GraphOverlay } from './graph-overlay.svelte.ts';

describe('GraphOverlay', () => {
  it('knows the last word on each skill and counts the changes', () => {
    const overlay = new GraphOverlay();
    expect([overlay.get('a'), overlay.version]).toEqual([undefined, 0]);
    overlay.set('a', { decision: 'run', reason: 'script changed' });
    overlay.set('a', { state: 'running' });
    expect([overlay.get('a'), overlay.version]).toEqual([{ state: 'running' }, 2]);
  });

  it('replaceAll() leaves nothing over skills that are not in the new map', () => {
    const overlay = new GraphOverlay();
    overlay.set('a', { decision: 'run' });
    overlay.replaceAll(new Map([['b', { decision: 'skip' }]]));
    expect([overlay.get('a'), overlay.get('b')]).toEqual([undefined, { decision: 'skip' }]);
  });

  it('asks the run for the last value of a key', () => {
    const overlay = new GraphOverlay();
    expect(overlay.lastValue('surface')).toBe(undefined);
    overlay.showValues((key) => `value of ${key}`);
    expect(overlay.lastValue('surface')).toBe('value of surface');
  });
});
