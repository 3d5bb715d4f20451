import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digestOf } from '../store/digest.ts';
import { lines, PlanRig } from './testing/plan-rig.ts';

let rig: PlanRig;
beforeEach(() => void (rig = new PlanRig()));
afterEach(() => rig[Symbol.asyncDispose]());

const head = 'metadata: { name: A, version: 1.0.0 }\n';

/** read → extract → write, and count beside them. */
const lens = (more: { extract?: string; version?: string; validators?: string } = {}): string => `
metadata: { name: A, version: ${more.version ?? '1.0.0'} }
validators: ${more.validators ?? '[]'}
skills:
  - name: read
    description: d
    produces: [text]
    files: ["docs/*.md"]
    scripts: [{ name: read.sh, content: "cat docs/*" }]
  - name: extract
    description: d
    depends_on: [read]
    requires: [text]
    produces: [api]
    files: []
    scripts:
      - name: extract.py
        content: |
          one
          ${more.extract ?? 'two'}
          three
  - name: write
    description: d
    depends_on: [extract]
    requires: [api]
    files: []
    scripts: [{ name: write.sh, content: "echo" }]
  - name: count
    description: d
    files: ["src/**"]
    scripts: [{ name: count.sh, content: "wc" }]
`;
const files = { 'docs/a.md': 'A\n', 'src/a.py': 'pass\n' };

test('plan() runs what was never run, and skips what was', async () => {
  await rig.write(lens(), files);
  expect(lines(await rig.plan())).toEqual([
    'count run: no kept result yet',
    'read run: no kept result yet',
    'extract run: no kept result yet',
    'write run: no kept result yet',
  ]);
  expect(await rig.run()).toEqual({ count: 'run', read: 'run', extract: 'run', write: 'run' });
  rig.pass(2 * 60 * 60 * 1000);
  const plan = await rig.plan();
  expect(lines(plan)).toEqual([
    'count skip: from run run-1, 2 h ago, took 1.0 s',
    'read skip: from run run-1, 2 h ago, took 1.0 s',
    'extract skip: from run run-1, 2 h ago, took 1.0 s',
    'write skip: from run run-1, 2 h ago, took 1.0 s',
  ]);
  expect(plan).toMatchObject({
    lens: 'a.lens',
    lensName: 'A',
    toExecute: [],
    toSkip: ['count', 'read', 'extract', 'write'],
    skipPercentage: 100,
    estimatedMs: 0,
    savedMs: 4000,
  });
  expect(plan.decisions[1]).toMatchObject({
    id: 'a.lens:read',
    wave: 0,
    from: { runId: 'run-1' },
    savedMs: 1000,
  });
});

test.each([
  ['a key', 'produces: [k]', 'requires: [k]', 'input-changed'],
  ['nothing but its result', '', '', 'upstream-changed'],
])('decide() goes by what %s came out as, whatever the plan expected', async (_, gives, takes, reason) => {
  const skill = (name: string, more: string) =>
    `  - name: ${name}\n    description: d\n    scripts: [{ name: ${name}.sh, content: "echo" }]\n    ${more}\n`;
  await rig.write(`${head}skills:\n${skill('a', gives)}${skill('b', `depends_on: [a]\n    ${takes}`)}`);
  await rig.run();
  const planner = await rig.planner();
  planner.plan();
  const [a, b] = planner.selected as [number, number];
  const { resultDigest, outputDigests: outputs } = planner.decide(a, new Map()).hit!;
  const other = { resultDigest: digestOf('other'), outputs: { k: digestOf('other') } };
  const decided = [{ resultDigest, outputs }, other, { resultDigest, outputs }].map((known) =>
    planner.decide(b, new Map([[a, known]])),
  );
  expect(decided.map(({ decision }) => decision)).toEqual(['skip', 'run', 'skip']);
  expect(decided[1]!.reasons.map(({ id }) => id)).toEqual([reason]);
});

