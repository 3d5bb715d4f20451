import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Interpreter } from '../interpreters.ts';
import { limitsFrom, type Limits } from '../limits.ts';
import type { ScriptOutcome } from '../run-script.ts';
import type { ScriptRequest } from '../script-request.ts';
import { prepareSeatbelt } from './launch-seatbelt.ts';
import { openSeatbelt, seatbeltDriver } from './open-seatbelt.ts';

// A `sandbox-exec` that holds nothing back: here the way through the driver is tested, on a Mac its probes test the rest.
describe.runIf(process.platform === 'linux')('seatbelt', () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sunwell-seatbelt-'));
    program = join(folder, 'sandbox-exec');
    writeFileSync(program, `#!/bin/bash\necho "$2" > ${folder}/profile\nshift 2\nexec "$@"\n`);
    chmodSync(program, 0o755);
    mkdirSync(join(folder, 'runs'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const bash: Interpreter = { language: 'bash', path: '/bin/bash' };
  const requestFor = (content: string, more: Partial<ScriptRequest> = {}): ScriptRequest => ({
    script: { name: 'x', language: 'bash', source: { content }, args: ['a b', '$(c)'] },
    input: { task: 'moor' },
    ...more,
  });
  const run = (
    content: string,
    limits: Partial<Limits> = {},
    more?: Partial<ScriptRequest>,
  ): Promise<ScriptOutcome> =>
    seatbeltDriver({ program, folder: join(folder, 'runs') }).run(
      requestFor(content, more),
      bash,
      limitsFrom(limits),
    );

  test('runs a script by the same protocol as on Linux and leaves nothing behind', async () => {
    const outcome = await run(`
cat; echo; echo "$1|$2"; echo oops >&2
printf '{"k":1}' > "$SUNWELL_OUTPUT"; mkdir "$SUNWELL_FILES/docs"; echo page > "$SUNWELL_FILES/docs/a.md"
ln -s /etc/passwd "$SUNWELL_FILES/link"; exit 3`);
    expect(outcome).toMatchObject({
      exitCode: 3,
      stdout: '{"task":"moor"}\na b|$(c)\n',
      stderr: 'oops\n',
      output: '{"k":1}',
      artifacts: [{ path: 'docs/a.md', content: Buffer.from('page\n') }],
      rejected: [{ path: 'link', reason: 'not-a-file' }],
      limitsHit: [],
    });
    expect(readdirSync(join(folder, 'runs'))).toEqual([]);
    expect(readFileSync(join(folder, 'profile'), 'utf8')).toContain('(deny default)');
  });

  test('gives a script nothing of the studio’s environment and descriptors, and its limits', async () => {
    // Into a file: the shell has the end of a pipe open for a moment, and would be seen with it.
    const { stdout } = await run(
      `compgen -e | grep -v '^_$' | sort | tr '\\n' ' '; ulimit -Hn; ulimit -Hc
ls /proc/$$/fd > "$TMPDIR/fds"; tr '\\n' ' ' < "$TMPDIR/fds"`,
    );
    expect(stdout).toBe(
      'HOME LANG PATH PWD SHLVL SUNWELL_FILES SUNWELL_INPUT SUNWELL_OUTPUT TMPDIR 256\n0\n0 1 2 255 ',
    );
  });

  test('ends the group of processes at the deadline, at the memory limit and when cancelled', async () => {
    const late = await run('echo started; sleep 60 & sleep 60', { timeoutMs: 400 });
    expect(late).toMatchObject({ exitCode: undefined, timedOut: true, stdout: 'started\n', artifacts: [] });
    const large = await run(`printf -v held '%50000000s'; sleep 60`, { memoryBytes: 30_000_000 });
    expect(large).toMatchObject({ exitCode: undefined, limitsHit: ['memory'] });
    const cancelled = await run('sleep 60', {}, { signal: AbortSignal.timeout(200) });
    expect(cancelled).toMatchObject({ exitCode: undefined, cancelled: true });
  });

  test('a start that fails is no failed script', async () => {
    const gone = seatbeltDriver({ program: '/nowhere/sandbox-exec', folder: join(folder, 'runs') });
    await expect(gone.run(requestFor('true'), bash, limitsFrom({}))).rejects.toMatchObject({
      code: 'sandbox.unavailable',
    });
    const missing = seatbeltDriver({ program, folder: join(folder, 'runs') });
    const nothing: Interpreter = { language: 'bash', path: '/nowhere/bash' };
    await expect(missing.run(requestFor('true'), nothing, limitsFrom({}))).rejects.toMatchObject({
      code: 'sandbox.unavailable',
    });
  });

  test('prepareSeatbelt() names in the profile what the script sees, and nothing else of the user’s', () => {
    const start = prepareSeatbelt(
      { program, folder: join(folder, 'runs') },
      bash,
      requestFor('true', { workspace: '/private/var/tmp/staged' }),
      limitsFrom({}),
    );
    const profile = start.argv[2]!;
    const named = [...profile.matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path!);
    const own = named.filter(
      (path) => !/^\/(?:usr|bin|dev|System|Library|private\/var\/db)(?:\/|$)/.test(path),
    );
    expect(new Set(own)).toEqual(
      new Set([
        '/private/var/tmp/staged',
        ...['write', 'given/input.json', 'given/script.sh'].map((name) => join(start.scratch, name)),
      ]),
    );
    expect([start.argv[0], start.argv[1], start.cwd]).toEqual([program, '-p', '/private/var/tmp/staged']);
    rmSync(start.scratch, { recursive: true });
  });

  test.runIf(process.geteuid?.() === 0)(
    'is unavailable where a probe cannot be shown to find anything, and runs nothing',
    async () => {
      const identity = { uid: 0, gid: 0, isDropped: false };
      const launchctl = existsSync('/bin/launchctl');
      const { report, driver } = await openSeatbelt(
        { identity, ownFolder: mkdtempSync(join(folder, 'own-')) },
        program,
      );
      expect([report.available, driver, launchctl]).toEqual([false, undefined, false]);
      // No Mac: the probe of its services finds nothing even without a sandbox, so it proves nothing.
      expect(report.problem).toMatch(
        /cannot be tried: without it, these probes do not get out either: filter$/,
      );
    },
  );

  test('is unavailable where the program is missing', async () => {
    const identity = { uid: 1, gid: 1, isDropped: false };
    const { report, driver } = await openSeatbelt({ identity, ownFolder: folder }, '/nowhere/sandbox-exec');
    expect([report.available, driver, report.problem]).toEqual([
      false,
      undefined,
      '"/nowhere/sandbox-exec" is missing or can be changed by other users',
    ]);
  });
});
