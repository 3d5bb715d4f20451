import { describe, expect, it } from 'vitest';
import { SkillIndex } from './skill-index.svelte.ts';
import { FakeEngine } from './testing/fake-engine.ts';

function rig(files: Record<string, string>) {
  const engine = new FakeEngine(files);
  const failures: string[] = [];
  const index = new SkillIndex({
    read: (file) => engine.client.lens.read({ workspace: engine.workspaceId, file }),
    failed: ({ code }) => failures.push(code),
  });
  return { engine, index, failures, refresh: () => index.refresh(engine.snapshot().entries) };
}

describe('SkillIndex', () => {
  it('reads a file again only when it changed, and forgets one that is gone', async () => {
    const { engine, index, refresh } = rig({ 'a.lens': 'skills: [{ name: one }]', 'b.lens': 'skills: []' });
    await refresh();
    engine.files.set('b.lens', 'skills: [{ name: two }]');
    await refresh();
    expect([index.skills, engine.calls.length]).toEqual([
      [
        { file: 'a.lens', name: 'one' },
        { file: 'b.lens', name: 'two' },
      ],
      3,
    ]);
    engine.files.delete('a.lens');
    await refresh();
    expect(index.skills).toEqual([{ file: 'b.lens', name: 'two' }]);
  });

  it('leaves out a file that cannot be read', async () => {
    const { engine, index, refresh, failures } = rig({ 'a.lens': '' });
    engine.refusals.set('lens.read', 'file.not-text');
    await refresh();
    expect([index.skills, failures]).toEqual([[], []]);
  });
});
