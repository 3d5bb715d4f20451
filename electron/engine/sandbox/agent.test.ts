import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentRequest } from './agent-request.ts';
import { findProgram } from './find-program.ts';
import { sandboxIdentity } from './identity.ts';
import { handOver, openPrivateFolder } from './private-folder.ts';
import { profileArgv, profileFlags } from './profile.ts';
import { Sandbox } from './sandbox.ts';
import { FakeAgent } from './testing/fake-agent.ts';

const identity = sandboxIdentity();
const folder = handOver(mkdtempSync(join(openPrivateFolder(identity), 'agent-test-')), identity);
const sandbox = new Sandbox({ folder });
const canRun = (await sandbox.report()).available;

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((_, answer) => answer.end('from loopback'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  sandbox[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
  server.close();
});

/** A home with one file in it, and a staged workspace of these files. */
function places(files: Readonly<Record<string, string>> = {}): Pick<AgentRequest, 'home' | 'workspace'> {
  const home = mkdtempSync(join(sandbox.agentHomes(), 'test-'));
  mkdirSync(join(home, '.agents/skills/tidy'), { recursive: true });
  writeFileSync(join(home, '.agents/skills/tidy/SKILL.md'), 'Tidy up', { mode: 0o600 });
  const staged = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  return { home, workspace: staged.length === 0 ? undefined : sandbox.stageSkill(staged) };
}

async function run(body: string, more: Partial<AgentRequest> = {}) {
  using agent = new FakeAgent(body);
  const program = sandbox.program(agent.path);
  return await sandbox.runAgent({
    program,
    args: [],
    prompt: 'Do it',
    environment: {},
    ...places(),
    ...more,
  });
}

const connect = (to: number) =>
  `exec 9<>/dev/tcp/127.0.0.1/${to} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&9 && tail -n 1 <&9`;

describe.runIf(canRun)('an agent', () => {
  test('answers the prompt it reads', async () => {
    expect(await run('echo "Read: $(cat)"')).toMatchObject({
      exitCode: 0,
      stdout: 'Read: Do it\n',
      artifacts: [],
      deleted: [],
    });
  });

  test('finds the prompt where its arguments name it, and nothing on standard input', async () => {
    const args = ['-x', 'say: {prompt}', '{prompt_file}'];
    const { stdout } = await run('echo "$1|$2|$(cat "$3")|$(cat)"', { args });
    expect(stdout).toBe('-x|say: Do it|Do it|\n');
  });

  test('leaves what it changed, made, moved and deleted, and nothing else', async () => {
    const files = {
      'a.txt': 'a',
      'b.txt': 'b',
      'c.txt': 'c',
      'same.txt': 's',
      'd/x.txt': 'x',
      'e f.txt': 'e',
    };
    const { artifacts, deleted, exitCode } = await run(
      `printf changed > a.txt; rm b.txt; touch same.txt; printf s > same.txt; mkdir new; printf n > "new/n m.txt"
       chmod +x c.txt; mv d moved; : ignored > /tmp/outside`,
      places(files),
    );
    expect(exitCode).toBe(0);
    expect(artifacts.map(({ path, content, mode }) => [path, content.toString(), mode]).sort()).toEqual([
      ['a.txt', 'changed', 0o644],
      ['c.txt', 'c', 0o755],
      ['moved/x.txt', 'x', 0o644],
      ['new/n m.txt', 'n', 0o644],
    ]);
    expect(deleted.toSorted()).toEqual(['b.txt', 'd/x.txt']);
  });

  test('reaches a server of this machine, while a script does not', async () => {
    const { stdout } = await run(connect(port));
    const script = { name: 'a.sh', language: 'bash', source: { content: connect(port) } } as const;
    const plain = await sandbox.run({ script, input: {} });
    expect([stdout, plain.exitCode === 0, plain.stdout]).toEqual(['from loopback', false, '']);
  });

  test('has its own home, and neither the user’s nor the environment', async () => {
    const { stdout } = await run(
      `cat ~/.agents/skills/tidy/SKILL.md; echo; echo w > ~/w && echo wrote; ls '${homedir()}' 2>&1; ls /etc/ssl/private 2>&1
       env | cut -d= -f1 | sort | tr '\\n' ' '`,
      { environment: { MY_KEY: 'own' } },
    );
    const [skill, wrote, home, keys, names] = stdout.split('\n');
    expect([skill, wrote]).toEqual(['Tidy up', 'wrote']);
    expect(home).toContain('No such file');
    expect(keys).toContain('No such file');
    expect(names!.trim().split(' ')).toEqual([
      'HOME',
      'LANG',
      'MY_KEY',
      'OLDPWD',
      'PATH',
      'PWD',
      'SHLVL',
      'TMPDIR',
      '_',
    ]);
  });

  test('is ended with all it started when its time is up, and leaves nothing', async () => {
    const outcome = await run('echo late > late.txt; sleep 100 & sleep 100', { timeoutMs: 700 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: undefined, artifacts: [], deleted: [] });
  });

  test('is ended when it is cancelled', async () => {
    const stop = new AbortController();
    const outcome = await run('echo ready; sleep 100', { signal: stop.signal, onOutput: () => stop.abort() });
    expect(outcome).toMatchObject({ cancelled: true, exitCode: undefined });
  });

  test('that fails leaves its code and its words, and no files', async () => {
    const outcome = await run('echo half > half.txt; echo "no credit" >&2; exit 3');
    expect(outcome).toMatchObject({ exitCode: 3, stderr: 'no credit\n', artifacts: [] });
  });

  test('cannot leave a link', async () => {
    const { artifacts, rejected } = await run('ln -s /etc/passwd link');
    expect([artifacts, rejected]).toEqual([[], [{ path: 'link', reason: 'not-a-file' }]]);
  });
});

test('only the profile of an agent shares the network', () => {
  const spec = {
    system: { links: [], binds: [] },
    prefixes: [],
    placed: [],
    environment: {},
    limits: { artifactBytes: 1 },
    initFd: 0,
    statusFd: 1,
    seccompFd: 2,
  };
  const script = profileArgv(profileFlags(spec));
  const agent = profileArgv(profileFlags({ ...spec, agent: { network: 'shared', home: '/h' } }));
  expect(script.filter((word) => /share-net|^\/etc|agent/.test(word))).toEqual([]);
  expect(agent).toContain('--share-net');
});

describe('findProgram()', () => {
  const search = { searchPath: '', identity, workspaces: [] };

  test('binds no more than a program needs', () => {
    using agent = new FakeAgent('true');
    const packed = join(agent.folder, 'lib/node_modules/@x/agent');
    const placed = [join(packed, 'cli.js'), join(agent.folder, 'tool/bin/agent')];
    for (const path of placed) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, '', { mode: 0o755 });
    }
    const bindsOf = (path: string) => findProgram(path, search)?.binds;
    expect([agent.path, ...placed, '/usr/bin/env'].map(bindsOf)).toEqual([
      [agent.path],
      [packed],
      [join(agent.folder, 'tool')],
      [],
    ]);
  });

  test('refuses a program that others can change or that lies in a workspace, and finds none by a relative path', () => {
    using agent = new FakeAgent('true');
    expect(() => findProgram(agent.path, { ...search, workspaces: [agent.folder] })).toThrow('workspace');
    expect(findProgram('./fake-agent', { ...search, searchPath: agent.folder })).toBeUndefined();
    expect(findProgram('fake-agent', { ...search, searchPath: agent.folder })?.path).toBe(agent.path);
    chmodSync(agent.path, 0o777);
    expect(() => findProgram(agent.path, search)).toThrow('can be changed by other users');
    rmSync(agent.path);
    expect(findProgram(agent.path, search)).toBeUndefined();
  });
});
