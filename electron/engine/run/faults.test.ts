import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { installKey } from '../store/install-key.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, RunsRig, statesOf } from './testing/runs-rig.ts';

type Call = (...values: unknown[]) => unknown;

/** Lets calls below one folder fail, from one number on or only at it. */
const faults = vi.hoisted(() => ({
  below: undefined as string | undefined,
  calls: 0,
  failAt: 0,
  isLasting: false,
  code: 'ENOSPC',
  files: new Set<unknown>(),
  writing: [
    'mkdirSync',
    'writeSync',
    'writeFileSync',
    'fsyncSync',
    'fdatasyncSync',
    'fdatasync',
    'appendFileSync',
    'renameSync',
    'linkSync',
    'ftruncateSync',
  ],
  /** Counts a call that concerns the folder, and throws where it is this one's turn to fail. */
  meet(what: string, subject: unknown): void {
    if (this.below === undefined) return;
    const isMeant = typeof subject === 'string' ? subject.startsWith(this.below) : this.files.has(subject);
    if (!isMeant) return;
    this.calls++;
    const isHit =
      this.failAt > 0 && (this.isLasting ? this.calls >= this.failAt : this.calls === this.failAt);
    if (isHit) throw Object.assign(new Error(`${this.code}: ${what}`), { code: this.code, syscall: what });
  },
}));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<Record<string, Call>>();
  const wrapped: Record<string, Call> = {};
  for (const name of faults.writing) {
    wrapped[name] = (...values) => {
      faults.meet(name, values[0]);
      return real[name]!(...values);
    };
  }
  wrapped['openSync'] = (...values) => {
    faults.meet('openSync', values[0]);
    const fd = real['openSync']!(...values);
    if (faults.below !== undefined && String(values[0]).startsWith(faults.below)) faults.files.add(fd);
    return fd;
  };
  wrapped['closeSync'] = (fd) => {
    faults.files.delete(fd);
    return real['closeSync']!(fd);
  };
  return { ...real, ...wrapped };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<Record<string, (...values: unknown[]) => Promise<object>>>();
  const wrapped: Record<string, Call> = {};
  for (const name of ['mkdir', 'appendFile', 'writeFile', 'rename']) {
    wrapped[name] = async (...values) => {
      faults.meet(name, values[0]);
      return real[name]!(...values);
    };
  }
  wrapped['open'] = async (...values) => {
    faults.meet('open', values[0]);
    const handle = await real['open']!(...values);
    const methods = new Set(['appendFile', 'writeFile', 'write', 'datasync', 'sync', 'close']);
    return new Proxy(handle, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          // A close that fails has closed the file all the same.
          if (key === 'close') await (value as Call).apply(target, given);
          if (methods.has(String(key))) faults.meet(String(key), values[0]);
          return key === 'close' ? undefined : (value as Call).apply(target, given);
        };
      },
    });
  };
  return { ...real, ...wrapped };
});

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
afterEach(() => void (faults.below = undefined));
afterAll(() => testing[Symbol.dispose]());

const skills =
  bashSkill('one', ['echo x > $SUNWELL_FILES/x.txt', 'echo \'{"a": 1}\''], 'produces: [a]') +
  bashSkill('two', ['cat'], 'depends_on: [one]', 'requires: [a]');

/** Runs with this fault, then without any, and requires that both give the right result. */
async function runWith(fault: { failAt: number; isLasting: boolean; code: string }): Promise<number> {
  await using rig = await RunsRig.make(testing.sandbox, skills);
  // A key that could not be kept lasts as long as the process, and so would its warning.
  installKey(rig.home);
  Object.assign(faults, { below: rig.home, calls: 0, ...fault });
  const { record } = await rig.run();
  expect(statesOf(record), JSON.stringify(fault)).toEqual({ one: 'ran', two: 'ran' });
  expect(record.steps.map(({ outputs }) => outputs)).toEqual([{ a: 1 }, {}]);
  const told = record.warnings.map((warning) => (/history/.test(warning) ? 'history' : 'cache'));
  expect(new Set(told).size, record.warnings.join('\n')).toBe(told.length);
  const [proposed] = await rig.runs().review(record.runId);
  expect(proposed).toMatchObject({ path: 'x.txt', after: 'x\n' });
  const { calls } = faults;
  if (fault.isLasting) expect(told.sort()).toEqual(['cache', 'history']);
  faults.below = undefined;
  await rig.restart();
  expect((await rig.runs().list({ limit: 10 })).every(({ status }) => status !== 'failed')).toBe(true);
  const again = (await rig.run()).record;
  expect([again.status, again.warnings, again.predictedVsActual]).toEqual(['succeeded', [], []]);
  expect(again.steps.map(({ outputs }) => outputs)).toEqual([{ a: 1 }, {}]);
  expect((await rig.cache.verify()).damaged).toEqual([]);
  return calls;
}

const codes = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE'];

describe.skipIf(!isAvailable)('a user’s folder that cannot be written', () => {
  test.each(codes)('%s from the start: the run succeeds, and says once what is not kept', async (code) => {
    await runWith({ failAt: 1, isLasting: true, code });
  });

  test('any single write that fails: the run succeeds, and the next one too', async () => {
    const calls = await runWith({ failAt: 0, isLasting: false, code: 'ENOSPC' });
    expect(calls).toBeGreaterThan(15);
    for (let failAt = 1; failAt <= calls; failAt++) {
      await runWith({ failAt, isLasting: false, code: codes[failAt % codes.length]! });
    }
  }, 300_000);
});
