import { expect, test } from 'vitest';
import { judgingLens } from '#engine/plan/judged-by.ts';
import { ResolveRig } from '#engine/resolve/testing/resolve-rig.ts';
import { Sandbox } from '#engine/sandbox/sandbox.ts';
import { LensJudge } from './lens-judge.ts';

const lens = (validator: string): string =>
  `metadata: { name: A, version: 1.0.0 }\nvalidators:\n  deterministic: [{ name: v, ${validator} }]\n`;

test.skipIf(process.platform !== 'linux').each([
  ['contains: [Hello]', 'passed'],
  ['command: "true"', 'sandbox.unavailable'],
])('LensJudge.judge() by a validator with %s, where no sandbox is: %s', async (validator, outcome) => {
  await using resolving = new ResolveRig();
  const resolution = await resolving.resolve({ 'a.lens': lens(validator) });
  const sandbox = new Sandbox({ bubblewrapPlaces: ['/nowhere/bwrap'] });
  using judge = new LensJudge({ lens: judgingLens(resolution), sandbox });
  const judged = judge.judge('Hello', 'a.md').then(
    ({ overall }) => overall.outcome,
    ({ code }: { code: string }) => code,
  );
  expect(await judged).toBe(outcome);
});