test('plan() names the changed script with its lines, and waits with what depends on it', async () => {
  await rig.write(lens(), files);
  await rig.run();
  await rig.write(lens({ extract: '2' }), files);
  const plan = await rig.plan();
  expect(lines(plan).slice(1)).toEqual([
    'read skip: from run run-1, just now, took 1.0 s',
    'extract run: script extract.py changed (1 line)',
    'write undecided: decided after extract',
  ]);
  expect(plan).toMatchObject({
    toExecute: ['extract', 'write'],
    estimatedMs: 2000,
    savedMs: 2000,
    skipPercentage: 50,
  });
  // The output came out the same: what waits is cut off.
  expect(await rig.run()).toEqual({ count: 'skip', read: 'skip', extract: 'run', write: 'skip' });
});

test('plan() runs a changed script whatever comes before it, and waits with one that was kept once', async () => {
  await rig.write(lens(), files);
  await rig.run();
  const changed = { ...files, 'docs/a.md': 'B\n' };
  await rig.write(lens({ extract: '2' }), changed);
  expect(lines(await rig.plan()).slice(1)).toEqual([
    'read run: file docs/a.md changed (1 line)',
    'extract run: script extract.py changed (1 line)',
    'write undecided: decided after extract',
  ]);
  expect(await rig.run()).toEqual({ count: 'skip', read: 'run', extract: 'run', write: 'skip' });
  // The script as it was has a result, and may find it again.
  await rig.write(lens(), { ...files, 'docs/a.md': 'C\n' });
  expect(lines(await rig.plan()).slice(1)).toEqual([
    'read run: file docs/a.md changed (1 line)',
    'extract undecided: decided after read',
    'write undecided: decided after extract',
  ]);
  expect(await rig.run()).toEqual({ count: 'skip', read: 'run', extract: 'skip', write: 'skip' });
});

test('decide() runs what waits when its input came out different', async () => {
  await rig.write(lens(), files);
  await rig.run();
  await rig.write(lens({ extract: '2' }), files);
  const done = await rig.run(({ name }) => ({ api: name, text: 'other' }));
  expect(done).toEqual({ count: 'skip', read: 'skip', extract: 'run', write: 'run' });
});

test('plan() runs only the skills that see a changed file, and names it', async () => {
  await rig.write(lens(), files);
  await rig.run();
  await rig.write(lens(), { ...files, 'src/a.py': 'pass # 2\n', 'src/b.py': '' });
  expect(lines(await rig.plan()).map((line) => line.split(',')[0])).toEqual([
    'count run: file src/a.py changed (1 line); file src/b.py is new',
    'read skip: from run run-1',
    'extract skip: from run run-1',
    'write skip: from run run-1',
  ]);
});

test('plan() takes no notice of the version of the lens', async () => {
  await rig.write(lens(), files);
  await rig.run();
  await rig.write(lens({ version: '2.0.0' }), files);
  expect((await rig.plan()).skipPercentage).toBe(100);
});

test('plan() takes an empty, false or null output for a result', async () => {
  await rig.write(lens(), files);
  for (const value of ['', false, null, 0, []]) {
    await rig.run(() => ({ text: value, api: value }), { force: true });
    expect((await rig.plan()).toExecute).toEqual([]);
  }
});

test('plan() runs what is forced, and waits with what depends on it', async () => {
  await rig.write(lens(), files);
  await rig.run();
  const decided = async (force: boolean | string[]): Promise<string[]> =>
    lines(await rig.plan({ force })).map((line) => line.split(',')[0]!);
  expect(await decided(['read'])).toEqual([
    'count skip: from run run-1',
    'read run: you asked for it to run',
    'extract undecided: decided after read',
    'write undecided: decided after extract',
  ]);
  expect(await decided(true)).toEqual(
    ['count', 'read', 'extract', 'write'].map((name) => `${name} run: you asked for it to run`),
  );
  await expect(rig.plan({ force: ['gone'] })).rejects.toThrow('Cannot find "gone" in the graph');
});

