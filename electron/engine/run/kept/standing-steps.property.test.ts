import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { workspaceKey } from '../workspace-key.ts';
import { StandingRig, type Produce } from './testing/standing-rig.ts';

const isAvailable = await canRunScripts();
const sandbox = new Sandbox();
const world = new DiskWorld();
afterAll(async () => {
  sandbox[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const most = 6;

/** One skill of a random graph, by the numbers of others. */
interface RandomSkill {
  readonly needs: readonly { readonly on: number; readonly takesKey: boolean }[];
  /** Which file is its script: two skills can share one. */
  readonly script: number;
  readonly hasResource: boolean;
  readonly sees: '' | 'docs/*';
  /** How far its output follows its script and inputs: 0 never, 1 at times. */
  readonly echo: 0 | 1;
}

const graphs = fc.integer({ min: 2, max: most }).chain((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, i) =>
      fc.record<RandomSkill>({
        needs: fc.uniqueArray(
          fc.record({ on: fc.integer({ min: 0, max: Math.max(0, i - 1) }), takesKey: fc.boolean() }),
          { maxLength: i === 0 ? 0 : 3, selector: ({ on }) => on },
        ),
        script: fc.oneof(
          { weight: 3, arbitrary: fc.constant(i) },
          { weight: 1, arbitrary: fc.nat(most - 1) },
        ),
        hasResource: fc.boolean(),
        sees: fc.oneof({ weight: 5, arbitrary: fc.constant('' as const) }, fc.constant('docs/*' as const)),
        echo: fc.constantFrom(0, 1),
      }),
    ),
  ),
);

const kinds = [
  ...(['script', 'script', 'script', 'script', 'revert', 'touch', 'resource', 'delete', 'link'] as const),
  ...(['docs', 'lens-text', 'rename', 'dependency', 'circle', 'version', 'trust', 'remove-skill'] as const),
  ...(['clear', 'damage', 'lose', 'failure', 'other-result', 'grants', 'fail-next', 'none'] as const),
];

interface Change {
  readonly kind: (typeof kinds)[number];
  readonly which: number;
}

const rounds = fc.array(
  fc.record({
    changes: fc.array(
      fc.record<Change>({ kind: fc.constantFrom(...kinds), which: fc.nat({ max: most - 1 }) }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
    runs: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A workspace whose files and results change at random. */
class ChangingWorkspace {
  readonly root: string;
  readonly home: string;
  readonly #skills: readonly RandomSkill[];
  readonly #more = new Map<number, string>();
  readonly #names = new Map<number, string>();
  readonly #removed = new Set<number>();
  readonly #dependencies = new Map<number, string>();
  readonly #failing = new Set<string>();
  #version = 0;
  #texts = 0;

  constructor(root: string, home: string, skills: readonly RandomSkill[]) {
    this.root = root;
    this.home = home;
    this.#skills = skills;
    mkdirSync(join(root, 'docs'));
    this.#write('docs/a.md', 'a');
    for (let i = 0; i < most; i++) {
      this.#write(`s${i}.sh`, `echo ${i}\n`);
      this.#write(`r${i}.md`, `${i}`);
    }
    this.#writeLens();
  }

  apply({ kind, which }: Change): void {
    const script = `s${which}.sh`;
    switch (kind) {
      case 'script':
        return this.#write(script, `echo ${which} ${++this.#texts % 4}\n`);
      case 'revert':
        return this.#write(script, `echo ${which}\n`);
      case 'touch':
        if (existsSync(join(this.root, script))) utimesSync(join(this.root, script), 1, ++this.#texts);
        return;
      case 'resource':
        return this.#write(`r${which}.md`, `${++this.#texts % 4}`);
      case 'delete':
        return rmSync(join(this.root, script), { force: true });
      case 'link':
        rmSync(join(this.root, script), { force: true });
        return symlinkSync(`s${(which + 1) % most}.sh`, join(this.root, script));
      case 'docs':
        return this.#write(which % 2 === 0 ? 'docs/a.md' : 'docs/b.md', `${++this.#texts % 3}`);
      case 'lens-text':
        this.#more.set(which, `timeout: ${60 + (++this.#texts % 3)}`);
        return this.#writeLens();
      case 'trust':
        this.#more.set(which, `trust: ${++this.#texts % 2 === 0 ? 'none' : 'sandboxed'}`);
        return this.#writeLens();
      case 'rename':
        this.#names.set(which, `n${++this.#texts % 2}-${which}`);
        return this.#writeLens();
      case 'dependency':
        this.#dependencies.set(which, this.#nameOf(0));
        return this.#writeLens();
      case 'circle':
        this.#dependencies.set(0, this.#nameOf(which));
        return this.#writeLens();
      case 'version':
        this.#version++;
        return this.#writeLens();
      case 'remove-skill':
        this.#removed.add(which);
        return this.#writeLens();
      case 'grants':
        return writeFileSync(
          join(this.home, 'grants.json'),
          `${JSON.stringify({ version: 1, grants: [] })}${' '.repeat(++this.#texts)}`,
        );
      case 'damage':
        return this.#damage(which);
      case 'lose':
        return this.#lose(which);
      case 'fail-next':
        this.#failing.add(this.#nameOf(which));
        return;
      case 'clear':
      case 'failure':
      case 'other-result':
      case 'none':
        return;
    }
  }

  /** What changes in the cache by what other processes do. */
  async applyToCache({ kind, which }: Change): Promise<void> {
    using rig = this.open();
    const entries = rig.cache.list();
    const entry = entries[which % Math.max(1, entries.length)];
    if (!entry) return;
    const place = { workspace: workspaceKey(this.root), skillId: entry.skill, runId: 'other' };
    if (kind === 'clear') await rig.cache.clear({ skill: entry.skill });
    if (kind === 'failure') rig.cache.noteFailure({ ...place, key: entry.key });
    if (kind === 'other-result') {
      const { fingerprint } = rig.cache.show(entry.key) ?? {};
      const hit = rig.cache.find(entry.key);
      if (!fingerprint || !hit) return;
      const outputs = Object.fromEntries(Object.keys(hit.result.outputs).map((key) => [key, 'other']));
      const result = { ...hit.result, outputs };
      rig.cache.put({ ...place, key: entry.key, fingerprint, result, artifacts: new Map(), texts: [] });
    }
  }

  open(): StandingRig {
    return new StandingRig({ root: this.root, home: this.home, sandbox });
  }

  /** Over the same files, with a copy of everything that was kept. */
  async copy(): Promise<StandingRig> {
    const home = await world.makeFolder();
    cpSync(this.home, home, { recursive: true });
    return new StandingRig({ root: this.root, home, sandbox });
  }

  readonly produce: Produce = (node, inputs) => {
    const i = Number(/\d$/.exec(node.name)![0]);
    const text = node.scripts.map(({ content }) => content).join('');
    const sum = Object.values(inputs).reduce<number>((total, value) => total + String(value).length, 0);
    const { echo } = this.#skills[i]!;
    if (this.#failing.delete(node.name)) return undefined;
    return { [`k${i}`]: 'x'.repeat(echo * ((text.length + sum) % 3)) };
  };

  #nameOf(i: number): string {
    return this.#names.get(i) ?? `s${i}`;
  }

  #write(file: string, text: string): void {
    const path = join(this.root, file);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
    writeFileSync(path, text);
  }

  #writeLens(): void {
    const entry = ({ needs, script, hasResource, sees }: RandomSkill, i: number): string => {
      if (this.#removed.has(i)) return '';
      const dependencies = needs.map(({ on }) => this.#nameOf(on));
      const own = this.#dependencies.get(i);
      if (own !== undefined) dependencies.push(own);
      const lines = [
        `- name: ${this.#nameOf(i)}`,
        '  description: d',
        `  files: [${sees === '' ? '' : `"${sees}"`}]`,
        `  depends_on: [${[...new Set(dependencies)].join(', ')}]`,
        `  requires: [${needs.flatMap(({ on, takesKey }) => (takesKey ? [`k${on}`] : [])).join(', ')}]`,
        `  produces: [k${i}]`,
        `  scripts: [{ name: run.sh, language: bash, path: ./s${script}.sh }]`,
        ...(hasResource ? [`  resources: [{ name: r, path: ./r${i}.md }]`] : []),
        ...(this.#more.has(i) ? [`  ${this.#more.get(i)}`] : []),
      ];
      return lines.map((line) => `  ${line}\n`).join('');
    };
    const head = `metadata: { name: A, version: 1.0.${this.#version} }\nskills:\n`;
    this.#write('a.lens', head + this.#skills.map(entry).join(''));
  }

  #blob(which: number): string | undefined {
    const folder = join(this.home, 'cache/v1/blobs');
    if (!existsSync(folder)) return undefined;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .sort();
    return files[which % Math.max(1, files.length)];
  }

  #damage(which: number): void {
    const path = this.#blob(which);
    if (path === undefined) return;
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
  }

  #lose(which: number): void {
    const path = this.#blob(which);
    if (path !== undefined) renameSync(path, join(this.home, `lost-${++this.#texts}`));
  }
}

/** Long enough that what was written before is no longer recent. */
function passTick(): void {
  const before = Date.now();
  while (Date.now() - before < 60) continue;
}

describe.skipIf(!isAvailable)('A plan that passes over what stands', () => {
  test('is the plan from scratch, after any changes of files, lens, trust, results and history', async () => {
    let stood = 0;
    await fc.assert(
      fc.asyncProperty(graphs, rounds, async (skills, all) => {
        const space = new ChangingWorkspace(await world.makeFolder(), await world.makeFolder(), skills);
        for (const { changes, runs } of [{ changes: [], runs: true }, ...all]) {
          for (const change of changes) {
            space.apply(change);
            await space.applyToCache(change);
          }
          passTick();
          // A plan drops the damaged results that it comes upon: the other one must not find that done.
          using other = await space.copy();
          using rig = space.open();
          const resolution = await rig.resolve();
          const prepared = await rig.standing();
          expect(timeless(prepared.planner.plan())).toEqual(timeless(await other.fromScratch()));
          stood += prepared.standing.size;
          if (runs) rig.run(prepared, resolution, space.produce);
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
    // Where nothing ever stands, everything is the same and nothing was shown.
    expect(stood).toBeGreaterThan(20);
  }, 120_000);
});

/** Without the sentences that say how long ago something was. */
function timeless<T extends { readonly decisions: readonly { readonly reasons: readonly object[] }[] }>(
  plan: T,
): T {
  const said = plan.decisions.map((step) => ({
    ...step,
    reasons: step.reasons.map((reason) => ({ ...reason, sentence: '' })),
  }));
  return { ...plan, decisions: said };
}
