import { describe, expect, it } from 'vitest';
import { Studio } from './studio.svelte.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const broken = 'skills:\n  - name: one\n    depends_on: [nowhere]\n';
const fine = 'skills:\n  - name: one\n';

async function start(files: Record<string, string>) {
  const engine = new FakeEngine(files);
  const clock = new ManualClock();
  const studio = new Studio({
    clock,
    connect: () => Promise.resolve({ client: engine.client, closed: new Promise(() => undefined) }),
  });
  await studio.start();
  await settled();
  for (const entry of studio.workspace.entries) studio.tabs.open(entry);
  await settled();
  return { engine, clock, studio };
}

const groups = ({ problems }: Studio): unknown =>
  problems.groups.map(({ file, problems: list }) => [file, list.map(({ message }) => message)]);

describe('Problems', () => {
  it('lists what the open files resolve to, the file in front first', async () => {
    const { studio } = await start({ 'a.lens': broken, 'b.lens': broken, 'c.lens': fine });
    studio.tabs.activate(studio.tabs.all[1]!);
    const message = ['"nowhere" is missing'];
    expect([groups(studio), studio.problems.counts]).toEqual([
      [
        ['b.lens', message],
        ['a.lens', message],
      ],
      { error: 2, warning: 0, info: 0 },
    ]);
  });

  it('hides a severity and keeps counting it', async () => {
    const { studio } = await start({ 'a.lens': broken });
    expect([studio.problems.isShown('info'), studio.problems.isShown('error')]).toEqual([false, true]);
    studio.problems.toggle('error');
    expect([groups(studio), studio.problems.counts.error]).toEqual([[], 1]);
  });

  it('says of a file that is not open what the engine read of it', async () => {
    const { engine, studio } = await start({ 'a.lens': fine });
    const entry = { ...studio.workspace.entries[0]!, file: 'z.lens' as never, problem: 'Not YAML' };
    engine.tell({ type: 'entry-changed', entry });
    engine.tell({ type: 'watch-lost', reason: 'Too many files' });
    await settled();
    expect(groups(studio)).toEqual([
      ['z.lens', ['Not YAML']],
      [undefined, ['Too many files']],
    ]);
  });

  it('goes with what another file changes', async () => {
    const { engine, clock, studio } = await start({ 'a.lens': broken });
    engine.write('a.lens', fine);
    await settled();
    await clock.advance(20);
    expect(groups(studio)).toEqual([]);
  });

  it('openAt() goes to the place of a problem, and nowhere outside the workspace', async () => {
    const { studio } = await start({ 'a.lens': broken, 'b.lens': fine });
    const { place } = studio.problems.all[0]!;
    expect([studio.openAt(place!), studio.tabs.active?.title, studio.tabs.active?.view]).toEqual([
      true,
      'a.lens',
      'yaml',
    ]);
    expect(studio.tabs.active?.wantedPlace).toMatchObject({ line: 1, column: 1 });
    expect(studio.openAt({ ...place!, file: 'sunwell/common/common.skills.yaml' })).toBe(false);
  });
});