test('plan() runs everything with the cache off, and always what says "cache: false"', async () => {
  const off = lens().replace('name: count\n', 'name: count\n    cache: false\n');
  await rig.write(off, files);
  await rig.run();
  expect(lines(await rig.plan())[0]).toBe('count run: the skill says "cache: false"');
  expect(lines(await rig.plan({ noCache: true }))[1]).toBe('read run: the cache is off for this run');
});

describe('plan() of a skill that is judged', () => {
  const judged = (validators: string, more = ''): string =>
    lens({ validators }).replace(
      'name: count\n',
      `name: count\n    validate_with: { validators: [brief] ${more}}\n`,
    );

  test('judges again what has a new validator, and runs nothing', async () => {
    await rig.write(judged('[{ name: brief, max_words: 3 }]'), files);
    await rig.run();
    expect((await rig.plan()).toSkip).toHaveLength(4);
    await rig.write(judged('[{ name: brief, max_words: 4 }]'), files);
    const plan = await rig.plan();
    expect(lines(plan)[0]).toBe('count rejudge: brief is new, changed, or gave no verdict on this result');
    expect([plan.toExecute, plan.skipPercentage]).toEqual([[], 100]);
    expect((await rig.plan({ noJudge: true })).decisions[0]?.decision).toBe('skip');
    await rig.run();
    expect((await rig.plan()).decisions[0]?.decision).toBe('skip');
  });

  test('takes no notice of where and in which words a validator stands', async () => {
    await rig.write(judged('[{ name: brief, max_words: 3 }]'), files);
    await rig.run();
    await rig.write(judged('\n  # moved\n  - name: brief\n    max_words: 3\n'), files);
    expect((await rig.plan()).decisions[0]?.decision).toBe('skip');
  });

  test('says which validator a kept result did not pass', async () => {
    await rig.write(judged('[{ name: never-good, contains: x }]').replace('[brief]', '[never-good]'), files);
    await rig.run();
    expect(lines(await rig.plan())[0]).toBe('count rejudge: its result did not pass never-good');
    // Of judges that are asked again, too.
    const both = (max: number): string =>
      judged(`[{ name: never-good, contains: x, severity: error }, { name: brief, max_words: ${max} }]`)
        .replace('[brief]', '[never-good, brief]')
        .replace('name: read\n', 'name: read\n    depends_on: [count]\n');
    await rig.write(both(3), files);
    await rig.run();
    await rig.write(both(4), files);
    expect(lines(await rig.plan()).slice(0, 2)).toEqual([
      'count rejudge: brief is new, changed, or gave no verdict on this result; its result did not pass never-good',
      'read undecided: decided after count',
    ]);
  });
});

test('plan() says that a skill failed, that it changed since, and blocks nothing but what waits', async () => {
  await rig.write(lens(), files);
  const failing = ({ name }: { name: string }): Record<string, string> | undefined =>
    name === 'extract' ? undefined : { text: 'x', api: 'y' };
  expect(await rig.run(failing)).toEqual({ count: 'run', read: 'run', extract: 'failed', write: 'blocked' });
  expect(lines(await rig.plan()).slice(2)).toEqual([
    'extract run: failed in a run just now',
    'write run: no kept result yet',
  ]);
  expect((await rig.plan({ selection: { failed: true } })).decisions.map(({ skill }) => skill)).toEqual([
    'read',
    'extract',
    'write',
  ]);
  await rig.write(lens({ extract: '2' }), files);
  expect(lines(await rig.plan())[2]).toBe('extract run: failed in a run just now, and changed since');
  await rig.run();
  expect((await rig.plan({ selection: { failed: true } })).decisions).toEqual([]);
  await rig.write(lens({ extract: '3' }), files);
  await rig.run(failing);
  expect((await rig.plan({ selection: { failed: true } })).decisions).toHaveLength(3);
  await rig.write(lens({ extract: '2' }), files);
  expect((await rig.plan({ selection: { failed: true } })).decisions).toEqual([]);
});

