import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '#shared/model/event.ts';
import type { RunRequest } from '#shared/model/run.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
const rigs: RunsRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig[Symbol.asyncDispose]()));
});
afterAll(() => testing[Symbol.dispose]());

async function make(
  skills: readonly string[],
  files: Record<string, string> = {},
  head = '',
): Promise<RunsRig> {
  const rig = await RunsRig.make(testing.sandbox, skills.join(''), files, head);
  rigs.push(rig);
  return rig;
}

function line(event: RunEvent): string {
  switch (event.type) {
    case 'skill_wave_start':
      return `wave ${event.wave_index + 1}/${event.total_waves} ${event.skills.join(' ')}`;
    case 'skill_wave_complete':
      return `wave ${event.wave_index + 1} done ${event.succeeded}+${event.failed}`;
    case 'skill_execute_complete':
      return `${event.skill_name} ${event.state}`;
    case 'skill_execute_start':
      return `${event.skill_name} starts with ${event.context_keys_available.join(' ')}`;
    case 'skill_cache_hit':
      return `${event.skill_name} hit`;
    case 'skill_retry':
      return `${event.skill_name} attempt ${event.attempt} of ${event.limit}: ${event.message}`;
    case 'skill_blocked':
      return `${event.skill_name} blocked by ${event.blocked_by ?? event.message}`;
    case 'skill_output':
      return `${event.skill_name} ${event.stream} ${event.chunk.trim()}`;
    case 'run_warning':
      return `warning ${event.message}`;
    case 'run_complete':
      return `run ${event.status} ${event.ran} ${event.cached} ${event.failed} ${event.blocked}`;
    default:
      return event.type;
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** How well one colour can be read on the other, as WCAG counts it. */
function contrast(one: string, other: string): number {
  const [light, dark] = [one, other]
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
        const part = parseInt(colour.slice(at, at + 2), 16) / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    })
    .toSorted((a, b) => b - a);
  return light! / dark!;
}

const failing = (name: string, more = ''): string => bashSkill(name, ['echo sorry >&2', 'exit 3'], more);

