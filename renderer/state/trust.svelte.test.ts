import { describe, expect, it } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { trustCard } from './testing/sandbox-answers.ts';
import { TrustView } from './trust.svelte.ts';

const moor = { file: 'harbor.lens' as FileId, skill: 'harbor.lens:moor' };
const sail = { file: 'harbor.lens' as FileId, skill: 'harbor.lens:sail' };

function rig() {
  const engine = new FakeEngine();
  const decided: string[] = [];
  const trust = new TrustView({
    client: () => engine.client,
    workspace: () => engine.workspaceId,
    decided: ({ name, level }) => decided.push(`${name} ${level}`),
  });
  return { engine, trust, decided };
}

describe('TrustView', () => {
  it('grants nothing by opening the card or closing it', async () => {
    const { engine, trust } = rig();
    await trust.read(moor);
    expect(trust.reading).toEqual({ phase: 'open', place: moor, card: engine.card, isGranting: false });
    trust.close();
    expect([trust.reading, engine.calls]).toEqual([{ phase: 'closed' }, ['trust.card']]);
  });

  it('writes the decision down, closes the card and shows the new level', async () => {
    const { engine, trust, decided } = rig();
    await trust.look(moor);
    await trust.read(moor);
    await trust.decide({ level: 'full', confirmation: 'moor' });
    expect([trust.reading, trust.seen(moor)?.card?.level, decided, engine.grants.length]).toEqual([
      { phase: 'closed' },
      'full',
      ['moor full'],
      1,
    ]);
  });

  it('shows a skill anew that changed while it was read, and grants nothing', async () => {
    const { engine, trust, decided } = rig();
    await trust.read(moor);
    engine.card = trustCard({ hash: 'h2' });
    await trust.decide({ level: 'sandboxed' });
    expect([trust.reading, decided, engine.grants]).toMatchObject([
      { phase: 'open', card: { hash: 'h2' }, isGranting: false, failure: { code: 'trust.changed' } },
      [],
      [],
    ]);
  });

  it('keeps the card open and says why a decision was refused', async () => {
    const { engine, trust } = rig();
    await trust.read(moor);
    engine.refusals.set('trust.grant', 'trust.fetched-this-session');
    await trust.decide({ level: 'full', confirmation: 'moor' });
    expect(trust.reading).toMatchObject({
      ...{ phase: 'open', isGranting: false, failure: { code: 'trust.fetched-this-session' } },
    });
  });

  it('takes one decision however often the button is pressed', async () => {
    const { engine, trust } = rig();
    await trust.read(moor);
    await Promise.all([trust.decide({ level: 'sandboxed' }), trust.decide({ level: 'sandboxed' })]);
    expect(engine.grants.length).toBe(1);
  });

  it('does not open a card that was closed before it came', async () => {
    const { engine, trust } = rig();
    const answer = deferred();
    engine.delays.set('trust.card', answer.promise);
    const reading = trust.read(moor);
    trust.close();
    answer.resolve();
    await reading;
    expect(trust.reading).toEqual({ phase: 'closed' });
  });

  it('never shows the answer about one skill at another', async () => {
    const { engine, trust } = rig();
    const answer = deferred();
    engine.delays.set('trust.card', answer.promise);
    const first = trust.look(moor);
    engine.delays.clear();
    engine.card = trustCard({ skill: sail.skill, name: 'sail' });
    await trust.look(sail);
    answer.resolve();
    await first;
    expect([trust.seen(moor), trust.seen(sail)?.card?.name]).toEqual([undefined, 'sail']);
  });

  it('says why a skill that is not on disk cannot be looked at', async () => {
    const { engine, trust } = rig();
    engine.refusals.set('trust.card', 'graph.unknown-skill');
    await trust.look(moor);
    await trust.read(moor);
    expect([trust.seen(moor), trust.reading]).toMatchObject([
      { failure: { code: 'graph.unknown-skill' } },
      { phase: 'refused', failure: { code: 'graph.unknown-skill' } },
    ]);
  });

  it('lists the newest grant first and looks again at a skill whose grant is taken back', async () => {
    const { engine, trust } = rig();
    const grant = { hash: 'h', level: 'sandboxed', files: 1 } as const;
    engine.grants = [
      { ...grant, subject: 'old', at: '2026-01-01' },
      { ...grant, subject: engine.card.subject, at: '2026-02-01' },
    ];
    await trust.look(moor);
    await trust.list();
    const listed = trust.grants?.map(({ subject }) => subject);
    await trust.revoke(engine.card.subject);
    expect([listed, trust.grants?.map(({ subject }) => subject), engine.calls]).toEqual([
      [engine.card.subject, 'old'],
      ['old'],
      ['trust.card', 'trust.list', 'trust.revoke', 'trust.card'],
    ]);
  });

  it('keeps the list when a grant cannot be taken back, and says why', async () => {
    const { engine, trust } = rig();
    engine.grants = [{ subject: 'old', hash: 'h', level: 'full', files: 1, at: '2026-01-01' }];
    await trust.list();
    engine.refusals.set('trust.revoke', 'trust.unwritable');
    await trust.revoke('old');
    expect([trust.grants, trust.grantsFailure?.code]).toEqual([engine.grants, 'trust.unwritable']);
  });
});