test('plan() says that a result had to make room', async () => {
  await rig[Symbol.asyncDispose]();
  rig = new PlanRig({ maxAgeMs: 1000 });
  await rig.write(lens(), files);
  await rig.run();
  rig.pass(2000);
  rig.cache.flush();
  expect(lines(await rig.plan())[0]).toBe('count run: its result was dropped from the cache');
});

test('plan() says which input, parameter, task, interpreter, trust and limit changed', async () => {
  const text = `${head}
inputs: { topic: { default: sea }, tone: {} }
skills:
  - name: write
    description: d
    requires: [topic, tone]
    parameters_schema: { properties: { size: {} }, required: [size] }
    scripts: [{ name: a.py, content: x }]
`;
  await rig.write(text);
  const request = { inputs: { tone: 'calm', other: 1 }, params: { size: 1, far: 2 } };
  expect(lines(await rig.plan())).toEqual([
    'write blocked: needs the input "tone": give it a value; ' +
      'needs the parameter "size": give it a value',
  ]);
  await rig.run(undefined, request);
  const reasons = async (changed: object, more: object = {}): Promise<string> =>
    lines(await rig.plan({ ...request, ...changed }, more))[0]!.split(', just')[0]!;
  expect(await reasons({})).toBe('write skip: from run run-1');
  expect(await reasons({ inputs: { tone: 'calm' }, params: { size: 1 } })).toBe('write skip: from run run-1');
  expect(await reasons({ task: '' })).toBe('write skip: from run run-1');
  expect(await reasons({ inputs: { tone: '' } })).toBe('write run: input "tone" changed');
  expect(await reasons({ inputs: { tone: 'calm', topic: 'sky' } })).toBe('write run: input "topic" changed');
  expect(await reasons({ params: { size: 2 } })).toBe('write run: input "size" changed');
  expect(await reasons({ task: 'Go' })).toBe('write run: the task is new');
  expect(await reasons({}, { interpreters: new Map([['python', '3.13.0']]) })).toBe(
    'write run: python is 3.13.0 now, was 3.12.1',
  );
  expect(await reasons({}, { trustOf: () => 'full' })).toBe('write run: trust is full now, was sandboxed');
  expect(await reasons({}, { limits: { memoryBytes: 2 } })).toBe(
    'write run: limit memoryBytes is 2 now, was 1',
  );
});

test('plan() runs what depends on a changed result without taking a key of it', async () => {
  const text = (what: string): string => `${head}
skills:
  - { name: build, description: d, scripts: [{ name: a.sh, content: ${what} }], produces: [built] }
  - { name: test, description: d, depends_on: [build], scripts: [{ name: b.sh, content: x }] }
`;
  await rig.write(text('one'));
  await rig.run(() => ({ built: 1 }));
  await rig.write(text('two'));
  expect(lines(await rig.plan())).toEqual([
    'build run: script a.sh changed (1 line)',
    'test undecided: decided after build',
  ]);
  expect(await rig.run(() => ({ built: 1 }))).toEqual({ build: 'run', test: 'skip' });
  await rig.write(text('three'));
  expect(await rig.run(() => ({ built: 2 }))).toEqual({ build: 'run', test: 'run' });
});

