import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import { CliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
let server: FakeServer;
beforeEach(async () => {
  rig = await CliRig.make();
  server = await FakeServer.start();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const configText = (): Promise<string> => readFile(join(rig.folder, 'home/config.yaml'), 'utf8');

test('config set builds a model from nothing, and model test asks it', async () => {
  const model = `{ provider: openai-compatible, model: tiny, base_url: "${server.address}" }`;
  expect(await rig.run(['config', 'set', 'models.gpt-4.1', model])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  await rig.run(['config', 'set', 'default_model', 'gpt-4.1']);
  const { stdout } = await rig.run(['model', 'list']);
  expect(stdout).toMatch(/^NAME .*\ngpt-4\.1 +openai-compatible +tiny +- +default\n$/);
  server.answerWith({ say: 'ready' }, { status: 500 });
  expect((await rig.run(['model', 'test'])).stdout).toMatch(/^"gpt-4.1" answered in .* with 18 tokens\n$/);
  const failed = await rig.run(['model', 'test', 'gpt-4.1', '--json']);
  expect([failed.exitCode, JSON.parse(failed.stdout)]).toMatchObject([1, { outcome: 'server-error' }]);
});

test('config set keeps comments, and config get reads what it wrote', async () => {
  await rig.write({
    'home/config.yaml': '# mine\nmodels:\n  a: { provider: manual } # me\ncache:\n  max_bytes: 1GB # small\n',
  });
  await rig.run(['config', 'set', 'cache.max_bytes', '2GB']);
  await rig.run(['config', 'set', 'telemetry.skill_execution', 'true']);
  await rig.run(['config', 'set', 'models.a.params.temperature', '0']);
  expect(await configText()).toBe(
    '# mine\nmodels:\n  a: { provider: manual, params: {temperature: 0} } # me\ncache:\n  max_bytes: 2GB # small\ntelemetry:\n  skill_execution: true\n',
  );
  expect((await rig.run(['config', 'get', 'cache.max_bytes'])).stdout).toBe('2GB\n');
  expect(JSON.parse((await rig.run(['config', 'get', 'telemetry', '--json'])).stdout)).toEqual({
    skill_execution: true,
  });
  await rig.run(['config', 'set', 'telemetry.skill_execution']);
  expect((await rig.run(['config', 'get', 'telemetry.skill_execution'])).exitCode).toBe(1);
});

test.each([
  ['models.a.modle', 'x', /did you mean "model"\?/],
  ['default_modle', 'x', /did you mean "default_model"\?/],
  ['default_model', 'nobody', /"nobody" is not configured/],
  ['models.a.provider', 'nobody', /nobody/],
  ['models.a.api_key_env', 'sk-canary-4711', /never the key itself/],
])('config set %s %s is refused and changes nothing', async (key, value, words) => {
  const before = 'models:\n  a: { provider: manual }\n';
  await rig.write({ 'home/config.yaml': before });
  const { exitCode, stderr } = await rig.run(['config', 'set', key, value]);
  expect([exitCode, await configText()]).toEqual([2, before]);
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain('canary');
});

test('model list says what to do where there is none, and nothing of a workspace changes that', async () => {
  await rig.write({
    'work/config.yaml': 'models:\n  evil: { provider: manual }\n',
    'work/.sunwell/config.yaml': 'models:\n  evil: { provider: manual }\n',
  });
  const { exitCode, stdout, stderr } = await rig.run(['model', 'list']);
  expect([exitCode, stdout, stderr]).toEqual([
    0,
    '',
    'No models: scripts run without one. "sunwell config set" adds one\n',
  ]);
  expect((await rig.run(['model', 'test', 'evil'])).exitCode).toBe(2);
});

test.each([
  [['model', 'list']],
  [['model', 'test']],
  [['config', 'get']],
  [['fount', 'add', 'docs@1.0.0']],
  [['fount', 'outdated']],
])('%j tells of a config.yaml that cannot be read', async (words) => {
  // A folder, because root may read every file.
  await mkdir(join(rig.folder, 'home/config.yaml'), { recursive: true });
  const { exitCode, stdout, stderr } = await rig.run(words);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Cannot read "config\.yaml": .* is a folder, not a file/);
});

test('the default may be the person at the keyboard, who needs no entry of their own', async () => {
  expect((await rig.run(['config', 'set', 'default_model', 'manual'])).exitCode).toBe(0);
  const { exitCode, stdout } = await rig.run(['model', 'test', '--json']);
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { name: 'manual', outcome: 'nothing-to-connect' },
  ]);
});
