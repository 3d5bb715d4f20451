import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { PlanRig } from './testing/plan-rig.ts';

/** One skill of a random graph: what it depends on, and of which of those it takes the key. */
interface RandomSkill {
  readonly needs: readonly { readonly on: number; readonly takesKey: boolean }[];
  /** How far its output follows its script and inputs: 0 never changes, 1 changes at times. */
  readonly echo: 0 | 1;
}

const sizes = { min: 2, max: 7 };

const graphs = fc.integer(sizes).chain((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, i) =>
      fc.record<RandomSkill>({
        needs: fc.uniqueArray(
          fc.record({ on: fc.integer({ min: 0, max: Math.max(0, i - 1) }), takesKey: fc.boolean() }),
          { maxLength: i === 0 ? 0 : 3, selector: ({ on }) => on },
        ),
        echo: fc.constantFrom(0, 1),
      }),
    ),
  ),
);

/** Which scripts are edited before each later run, by their place. */
const edits = fc.array(fc.array(fc.nat({ max: sizes.max - 1 }), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});

function lensOf(skills: readonly RandomSkill[], versions: readonly number[]): string {
  const entry = ({ needs }: RandomSkill, i: number): string => `
  - name: s${i}
    description: d
    files: []
    depends_on: [${needs.map(({ on }) => `s${on}`).join(', ')}]
    requires: [${needs.flatMap(({ on, takesKey }) => (takesKey ? [`k${on}`] : [])).join(', ')}]
    produces: [k${i}]
    scripts: [{ name: run.sh, content: "s${i} ${versions[i]}" }]`;
  return `metadata: { name: A, version: 1.0.0 }\nskills:${skills.map(entry).join('')}\n`;
}

test('a run does what its plan says, and what the plan leaves open is skipped exactly when its inputs are old ones', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, edits, async (skills, rounds) => {
      await using rig = new PlanRig();
      const versions = skills.map(() => 0);
      const seen = new Set<string>();
      let changed = new Set(skills.keys());
      for (const round of [[], ...rounds]) {
        for (const edited of round) {
          if (edited >= skills.length) continue;
          versions[edited]!++;
          changed.add(edited);
        }
        await rig.write(lensOf(skills, versions));
        const plan = new Map((await rig.plan()).decisions.map(({ skill, decision }) => [skill, decision]));
        const outputs = new Map<number, string>();
        const produce = ({ name }: ResolvedSkill, inputs: Readonly<Record<string, unknown>>) => {
          const i = Number(name.slice(1));
          return { [`k${i}`]: outputOf(skills[i]!, versions[i]!, inputs) };
        };
        const done = await rig.run(produce);
        const stale = staleOf(skills, changed);
        for (const [i, skill] of skills.entries()) {
          const inputs = skill.needs.map(({ on }) => outputs.get(on)!);
          const key = JSON.stringify([i, versions[i], inputs]);
          const given = skill.needs.flatMap(({ on, takesKey }) =>
            takesKey ? [[`k${on}`, outputs.get(on)]] : [],
          );
          outputs.set(i, outputOf(skill, versions[i]!, Object.fromEntries(given) as Record<string, unknown>));
          const actual = done[`s${i}`];
          // The oracle: a skill is skipped exactly when it ran before with this script and these inputs.
          expect([i, actual]).toEqual([i, seen.has(key) ? 'skip' : 'run']);
          seen.add(key);
          const predicted = plan.get(`s${i}`);
          if (predicted !== 'undecided') expect([i, predicted]).toEqual([i, actual]);
          if (!stale.has(i)) expect([i, predicted]).toEqual([i, 'skip']);
        }
        changed = new Set();
      }
    }),
    { numRuns: 40 },
  );
});

/** Small numbers, so that outputs often come out the same, also as they were long ago. */
function outputOf({ echo }: RandomSkill, version: number, inputs: Readonly<Record<string, unknown>>): string {
  const sum = Object.values(inputs).reduce<number>((total, value) => total + Number(value), version);
  return String(echo * (Math.floor(sum / 2) % 3));
}

/** The changed skills and all that depend on them. */
function staleOf(skills: readonly RandomSkill[], changed: ReadonlySet<number>): Set<number> {
  const stale = new Set(changed);
  skills.forEach(({ needs }, i) => {
    if (needs.some(({ on }) => stale.has(on))) stale.add(i);
  });
  return stale;
}