describe.skipIf(!isAvailable)('a run', () => {
  test('tells of everything in order, with numbers that leave nothing out', async () => {
    const rig = await make([
      bashSkill('one', ['echo \'{"a": 1}\''], 'produces: [a]'),
      bashSkill('two', ['echo hello'], 'depends_on: [one]', 'requires: [a]'),
    ]);
    const { record, events } = await rig.run({ task: 'do it' });
    expect(events.map(line)).toEqual([
      'run_start',
      'skill_graph_resolved',
      'wave 1/2 one',
      'one starts with ',
      'one stdout {"a": 1}',
      'one ran',
      'wave 1 done 1+0',
      'wave 2/2 two',
      'two starts with a',
      'two stdout hello',
      'two ran',
      'wave 2 done 1+0',
      'run succeeded 2 0 0 0',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(new Set(events.map((event) => event.run_id))).toEqual(new Set([record.runId]));
    expect(record.steps.map(({ outputs, content }) => [outputs, content])).toEqual([
      [{ a: 1 }, '{"a": 1}\n'],
      [{}, 'hello\n'],
    ]);
  });

  test('is the same from its journal as from memory, and its events can be had from any number', async () => {
    const rig = await make([
      bashSkill('one', ['echo x > $SUNWELL_FILES/new.txt']),
      failing('two'),
      bashSkill('three', ['true'], 'depends_on: [two]'),
    ]);
    const { record, events } = await rig.run();
    await rig.restart();
    const runs = rig.runs();
    expect(await runs.show(record.runId)).toEqual(JSON.parse(JSON.stringify(record)));
    const late: RunEvent[] = [];
    for await (const event of runs.events(record.runId, 5)) late.push(event);
    expect(late).toEqual(JSON.parse(JSON.stringify(events.slice(5))));
    for await (const event of runs.events(record.runId, 1_000_000))
      expect(event.type).toBe('snapshot_needed');
    expect(await runs.list({ limit: 10 })).toMatchObject([
      { runId: record.runId, status: 'failed', ran: 1, failed: 1, blocked: 1, artifacts: 1, lensName: 'A' },
    ]);
    expect(await runs.log(record.runId, 'two')).toBe('sorry\n');
  });

  test('keeps the end of what a noisy script prints, in its error, its log, its journal and its export', async () => {
    const loop = 'for ((i = 1; i <= 50000; i++)); do echo "line $i of what nobody reads" >&2; done';
    const rig = await make([bashSkill('noisy', [loop, 'echo "THE REAL REASON" >&2', 'exit 1'])]);
    const { record, events } = await rig.run();
    const ending = 'line 50000 of what nobody reads\nTHE REAL REASON\n';
    const chunks = events.flatMap((event) => (event.type === 'skill_output' ? [event.chunk] : []));
    const printed = chunks.join('');
    const stderr = record.steps[0]?.error?.stderr ?? '';
    expect([stderr.endsWith(ending), stderr.length < 1_100_000, printed.endsWith(ending)]).toEqual([
      true,
      true,
      true,
    ]);
    const gap = printed.split('… more was printed …\n');
    expect(gap.map((text) => text.split('\n').filter((line) => !/^line \d+ of what/.test(line)))).toEqual([
      [expect.stringMatching(/^(li.*)?$/)],
      ['THE REAL REASON', ''],
    ]);
    expect(printed.length).toBeLessThan(330_000);
    await rig.restart();
    expect(await rig.runs().log(record.runId, 'noisy')).toBe(printed);
    const { html } = await rig.runs().exportHtml(record.runId, {});
    expect(html.split('THE REAL REASON')).toHaveLength(3);
  });

  test('works at as many steps at once as it may, and starts each as soon as it can', async () => {
    const rig = await make([
      bashSkill('endless', ['sleep 600']),
      bashSkill('quick', ['true']),
      bashSkill('after-quick', ['true'], 'depends_on: [quick]'),
    ]);
    const isOver = deferred();
    const run = await rig.start(
      { concurrency: 2 },
      { onEvent: (event) => void (line(event) === 'after-quick ran' && isOver.resolve()) },
    );
    await isOver.promise;
    await run.cancel('endless');
    expect(statesOf(await run.done)).toEqual({ endless: 'cancelled', quick: 'ran', 'after-quick': 'ran' });
    expect(await rig.runs().list({ limit: 1 })).toMatchObject([
      { status: 'failed', failed: 0, cancelled: 1 },
    ]);
  });

  test('works at one step at a time where it may do no more', async () => {
    const rig = await make([
      bashSkill('one', ['true']),
      bashSkill('two', ['true']),
      bashSkill('three', ['true'], 'depends_on: [one]'),
    ]);
    const lines = (await rig.run({ concurrency: 1 })).events.map(line);
    expect(lines.filter((text) => /starts|ran$/.test(text))).toEqual(
      ['one', 'two', 'three'].flatMap((name) => [`${name} starts with `, `${name} ran`]),
    );
  });

  test('goes on after a failure, blocks what depends on it, and keeps no failed result', async () => {
    const rig = await make([
      failing('bad'),
      bashSkill('then', ['true'], 'depends_on: [bad]'),
      bashSkill('later', ['true'], 'depends_on: [then]'),
      bashSkill('other', ['true']),
    ]);
    const { record, events } = await rig.run();
    expect(statesOf(record)).toEqual({ bad: 'failed', other: 'ran', then: 'blocked', later: 'blocked' });
    expect(record.steps.map(({ blockedBy }) => blockedBy).filter(Boolean)).toEqual(['bad', 'bad']);
    expect(events.map(line)).toContain('later blocked by bad');
    expect(record.predictedVsActual).toEqual([]);
    expect(statesOf((await rig.run()).record)).toMatchObject({ bad: 'failed', other: 'cached' });
  });

  test('ends skills in and behind a circle as blocked, with what the plan says of them', async () => {
    const rig = await make([
      bashSkill('a', ['true'], 'depends_on: [b]'),
      bashSkill('b', ['true'], 'depends_on: [a]'),
      bashSkill('behind', ['true'], 'depends_on: [b, other]'),
      bashSkill('other', ['true']),
    ]);
    const plan = await rig.plan();
    const { record, events } = await rig.run();
    expect(statesOf(record)).toEqual({ other: 'ran', a: 'blocked', b: 'blocked', behind: 'blocked' });
    const said = plan.decisions.flatMap(({ skill, decision, reasons }) =>
      decision === 'blocked' ? [`${skill} blocked by ${reasons.map((one) => one.sentence).join('; ')}`] : [],
    );
    expect(said).toHaveLength(3);
    expect(events.map(line)).toEqual(
      expect.arrayContaining([...said, 'wave 1/1 other', 'run failed 1 0 0 3']),
    );
    expect([record.status, record.predictedVsActual]).toEqual(['failed', []]);
    expect(statesOf(await rig.runs().show(record.runId))).toEqual(statesOf(record));
    const alone = (await rig.run({ selection: { only: ['a'] } })).record;
    expect(statesOf(alone)).toMatchObject({ a: 'blocked' });
  });

  test('stops at the first failure where that is asked for', async () => {
    const rig = await make([failing('bad'), bashSkill('next', ['true']), bashSkill('slow', ['sleep 20'])]);
    const { record } = await rig.run({ failFast: true, concurrency: 1 });
    expect([record.status, statesOf(record)]).toEqual([
      'failed',
      { bad: 'failed', next: 'cancelled', slow: 'cancelled' },
    ]);
    const together = (await rig.run({ failFast: true, concurrency: 3 })).record;
    expect(statesOf(together)).toMatchObject({ bad: 'failed', slow: 'cancelled' });
  });

  test.each([
    ['timeout: 1', ['while :; do :; done'], '', 2, 'timeout'],
    ['', ['exit 3'], '', 1, 'script_failure'],
    ['', ['exit 3'], 'skill_retry: { retry_on: [script_failure], backoff_ms: [0] }\n', 3, 'script_failure'],
    ['', ['kill -SEGV $$'], 'skill_retry: { backoff_ms: [0] }\n', 2, 'crash'],
    [
      '',
      ['ln -s /etc/passwd $SUNWELL_FILES/a'],
      'skill_retry: { retry_on: [security_violation] }\n',
      1,
      'security_violation',
    ],
  ])(
    'a skill with %j and script %j is tried as often as its lens says',
    async (more, lines, head, attempts, cause) => {
      const policy = cause === 'timeout' ? 'skill_retry: { max_attempts: 2, backoff_ms: [0] }\n' : head;
      const rig = await make([bashSkill('bad', lines, more)], {}, policy);
      const { record, events } = await rig.run();
      const [step] = record.steps;
      expect([step?.state, step?.attempts, step?.error?.details?.['cause']]).toEqual([
        'failed',
        attempts,
        cause,
      ]);
      expect(events.filter(({ type }) => type === 'skill_retry')).toHaveLength(attempts - 1);
    },
  );

  test('a result that its judges refuse is kept, not passed on, and not made again', async () => {
    const validators =
      'validators: { deterministic: [{ name: polite, contains: please, severity: error }] }\n';
    const judged = 'validate_with: { validators: [polite] }';
    const rig = await make(
      [bashSkill('rude', ['echo now'], judged), bashSkill('then', ['true'], 'depends_on: [rude]')],
      {},
      validators,
    );
    const { record } = await rig.run();
    expect([record.status, statesOf(record)]).toEqual(['failed', { rude: 'judged-failed', then: 'blocked' }]);
    expect(record.steps[0]).toMatchObject({
      content: 'now\n',
      verdicts: [{ judge: 'polite', outcome: 'fail' }],
      error: { phase: 'validate', skillName: 'rude' },
    });
    const again = (await rig.run()).record;
    expect(again.steps[0]).toMatchObject({
      decision: 'rejudge',
      state: 'judged-failed',
      cached: true,
      attempts: 0,
    });
    expect(again.predictedVsActual).toEqual([]);
    await rig.edit('a.lens', 'contains: please', 'contains: now');
    expect(statesOf((await rig.run()).record)).toEqual({ rude: 'cached', then: 'ran' });
  });

  test('what needs a result that its judges refuse is left open by the plan, and so is all behind it', async () => {
    const judged = 'validate_with: { validators: [polite] }';
    const rig = await make(
      [
        bashSkill('say', ['echo now'], judged),
        bashSkill('use', ['true'], 'depends_on: [say]'),
        bashSkill('tell', ['true'], 'depends_on: [use]'),
      ],
      {},
      'validators: { deterministic: [{ name: polite, contains: please, severity: error }] }\n',
    );
    await rig.run();
    const told = async (request: RunRequest = {}): Promise<string[][]> =>
      (await rig.plan(request)).decisions.map(({ skill, decision, reasons }) => [
        skill,
        decision,
        ...reasons.map(({ sentence }) => sentence),
      ]);
    const plan = [
      ['say', 'rejudge', 'its result did not pass polite'],
      ['use', 'undecided', 'decided after say'],
      ['tell', 'undecided', 'decided after use'],
    ];
    expect([await told(), await told({ force: ['use'] })]).toEqual([plan, plan]);
    const { record } = await rig.run();
    expect([statesOf(record), record.predictedVsActual]).toEqual([
      { say: 'judged-failed', use: 'blocked', tell: 'blocked' },
      [],
    ]);
    await rig.runs().override(record.runId, { skill: 'say', judge: 'polite', outcome: 'pass', note: 'fine' });
    expect((await told()).map(([skill, decision]) => [skill, decision])).toEqual([
      ['say', 'skip'],
      ['use', 'run'],
      ['tell', 'run'],
    ]);
  });

  test('an input whose default is null is given', async () => {
    const script = bashSkill('one', ['cat'], 'requires: [nul]', 'produces: []');
    const rig = await make([script], {}, 'inputs: { nul: { default: null } }\n');
    const { record } = await rig.run();
    expect([record.status, JSON.parse(record.steps[0]!.content!)]).toEqual([
      'succeeded',
      expect.objectContaining({ inputs: { nul: null } }) as object,
    ]);
  });

  test('can do without cache and without judges', async () => {
    const rig = await make([bashSkill('one', ['date +%N'])]);
    await rig.run();
    const { record } = await rig.run({ noCache: true });
    expect(record.steps[0]).toMatchObject({ state: 'ran', decision: 'run' });
    expect(rig.cache.list()).toHaveLength(1);
  });

  test('a workspace that changes between plan and run is a difference that is told', async () => {
    const rig = await make(
      [bashSkill('reads', ['cat a.txt'], 'files: [a.txt]'), bashSkill('fails', ['exit 1'], 'files: [b.txt]')],
      { 'a.txt': 'one', 'b.txt': 'b' },
    );
    await rig.run();
    const started = await rig.start(
      { concurrency: 1 },
      {
        onEvent: ({ type }) => void (type === 'run_start' && rig.writeNow('a.txt', 'two')),
      },
    );
    const record = await started.done;
    expect(record.predictedVsActual).toEqual([
      {
        skill: 'reads',
        predicted: 'skip',
        actual: 'run',
        sentence: 'The plan said "skip" for "reads", and the run decided "run"',
      },
    ]);
    expect(record.warnings).toEqual(record.predictedVsActual.map(({ sentence }) => sentence));
    expect(record.steps.find(({ skill }) => skill === 'reads')).toMatchObject({
      content: 'two',
      state: 'ran',
    });
    await rig.write('a.txt', 'one');
    expect((await rig.plan()).decisions.find(({ skill }) => skill === 'reads')).toMatchObject({
      decision: 'skip',
    });
  });

  test('a cache entry that is damaged between plan and step is a difference that is told', async () => {
    const rig = await make([
      bashSkill('one', ['echo x > $SUNWELL_FILES/x.txt', 'echo \'{"a": 1}\''], 'produces: [a]'),
      failing('two', 'depends_on: [one]'),
    ]);
    await rig.run();
    const { record } = await rig.run(
      {},
      {
        onEvent: ({ type }) => void (type === 'run_start' && rig.damageCache()),
      },
    );
    expect(record.predictedVsActual).toMatchObject([{ skill: 'one', predicted: 'skip', actual: 'run' }]);
    expect(record.steps[0]).toMatchObject({ state: 'ran', outputs: { a: 1 } });
  });

  test('refuses an unknown skill, and a run that is not there', async () => {
    const rig = await make([bashSkill('one', ['true'])]);
    await expect(rig.start({ selection: { only: ['two'] } })).rejects.toMatchObject({
      code: 'graph.unknown-skill',
    });
    await expect(rig.runs().show('0mb1xkq7r-0000000000' as never)).rejects.toMatchObject({
      code: 'run.unknown',
    });
    await expect(rig.runs().show('../../../../etc' as never)).rejects.toMatchObject({ code: 'run.unknown' });
  });
});

describe.skipIf(!isAvailable)('cancel()', () => {
  /** A process of the sandbox that shows this word among its arguments. */
  async function processesWith(word: string): Promise<string[]> {
    const found: string[] = [];
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const arguments_ = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      if (arguments_.includes(word)) found.push(pid);
    }
    return found;
  }

  test('of a run ends every process of it within two seconds', async () => {
    const word = `wait-${process.pid}-${Date.now()}`;
    const lines = [`(setsid bash -c 'echo up; exec -a ${word} sleep 600' &)`, `exec -a ${word} sleep 600`];
    const rig = await make([
      bashSkill('one', lines),
      bashSkill('two', lines),
      bashSkill('three', ['true'], 'depends_on: [one]'),
    ]);
    const { promise, resolve } = deferred();
    let up = 0;
    const run = await rig.start(
      { concurrency: 2 },
      {
        onEvent: (event) => void (event.type === 'skill_output' && ++up === 2 && resolve()),
      },
    );
    await promise;
    expect((await processesWith(word)).length).toBeGreaterThan(0);
    const runs = rig.runs();
    const notOver = `run "${run.runId}": it is not over yet; wait for its end, or end it where it runs`;
    await expect(runs.resume(run.runId)).rejects.toThrow(`Cannot carry on ${notOver}`);
    await expect(runs.review(run.runId)).rejects.toThrow(`Cannot show or write the files of ${notOver}`);
    const began = performance.now();
    const record = await run.cancel();
    expect(performance.now() - began).toBeLessThan(2000);
    expect(await processesWith(word)).toEqual([]);
    expect(statesOf(record)).toMatchObject({ one: 'cancelled', two: 'cancelled' });
    expect(await run.done).toMatchObject({ status: 'cancelled', predictedVsActual: [] });
    expect(statesOf(await run.done)).toEqual({ one: 'cancelled', two: 'cancelled', three: 'cancelled' });
  });

  test('of one step leaves the others, and blocks what depends on it', async () => {
    const rig = await make([
      bashSkill('one', ['echo up', 'sleep 600']),
      bashSkill('two', ['true']),
      bashSkill('three', ['true'], 'depends_on: [one]'),
    ]);
    const { promise, resolve } = deferred();
    const run = await rig.start({}, { onEvent: ({ type }) => void (type === 'skill_output' && resolve()) });
    await promise;
    await run.cancel('one');
    const record = await run.done;
    expect([record.status, statesOf(record)]).toEqual([
      'failed',
      { one: 'cancelled', two: 'ran', three: 'blocked' },
    ]);
    await expect(rig.runs().cancel(record.runId)).resolves.toMatchObject({ status: 'failed' });
  });

  test('by a signal before anything ran starts nothing', async () => {
    const rig = await make([bashSkill('one', ['true'])]);
    await expect(rig.start({}, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(`${rig.home}/runs`)).toBe(false);
  });
});

describe.skipIf(!isAvailable)('what a run proposes', () => {
  const proposing = [
    bashSkill('write', [
      'mkdir $SUNWELL_FILES/docs',
      'printf "a\\nB\\nc\\n" > $SUNWELL_FILES/docs/a.md',
      'echo new > $SUNWELL_FILES/new.txt',
    ]),
    bashSkill('remove', ['echo \'{"deleted": ["old.txt"]}\' > $SUNWELL_OUTPUT']),
  ];
  const files = { 'docs/a.md': 'a\nb\nc\n', 'old.txt': 'old\n' };

  test('is shown beside what is there, applied whole or in part, and remembered', async () => {
    const rig = await make(proposing, files);
    const { runId } = (await rig.run()).record;
    const runs = rig.runs();
    const common = { isText: true, isApplied: false, hasConflict: false };
    const contentHash = expect.any(String) as string;
    expect(await runs.review(runId)).toEqual([
      {
        path: 'docs/a.md',
        operation: 'modify',
        skill: 'write',
        before: files['docs/a.md'],
        after: 'a\nB\nc\n',
        contentHash,
        bytes: 6,
        ...common,
      },
      {
        path: 'new.txt',
        operation: 'create',
        skill: 'write',
        before: null,
        after: 'new\n',
        contentHash,
        bytes: 4,
        ...common,
      },
      { path: 'old.txt', operation: 'delete', skill: 'remove', before: 'old\n', after: null, ...common },
    ]);
    await runs.apply(runId, [{ path: 'docs/a.md', text: 'a\nB and b\nc\n' }, { path: 'old.txt' }]);
    expect(await rig.read('docs/a.md')).toBe('a\nB and b\nc\n');
    await rig.restart();
    const later = await rig.runs().review(runId);
    expect(
      later.map(({ path, operation, isApplied, hasConflict }) => [path, operation, isApplied, hasConflict]),
    ).toEqual([
      ['docs/a.md', 'modify', true, false],
      ['new.txt', 'create', false, false],
      ['old.txt', 'none', true, false],
    ]);
    expect((await rig.runs().show(runId)).artifactsApplied).toEqual(['docs/a.md', 'old.txt']);
    await rig.runs().apply(runId, [{ path: 'docs/a.md' }]);
    expect(await rig.read('docs/a.md')).toBe('a\nB\nc\n');
  });

  test('comes from the cache as well, and is refused where a file changed since the run started', async () => {
    const rig = await make(proposing, files);
    await rig.run();
    const { record } = await rig.run();
    expect(statesOf(record)).toEqual({ write: 'cached', remove: 'cached' });
    const runs = rig.runs();
    expect(await runs.review(record.runId)).toHaveLength(3);
    await rig.write('docs/a.md', 'mine\n');
    expect((await runs.review(record.runId))[0]).toMatchObject({ hasConflict: true, before: 'mine\n' });
    await expect(
      runs.apply(record.runId, [{ path: 'docs/a.md' }, { path: 'new.txt' }]),
    ).rejects.toMatchObject({
      code: 'artifact.changed',
    });
    expect(existsSync(`${rig.root}/new.txt`)).toBe(false);
    await expect(runs.apply(record.runId, [{ path: 'other.txt' }])).rejects.toMatchObject({
      code: 'artifact.unknown',
    });
  });

  test('is shown where one of the files cannot be compared, and that one is told with the reason', async () => {
    const rig = await make(proposing, { 'docs/a.md/in-the-way': '', 'old.txt': 'old\n' });
    const { runId } = (await rig.run()).record;
    const review = await rig.runs().review(runId);
    expect(review.map(({ path, operation, problem, after }) => [path, operation, problem, after])).toEqual([
      ['docs/a.md', 'unknown', 'Cannot write "docs/a.md": "docs/a.md" is not a regular file', 'a\nB\nc\n'],
      ['new.txt', 'create', undefined, 'new\n'],
      ['old.txt', 'delete', undefined, null],
    ]);
    await rig.runs().apply(runId, [{ path: 'new.txt' }]);
    expect(await rig.read('new.txt')).toBe('new\n');
  });

  test('by two steps for one path: the later one counts, and both are named', async () => {
    const rig = await make([
      bashSkill('one', ['echo 1 > $SUNWELL_FILES/x.txt']),
      bashSkill('two', ['echo 2 > $SUNWELL_FILES/x.txt'], 'depends_on: [one]'),
    ]);
    const { record } = await rig.run();
    expect(record.warnings).toEqual(['"one" and "two" both propose "x.txt": what "two" proposes counts']);
    expect(await rig.runs().review(record.runId)).toMatchObject([{ skill: 'two', after: '2\n' }]);
  });
});

describe.skipIf(!isAvailable)('runs side by side', () => {
  test('compare() says what went in, what was decided and what came out', async () => {
    const rig = await make(
      [bashSkill('one', ['cat a.txt'], 'files: [a.txt]', 'produces: [text]'), failing('two')],
      {
        'a.txt': 'old',
      },
    );
    const a = (await rig.run()).record;
    await rig.write('a.txt', 'new');
    await rig.edit('a.lens', 'exit 3', 'exit 4');
    const b = (await rig.run()).record;
    const { steps } = await rig.runs().compare(a.runId, b.runId);
    expect(
      steps.map(({ skill, differences }) => [
        skill,
        differences.map(({ what, subject, sentence }) => sentence ?? `${what} ${subject}`),
      ]),
    ).toEqual([
      ['one', ['file a.txt changed', 'output content', 'output text']],
      [
        'two',
        [
          'what goes into it changed: its scripts, instructions, inputs or files; which of them is known only of results that are kept',
          'error execute',
        ],
      ],
    ]);
  });

  test('compare() names a decision without the skill again', async () => {
    const rig = await make([bashSkill('one', ['true'])]);
    const [a, b] = [(await rig.run()).record, (await rig.run()).record];
    const { steps, ...runs } = await rig.runs().compare(a.runId, b.runId);
    expect(steps[0]?.differences).toEqual([{ what: 'decision', subject: '', before: 'run', after: 'skip' }]);
    expect([runs.a.cancelled, runs.b.cached]).toEqual([0, 1]);
  });

  test('exportHtml() tells no age that is wrong once it is read, and has colours that can be read at night', async () => {
    const rig = await make([failing('one')]);
    await rig.run();
    const { runId } = (await rig.run()).record;
    const { html } = await rig.runs().exportHtml(runId, {});
    expect(html).toContain('failed in a run just before this one');
    expect(html).toContain('0 ran, 0 cached, 1 failed, 0 blocked, 0 cancelled');
    const colours = [...html.matchAll(/light-dark\(#(\w{6}), #(\w{6})\)/g)];
    const tooFaint = colours.flatMap(([, light, dark]) => [
      ...(contrast(light!, 'ffffff') < 4.5 ? [light] : []),
      ...(contrast(dark!, '121212') < 4.5 ? [dark] : []),
    ]);
    expect([colours.length, tooFaint, /[^-]color: #/.test(html)]).toEqual([4, [], false]);
  });

  test('exportHtml() is one page without scripts and secrets', async () => {
    const secret = 'correct-horse-battery';
    const rig = await make([
      bashSkill('one', [
        `echo '<script>alert(1)</script> ${secret} ghp_${'a1B2'.repeat(9)}'`,
        'echo log >&2',
      ]),
      failing('two'),
    ]);
    const { runId } = (await rig.run({ task: 'Say "<b>"' })).record;
    const { name, html } = await rig.runs().exportHtml(runId, { MY_TOKEN: secret });
    expect(name).toBe(`run-${runId}.html`);
    expect(html).not.toMatch(/<script|<b>|correct-horse|ghp_a1B2|https?:/);
    expect(html).toContain('Content-Security-Policy');
    expect(html).toContain('Say &quot;&lt;b&gt;&quot;');
    expect(html).toContain('ended with exit code 3');
    expect(html).toContain('log\n');
  });
});
