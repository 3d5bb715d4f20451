import { describe, expect, it } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { AgentSkillsView } from './agent-skills.svelte.ts';
import type { InstallWish } from './skill-transfer.svelte.ts';
import { deferred } from './testing/deferred.ts';

import { FakeEngine } from './testing/fake-engine.ts';
import { foundSkill } from './testing/fake-skills.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const lens = 'a.lens' as FileId;

function rig() {
  const engine = new FakeEngine({ 'a.lens': 'skills:\n  - name: one\n' });
  const clock = new ManualClock();
  const written: string[] = [];
  const view = new AgentSkillsView({
    source: () => ({ client: engine.client, workspace: engine.workspaceId }),
    clock,
    written: ({ kind, folder }, files) => written.push(`${kind} ${files} ${folder}`),
  });
  return { engine, clock, view, transfer: view.transfer, written };
}

describe('AgentSkillsView', () => {
  it('selects the first skill, and keeps a selection that is still there', async () => {
    const { engine, view } = rig();
    await view.ask();
    expect(view.selected).toBe('.claude/skills/pdf/SKILL.md');
    engine.skills.list = { ...engine.skills.list, skills: [foundSkill('a'), foundSkill('pdf')] };
    await view.ask();
    expect(view.selected).toBe('.claude/skills/pdf/SKILL.md');
    engine.skills.list = { ...engine.skills.list, skills: [foundSkill('a')] };
    await view.ask();
    await settled();
    expect([view.selected, view.detail?.file]).toEqual([
      '.claude/skills/a/SKILL.md',
      '.claude/skills/a/SKILL.md',
    ]);
  });

  it('never shows the detail of one skill at another', async () => {
    const { engine, view } = rig();
    const answer = deferred();
    engine.delays.set('agentSkills.show', answer.promise);
    view.select('x');
    engine.delays.clear();
    view.select('y');
    answer.resolve();
    await settled();
    expect(view.detail?.file).toBe('y');
  });

  it('renders the prompt in the chosen style with an estimate of its tokens', async () => {
    const { view } = rig();
    await view.ask();
    view.chooseStyle('inline');
    const text =
      '<available_skills>\n<skill name="pdf" location=".claude/skills/pdf/SKILL.md">Does &lt;pdf&gt;. Use when asked</skill>\n</available_skills>';
    expect(view.prompt).toEqual({ text, tokens: Math.ceil(text.length / 4) });
  });

  it('tries a task once the typing has paused, and on the lens that is chosen', async () => {
    const { engine, clock, view } = rig();
    engine.skills.matches = [{ skill: 'pdf', score: 1, reason: 'name' }];
    view.tryTask('fill');
    view.tryTask('fill a form');
    await clock.advance(200);
    await settled();
    view.tryOn(lens);
    await settled();
    expect([engine.skills.requests, view.matches]).toEqual([
      [
        { workspace: 'w1', task: 'fill a form' },
        { workspace: 'w1', task: 'fill a form', lens },
      ],
      engine.skills.matches,
    ]);
    view.tryTask(' ');
    expect(view.matches).toBeUndefined();
  });

  it('says why no skills can be looked for', async () => {
    const { engine, view } = rig();
    engine.refusals.set('agentSkills.discover', 'workspace.not-open');
    await view.ask();
    expect(view.failure?.code).toBe('workspace.not-open');
  });
});

describe('SkillTransfer', () => {
  const install: InstallWish = {
    kind: 'install',
    origin: { from: 'found', file: 'x' },
    title: 'x',
    agent: 'claude',
    scope: 'user',
  };

  it('writes nothing by opening, changing or closing', async () => {
    const { engine, clock, transfer } = rig();
    transfer.begin(install);
    await settled();
    transfer.change({ scope: 'project' });
    await clock.advance(0);
    await settled();
    expect(transfer.preview?.plan).toBe('plan-2');
    transfer.close();
    expect([transfer.wish, engine.skills.written]).toEqual([undefined, []]);
  });

  it('writes exactly the plan that is shown, then looks for skills again', async () => {
    const { engine, transfer, written } = rig();
    transfer.begin(install);
    await settled();
    await Promise.all([transfer.agree(), transfer.agree()]);
    expect([engine.skills.written, written, transfer.wish]).toEqual([
      ['plan-1'],
      ['install 1 skills'],
      undefined,
    ]);
    expect(engine.calls).toContain('agentSkills.discover');
  });

  it('has no preview to agree to while a changed wish is being planned', async () => {
    const { engine, clock, transfer } = rig();
    transfer.begin(install);
    await settled();
    const answer = deferred();
    engine.delays.set('agentSkills.planInstall', answer.promise);
    transfer.change({ agent: 'cursor' });
    await clock.advance(0);
    await transfer.agree();
    expect([transfer.preview, engine.skills.written]).toEqual([undefined, []]);
    answer.resolve();
    await settled();
    await transfer.agree();
    expect(engine.skills.written).toEqual(['plan-2']);
  });

  it('shows a new preview and says why, where something changed meanwhile', async () => {
    const { engine, transfer, written } = rig();
    transfer.begin({ kind: 'export', lens, skill: '', folder: 'export' });
    await settled();
    engine.refusals.set('agentSkills.write', 'agent-skill.not-mounted');
    await transfer.agree();
    expect([transfer.failure?.code, transfer.preview?.plan, transfer.isWriting, written]).toEqual([
      'agent-skill.not-mounted',
      'plan-2',
      false,
      [],
    ]);
    engine.refusals.clear();
    await transfer.agree();
    expect([engine.skills.written, written]).toEqual([['plan-2'], ['export 1 skills']]);
  });

  it('has no preview where planning was refused, and says why', async () => {
    const { engine, clock, transfer } = rig();
    transfer.begin(install);
    await settled();
    engine.refusals.set('agentSkills.planInstall', 'agent-skill.invalid');
    transfer.change({ agent: 'codex' });
    await clock.advance(0);
    await settled();
    expect([transfer.preview, transfer.failure?.code]).toEqual([undefined, 'agent-skill.invalid']);
  });

  it('hands files over in parts that every host takes, and previews their import', async () => {
    const { engine, transfer } = rig();
    const failure = await transfer.import(
      [
        { path: 'pdf/SKILL.md', content: new Blob(['---']) },
        { path: 'pdf/big.bin', content: new Blob([new Uint8Array(2_000_000)]) },
      ],
      lens,
    );
    await settled();
    const sizes = engine.skills.uploads.map((parts) =>
      parts.map(({ path, base64 }) => [path, atob(base64).length]),
    );
    expect([failure, sizes, transfer.preview?.kind]).toEqual([
      undefined,
      [
        [['pdf/SKILL.md', 3]],
        [['pdf/big.bin', 786_432]],
        [['pdf/big.bin', 786_432]],
        [['pdf/big.bin', 427_136]],
      ],
      'import',
    ]);
    expect(engine.skills.requests).toEqual([
      { workspace: 'w1', file: lens, origin: { from: 'upload', upload: 'u1' } },
    ]);
  });

  it('refuses more than a skill may have before it reads a byte', async () => {
    const { engine, transfer } = rig();
    const content = { size: 15 * 1024 * 1024 } as Blob;
    expect((await transfer.import([{ path: 'a.zip', content }], lens))?.code).toBe('agent-skill.not-mounted');
    expect((await transfer.import([{ path: 'a.zip', content }], undefined))?.code).toBe('file.unknown-kind');
    expect(engine.calls).toEqual([]);
  });
});