test('plan() blocks what has a problem, says it all, and blocks what waits for it', async () => {
  await rig.write(`${head}
skills:
  - { name: ask, description: d, instructions: Write it }
  - { name: fetch, description: d, scripts: [{ name: a.sh, content: x }], permissions: { network: { allow: [example.com] } } }
  - { name: gone, description: d, scripts: [{ name: a.sh, path: gone.sh }] }
  - { name: lost, description: d, depends_on: [nowhere], scripts: [{ name: a.sh, content: x }] }
  - { name: ring-a, description: d, depends_on: [ring-b], scripts: [{ name: a.sh, content: x }] }
  - { name: ring-b, description: d, depends_on: [ring-a], scripts: [{ name: a.sh, content: x }] }
  - { name: after-ring, description: d, depends_on: [ring-a], scripts: [{ name: a.sh, content: x }] }
  - { name: node, description: d, scripts: [{ name: a.mjs, content: x }] }
  - { name: needy, description: d, requires: [who], scripts: [{ name: a.sh, content: x }] }
  - { name: later, description: d, depends_on: [needy], scripts: [{ name: a.sh, content: y }] }
  - { name: good, description: d, scripts: [{ name: a.sh, content: x }] }
`);
  const plan = await rig.plan();
  expect(lines(plan)).toEqual([
    'ask blocked: needs a model: set one up',
    'fetch blocked: it asks for the network (example.com), and scripts have none',
    'gone blocked: Cannot read "gone.sh": there is no such file',
    'good run: no kept result yet',
    'lost blocked: Skill "lost" depends on "nowhere", which does not exist',
    'needy blocked: needs the input "who": give it a value',
    'node blocked: no safe node was found: "sunwell doctor" says why',
    'later blocked: needs needy, which is blocked',
    'after-ring blocked: it waits for skills that depend on one another in a circle',
    'ring-a blocked: it depends on itself: ring-a → ring-b → ring-a',
    'ring-b blocked: it depends on itself: ring-a → ring-b → ring-a',
  ]);
  expect(
    plan.decisions.find(({ skill }) => skill === 'lost')?.reasons.map(({ id, subject }) => [id, subject]),
  ).toEqual([['problem', 'graph.missing-dependency']]);
  expect([plan.toExecute, plan.toSkip, plan.skipPercentage]).toEqual([['good'], [], 0]);
  const given = await rig.plan({ inputs: { who: 'me' }, selection: { only: ['later'] } });
  expect(lines(given)).toEqual(['needy run: no kept result yet', 'later run: no kept result yet']);
  const distrusted = await rig.plan(
    { selection: { only: ['good'] } },
    { trustOf: () => ({ problem: 'it is not trusted' }) },
  );
  expect(distrusted.decisions[0]?.reasons).toEqual([
    { id: 'problem', subject: 'trust', sentence: 'it is not trusted' },
  ]);
});

describe('plan() blocks every skill of a lens that may have lost judges', () => {
  const skill = 'skills: [{ name: good, description: d, scripts: [{ name: a.sh, content: x }] }]\n';
  const base = `${head}validators: [{ name: short, max_words: 9 }]\nquality_policy: { required_validators: [short] }\n`;
  const broken = { 'base.lens': `${base}personas: [\n`, 'ring.lens': `${head}compose: [./a.lens]\n` };

  test.each([
    ['extends: ./gone.lens', 'Cannot read lens "./gone.lens": there is no such file (a.lens:2)'],
    [
      'compose: [nobody]',
      'Cannot find lens "nobody": no lens of the workspace or the user has that name (a.lens:2)',
    ],
    [
      'extends: /base.lens',
      'Cannot read lens reference "/base.lens": absolute paths are not allowed; write a path relative to the lens (a.lens:2)',
    ],
    [
      'extends: ./ring.lens',
      'Lenses extend one another in a circle: a.lens → ring.lens → a.lens (ring.lens:2)',
    ],
    [
      'extends: ./base.lens',
      'Flow sequence in block collection must be sufficiently indented and end with a ] (base.lens:5)',
    ],
    ['validators: short', 'Cannot read "validators": expected a map, found text (a.lens:2)'],
  ])('%s', async (line, said) => {
    await rig.write(`${head}${line}\n${skill}`, broken);
    const sentence = `its lens may lack judges: ${said}; correct that first`;
    expect((await rig.plan()).decisions.map(({ decision, reasons }) => [decision, reasons])).toEqual([
      ['blocked', [{ id: 'problem', subject: 'lens', sentence }]],
    ]);
    expect(await rig.run()).toEqual({ good: 'blocked' });
  });

  test('whatever is kept, and no longer once the lens is whole again', async () => {
    const text = (parent: string) => `${head}extends: ${parent}\n${skill}`;
    const files = { 'base.lens': base };
    await rig.write(text('./base.lens'), files);
    expect([await rig.run(), await rig.run()]).toEqual([{ good: 'run' }, { good: 'skip' }]);
    await rig.write(text('./gone.lens'), files);
    expect([await rig.run(), await rig.run()]).toEqual([{ good: 'blocked' }, { good: 'blocked' }]);
    await rig.write(text('./base.lens'), files);
    expect(await rig.run()).toEqual({ good: 'skip' });
  });

  test('but not for a warning, or an error that has nothing to do with judges', async () => {
    await rig.write(
      `metadata: { name: A }\nextends: { lens: ./base.lens, version: ^9.0.0 }\nheuristics: [{ name: h }]\n${skill}`,
      { 'base.lens': head },
    );
    expect(lines(await rig.plan())).toEqual(['good run: no kept result yet']);
  });
});

