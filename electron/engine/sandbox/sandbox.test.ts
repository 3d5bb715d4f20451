import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxIdentity } from './identity.ts';
import { findInterpreter } from './interpreters.ts';
import { probeNames } from './preflight.ts';
import { readDelivery } from './protocol.ts';
import { Sandbox } from './sandbox.ts';
import type { ScriptRequest } from './script-request.ts';
import type { ScriptOutcome } from './run-script.ts';

const sample = join(import.meta.dirname, '../../../resources/sample');

describe.runIf(process.platform === 'linux')('Sandbox', () => {
  let sandbox: Sandbox;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sunwell-sandbox-'));
    await chmod(folder, 0o755);
    sandbox = new Sandbox({ folder: join(folder, 'own') });
  });
  afterAll(async () => {
    sandbox[Symbol.dispose]();
    await rm(folder, { recursive: true, force: true });
  });

  function run(
    script: string,
    changes: Partial<ScriptRequest> & { language?: 'python' | 'bash' | 'node' } = {},
  ): Promise<ScriptOutcome> {
    const { language = 'bash', ...rest } = changes;
    return sandbox.run({ script: { name: 'x', language, source: { content: script } }, input: {}, ...rest });
  }

  test('holds all twelve probes on this machine and never runs as root', async () => {
    const report = await sandbox.report();
    expect(report).toMatchObject({ available: true, backend: 'bubblewrap' });
    expect(report.probes).toEqual(probeNames.map((name) => ({ name, ok: true })));
    expect(report.uid).not.toBe(0);
  });

  test.each(['nothing', 'a home of an agent'])('leaves no folder of its own, with %s in it', async (what) => {
    const place = join(folder, `left-${what.length}`);
    const other = new Sandbox({ folder: place });
    const live = join(place, 'live');
    expect(readdirSync(live)).toHaveLength(1);
    if (what !== 'nothing') {
      writeFileSync(join(other.agentHomes(), 'left'), 'x');
      await other.prepare();
    }
    other[Symbol.dispose]();
    expect(readdirSync(live)).toEqual([]);
  });

  test('tells the doctor about interpreters and what is not contained', async () => {
    const report = await sandbox.doctor();
    for (const language of ['python', 'node', 'bash'] as const)
      expect(report[language].version).toMatch(/^\d+\.\d+/);
    expect(report.sandbox.notContained.length).toBeGreaterThan(0);
    expect(report.sandbox.argv).toContain('--disable-userns');
  });

  test.each([
    ['python', 'import json, sys; print(json.load(sys.stdin)["task"])'],
    ['node', 'import { readFileSync } from "node:fs"; console.log(JSON.parse(readFileSync(0, "utf8")).task)'],
    ['bash', `sed 's/.*"task":"\\([^"]*\\)".*/\\1/' "$SUNWELL_INPUT"`],
  ] as const)('runs %s with its input', async (language, script) => {
    const outcome = await run(script, { language, input: { task: 'häfen' } });
    expect(outcome).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^häfen\n?$/) as string,
      stderr: '',
    });
  });

  test('runs the scripts of the sample lens on a staged view', async () => {
    const snapshot = await sandbox.snapshot(sample);
    const { folder: workspace } = await snapshot.view(['docs/*.md']);
    const script = readFileSync(join(sample, 'scripts/list-docs.py'), 'utf8');
    const outcome = await run(script, { language: 'python', workspace });
    snapshot[Symbol.dispose]();
    expect(readDelivery(['doc_list'], outcome)).toMatchObject({
      delivered: { outputs: { doc_list: ['docs/berths.md', 'docs/index.md', 'docs/sessions.md'] } },
    });
  });

  test('shows a skill its own files and runs one of them', async () => {
    const skill = sandbox.stageSkill([
      {
        path: 'scripts/main.sh',
        content: Buffer.from('cat "$(dirname "$0")/../data/words.txt"; ls -la /skill >&2'),
      },
      { path: 'data/words.txt', content: Buffer.from('words') },
    ]);
    const source = { pathInSkill: 'scripts/main.sh' };
    const outcome = await sandbox.run({
      script: { name: 'main.sh', language: 'bash', source },
      input: {},
      skill,
    });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'words' });
  });

  test.each(['../x', '/etc/x', 'a//b', 'a/./b', ''])('82. refuses to stage a skill file at %j', (path) => {
    expect(() => sandbox.stageSkill([{ path, content: Buffer.from('x') }])).toThrow(
      /not a path within the skill/,
    );
  });

  test.each(['../../.bashrc', '/etc/x', 'a/b', 'a\\b', '..', '', 'a\nb'])(
    '84. refuses the script name %j',
    async (name) => {
      const refused = sandbox.run({ script: { name, language: 'bash', source: { content: '' } }, input: {} });
      await expect(refused).rejects.toMatchObject({ code: 'script.bad-name' });
    },
  );

  test('89, 90. arguments stay what they are, whatever they look like', async () => {
    const args = ['$(touch /out/files/x)', '; rm -rf /', '`id`', '--', '-e', 'a b', '\'"', '${HOME}'];
    const script = { name: 'x', language: 'bash' as const, source: { content: 'printf "%s\\n" "$@"' }, args };
    const outcome = await sandbox.run({ script, input: {} });
    expect(outcome.stdout.trimEnd().split('\n')).toEqual(args);
    expect(outcome.artifacts).toEqual([]);
  });

  test('passes arguments that are as long and as many as they may be, and refuses more', async () => {
    const count = (args: string[]) =>
      sandbox.run({
        script: { name: 'x', language: 'bash', source: { content: 'echo $# "${#1}"' }, args },
        input: {},
      });
    const longest = 'x'.repeat(128 * 1024 - 1);
    expect((await count(Array.from({ length: 8 }, () => longest))).stdout).toBe(`8 ${longest.length}\n`);
    expect((await count(Array.from({ length: 4000 }, () => 'ä'))).stdout).toBe('4000 1\n');
    const tooMuch: [string[], RegExp][] = [
      [['a', `${longest}x`], /argument 2 is 131072 bytes long, and the most is 131071; pass it as an input/],
      [Array.from({ length: 9 }, () => longest), /its arguments are 1179639 bytes long/],
      [Array.from({ length: 4001 }, () => ''), /it has 4001 arguments/],
    ];
    for (const [args, message] of tooMuch) {
      await expect(count(args)).rejects.toMatchObject({
        code: 'script.too-large',
        message: expect.stringMatching(message) as string,
      });
    }
  });

  test.each([
    { timeoutMs: 1e9 },
    { timeoutMs: -1 },
    { timeoutMs: Number.NaN },
    { memoryBytes: Infinity },
    { processes: 0.5 },
  ])('93. refuses the limits %j', async (limits) => {
    await expect(run(':', { limits })).rejects.toThrow(RangeError);
  });

  test('refuses input that is too large', async () => {
    await expect(run(':', { input: 'x'.repeat(17 * 1024 * 1024) })).rejects.toMatchObject({
      code: 'script.too-large',
    });
  });

  test('passes large input whole', async () => {
    const text = 'x'.repeat(8 * 1024 * 1024);
    expect((await run('wc -c', { input: text })).stdout.trim()).toBe(String(text.length + 2));
  });

  test('streams output as it comes, cleaned', async () => {
    const chunks: string[] = [];
    await run(String.raw`printf 'a\e[31m'; printf 'b' >&2; printf 'c\n'`, {
      onOutput: (stream, text) => chunks.push(`${stream}:${text}`),
    });
    expect(
      chunks
        .filter((chunk) => chunk.startsWith('stdout'))
        .join('')
        .replaceAll('stdout:', ''),
    ).toBe('ac\n');
    expect(chunks).toContain('stderr:b');
  });

  test('decodes bytes that are not UTF-8 safely', async () => {
    expect((await run(String.raw`printf 'a\xff\xfeb'`)).stdout).toBe('a\ufffd\ufffdb');
  });

  test('cancel ends the whole tree at once and keeps the output', async () => {
    const abort = new AbortController();
    const running = run('echo before; trap "" TERM; (setsid sleep 50 &); sleep 50', {
      signal: abort.signal,
      onOutput: () => abort.abort(),
    });
    const outcome = await running;
    expect(outcome).toMatchObject({
      cancelled: true,
      timedOut: false,
      exitCode: undefined,
      stdout: 'before\n',
    });
    expect(outcome.durationMs).toBeLessThan(5000);
  });

  test('a cancelled signal starts nothing', async () => {
    await expect(run('echo x', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  test('artifacts of a script that ran out of time are not taken', async () => {
    const outcome = await run('echo half > $SUNWELL_FILES/a; sleep 50', { limits: { timeoutMs: 500 } });
    expect(outcome).toMatchObject({ timedOut: true, artifacts: [] });
  });

  test('a file the script made unreadable is told, not skipped in silence', async () => {
    const outcome = await run('echo x > $SUNWELL_FILES/a; chmod 0 $SUNWELL_FILES/a');
    expect(outcome.rejected).toEqual([{ path: '', reason: 'unreadable' }]);
  });

  test('node gets the memory it is given and no more', async () => {
    const outcome = await run('const held = []; for (;;) held.push(new Array(1e6).fill(1.5));', {
      language: 'node',
      limits: { memoryBytes: 128 * 1024 * 1024 },
    });
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.peakMemoryBytes).toBeLessThan(256 * 1024 * 1024);
  });

  test('50 bombs at four at a time leave the studio responsive', { timeout: 60_000 }, async () => {
    const bombs = [
      () => run(':(){ :|:& };:; sleep 20', { limits: { timeoutMs: 700, processes: 16 } }),
      () =>
        run('x = []\nwhile True: x.append(bytearray(b"x") * (1 << 20))', {
          language: 'python',
          limits: { memoryBytes: 64 * 1024 * 1024 },
        }),
      () => run('while :; do printf "%65536s"; done', { limits: { timeoutMs: 2000 } }),
    ];
    const queue = Array.from({ length: 50 }, (_, i) => bombs[i % 3]!);
    let longestLagMs = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longestLagMs = Math.max(longestLagMs, performance.now() - last - 10);
      last = performance.now();
    }, 10);
    const before = process.memoryUsage().rss;
    const worker = async () => {
      for (let bomb = queue.pop(); bomb; bomb = queue.pop()) expect((await bomb()).exitCode).not.toBe(0);
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    clearInterval(beat);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(longestLagMs).toBeLessThan(2000);
  });

  test('finds the interpreter behind a pyenv shim by the version of the whole machine', () => {
    put('pyenv/shims/python3', '#!/bin/sh');
    put('pyenv/version', '3.99.1\n');
    put('pyenv/versions/3.99.1/bin/python3', '#!/bin/sh');
    const search = { searchPath: join(folder, 'pyenv/shims'), identity: sandboxIdentity(), workspaces: [] };
    const prefix = join(folder, 'pyenv/versions/3.99.1');
    const interpreter = { language: 'python', path: join(prefix, 'bin/python3'), prefix };
    expect(findInterpreter('python', search)).toEqual({ interpreter, passedOver: [] });
  });

  test('runs an interpreter that lives in a prefix of its own', async () => {
    put('prefix/bin/bash', readFileSync('/usr/bin/bash'));
    const other = new Sandbox({ folder: join(folder, 'own'), searchPath: join(folder, 'prefix/bin') });
    const script = {
      name: 'x',
      language: 'bash' as const,
      source: { content: 'echo "$BASH"; touch "$BASH.new"' },
    };
    const outcome = await other.run({ script, input: {} });
    other[Symbol.dispose]();
    expect(outcome).toMatchObject({ exitCode: 1, stdout: `${join(folder, 'prefix/bin/bash')}\n` });
    expect(outcome.stderr).toMatch(/Read-only file system|Permission denied/);
  });

  test('passes over an interpreter whose prefix would show the home folder', () => {
    put('home/bin/bash', '#!/bin/sh');
    const home = process.env['HOME'];
    process.env['HOME'] = join(folder, 'home');
    const search = { searchPath: join(folder, 'home/bin'), identity: sandboxIdentity(), workspaces: [] };
    const found = findInterpreter('bash', search);
    process.env['HOME'] = home;
    expect(found.interpreter?.path).toBe('/usr/bin/bash');
    expect(found.passedOver[0]?.why).toContain('holds more than the interpreter');
  });

  function put(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { mode: 0o755 });
  }
});
