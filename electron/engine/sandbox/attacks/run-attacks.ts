import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attack } from './attack.ts';
import { must } from './must.ts';
import { AttackRig } from './rig.ts';

/** A test for every attack: it was really tried and nothing got out, and without the sandbox it works. */
export function runAttacks(title: string, attacks: readonly Attack[]): void {
  describe.runIf(process.platform === 'linux')(title, () => {
    let rig: AttackRig;
    beforeAll(async () => {
      rig = await AttackRig.open();
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    for (const attack of attacks) {
      const tried: string[] = [];
      test(`${attack.row}. a script that ${attack.title} is held`, async () => {
        const run = await rig.run(attack);
        tried.push(...run.result.attempted);
        expect(run.result.escaped).toEqual([]);
        expect(run.result.attempted, run.outcome.stderr).not.toEqual([]);
        await attack.expect?.(run);
      });
      const { control } = attack;
      if (typeof control === 'object' && 'none' in control) continue;
      const asRoot = typeof control === 'object' && control.as === 'root';
      test.runIf(!asRoot || process.geteuid?.() === 0)(
        `${attack.row}. the same without the sandbox works`,
        async () => {
          await checkControl(rig, attack, tried);
        },
      );
    }
  });
}

/** `tried` is what the run in the sandbox tried: an attack that gave up halfway there was not held. */
async function checkControl(rig: AttackRig, attack: Attack, tried: readonly string[]): Promise<void> {
  const { control } = attack;
  if (control === 'outlives') return must(await rig.outlives(attack), 'it ended when it was asked to');
  const settings = typeof control === 'object' && 'works' in control ? control : undefined;
  const { attempted, escaped, stdout } = await rig.runWithout(attack, settings?.as);
  await attack.expectWithout?.(rig.world, stdout);
  rig.world.killSurvivors();
  if (settings) {
    expect(escaped).toEqual(expect.arrayContaining([...settings.works]));
    if (!settings.onlyWithout) expect(tried).toEqual(expect.arrayContaining([...settings.works]));
  } else if (control === 'same') {
    expect(escaped, attempted.join()).toHaveLength(attempted.length);
    expect(tried).toEqual(expect.arrayContaining([...attempted]));
  } else {
    expect(escaped.filter((name) => tried.includes(name)).length, attempted.join()).toBeGreaterThan(0);
  }
}