test('plan() does not promise to run two skills that do the same', async () => {
  await rig.write(`${head}
skills:
  - { name: a, description: d, scripts: [{ name: x.sh, content: x }] }
  - { name: b, description: d, scripts: [{ name: x.sh, content: x }] }
  - { name: c, description: d, depends_on: [a], scripts: [{ name: y.sh, content: y }] }
  - { name: d, description: d, depends_on: [a], scripts: [{ name: y.sh, content: y }] }
`);
  expect(lines(await rig.plan())).toEqual([
    'a run: no kept result yet',
    'b undecided: decided after a, which does the same',
    'c undecided: decided after a',
    'd undecided: decided after a',
  ]);
  expect(await rig.run()).toEqual({ a: 'run', b: 'skip', c: 'run', d: 'skip' });
});

test.each([
  [{ only: ['extract'] }, ['read', 'extract']],
  [{ only: ['extract'], alone: true }, ['extract']],
  [{ to: ['extract', 'count'] }, ['count', 'read', 'extract']],
  [{ from: ['extract'] }, ['read', 'extract', 'write']],
  [{ from: ['extract'], to: ['extract'] }, ['read', 'extract']],
  [{ from: ['count'], to: ['write'] }, []],
  [{ stale: true }, ['read', 'extract', 'write']],
  [{ stale: true, only: ['count'] }, []],
  [{}, ['count', 'read', 'extract', 'write']],
])('plan() of selection %j is about %j', async (selection, skills) => {
  await rig.write(lens(), files);
  await rig.run();
  await rig.write(lens({ extract: '2' }), files);
  const plan = await rig.plan({ selection });
  expect(plan.decisions.map(({ skill }) => skill)).toEqual(skills);
});

test('plan() of a skill alone takes what it requires from the request, and nothing from upstream', async () => {
  await rig.write(lens(), files);
  await rig.run();
  const selection = { only: ['extract'], alone: true };
  const [asked, given] = [
    await rig.plan({ selection }),
    await rig.plan({ selection, inputs: { text: 'T' } }),
  ];
  expect([lines(asked), lines(given)]).toEqual([
    ['extract blocked: needs the input "text": give it a value'],
    ['extract run: input "text" changed'],
  ]);
});

test('difference() has both texts of a script, an input and a file', async () => {
  await rig.write(lens(), files);
  await rig.run();
  await rig.write(lens({ extract: '2' }), { ...files, 'src/a.py': 'two\n' });
  const planner = await rig.planner();
  const reasonOf = (skill: string) =>
    planner.plan().decisions.find((step) => step.skill === skill)!.reasons[0]!;
  expect(planner.difference('extract', reasonOf('extract'))).toEqual({
    before: 'one\ntwo\nthree\n',
    after: 'one\n2\nthree\n',
    language: 'python',
  });
  expect(planner.difference('count', reasonOf('count'))).toEqual({
    before: 'pass\n',
    after: 'two\n',
    language: 'python',
  });
  const [read] = [planner.plan().decisions[1]!];
  expect(planner.difference('read', read.reasons[0]!)).toEqual({
    before: null,
    after: null,
    language: 'text',
  });
});
