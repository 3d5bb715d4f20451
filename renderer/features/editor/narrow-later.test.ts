import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Monaco } from './monaco.ts';
import { narrowLater } from './narrow-later.ts';

afterEach(() => vi.unstubAllGlobals());

/** An editor whose list is open, with frames that are drawn by hand. */
function rig() {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('setTimeout', (run: () => void) => run());
  let narrowed = 0;
  const model = { state: 2, _refilterCompletionItems: () => void narrowed++ };
  const editor = { getContribution: () => ({ model }) } as unknown as Monaco.editor.IStandaloneCodeEditor;
  const element = new EventTarget();
  const stop = narrowLater(editor, element as HTMLElement);
  return {
    ...{ model, stop },
    type: () => model._refilterCompletionItems(),
    draw: () => frames.splice(0).forEach((frame) => frame()),
    press: () => element.dispatchEvent(new Event('keydown')),
    narrowed: () => narrowed,
  };
}

describe('narrowLater()', () => {
  it('narrows the list once, behind the frame of the letter', () => {
    const { type, draw, narrowed } = rig();
    type();
    type();
    const before = narrowed();
    draw();
    expect([before, narrowed()]).toEqual([0, 1]);
  });

  it('narrows before the next key, and not once more in the frame', () => {
    const { type, draw, press, narrowed } = rig();
    type();
    press();
    const atKey = narrowed();
    draw();
    press();
    expect([atKey, narrowed()]).toEqual([1, 1]);
  });

  it('leaves a list alone that was closed meanwhile, and an editor that is gone', () => {
    const { model, type, draw, stop, narrowed } = rig();
    type();
    model.state = 0;
    draw();
    model.state = 2;
    type();
    stop();
    draw();
    expect(narrowed()).toBe(0);
  });
});
