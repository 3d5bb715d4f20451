import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { ResolveRig } from '../resolve/testing/resolve-rig.ts';
import { GrantStore } from '../trust/grant-store.ts';
import { TrustDesk } from './trust-desk.ts';

test('TrustDesk gives a fetched skill full trust only in a later session than its first grant', async () => {
  const rig = new ResolveRig();
  onTestFinished(() => rig[Symbol.asyncDispose]());
  const lens = `metadata: { name: A, version: 1.0.0 }
skills:
  - { name: moor, description: d, trust: full, scripts: [{ name: x.sh, language: bash, content: 'true' }] }
`;
  const root = await rig.world.makeWorkspace({ 'a.lens': lens });
  const { skills } = await rig.resolveIn(root, 'a.lens');
  const skill: ResolvedSkill = { ...skills[0]!, kind: 'fount' };
  const home = await rig.world.makeFolder();
  const session = () => new TrustDesk(new GrantStore(home));
  const trustFully = async (desk: TrustDesk) => {
    const { hash, name } = await desk.card(skill);
    return (await desk.grant(skill, { hash, level: 'full', confirmation: name })).level;
  };

  const first = session();
  await expect(trustFully(first)).rejects.toMatchObject({ code: 'trust.fetched-this-session' });
  const { hash } = await first.card(skill);
  expect((await first.grant(skill, { hash, level: 'sandboxed' })).level).toBe('sandboxed');
  await expect(trustFully(first)).rejects.toMatchObject({ code: 'trust.fetched-this-session' });
  expect(await trustFully(session())).toBe('full');
});
