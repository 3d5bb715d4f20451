import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attack } from './attack.ts';
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
      test(`${attack.row}. a script that ${attack.title} is held`, async () => {
        const run = await rig.run(attack);
        expect(run.result.escaped).toEqual([]);
        expect(run.result.attempted, run.outcome.stderr).not.toEqual([]);
        await attack.expect?.(run);
      });
      const control = attack.control;
      if (typeof control === 'object') continue;
      test.runIf(control !== 'as-root' || process.geteuid?.() === 0)(
        `${attack.row}. the same without the sandbox works`,
        async () => {
          const { attempted, escaped } = await rig.runWithout(attack, control === 'as-root');
          attack.expectWithout?.(rig.world);
          rig.world.killSurvivors();
          expect(escaped.length, attempted.join()).toBeGreaterThanOrEqual(
            control === 'same' ? attempted.length : 1,
          );
        },
      );
    }
  });
}
