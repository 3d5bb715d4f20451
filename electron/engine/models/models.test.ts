import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { asOrdinaryUser } from '../../testing/as-ordinary-user.ts';
import type { Keychain } from './keychain.ts';
import type { PersonQuestion } from './manual.ts';
import { Models } from './models.ts';
import type { ModelsOptions } from './models.ts';
import { FakeServer } from './testing/fake-server.ts';

const key = 'canary-key-4711-0815';
const question = { messages: [{ role: 'user', content: 'Say hello' }] } as const;

let home: string;
let server: FakeServer;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sunwell-models-'));
  server = await FakeServer.start();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(home, { recursive: true });
});

/** Seals by turning every bit around: enough to tell a sealed key from a plain one. */
const keychain: Keychain = {
  isAvailable: () => true,
  encrypt: (secret) => Buffer.from(secret).map((byte) => byte ^ 0xff),
  decrypt: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 0xff)).toString(),
};

function open(options: Partial<ModelsOptions> = {}): Models {
  const retry = { pause: () => Promise.resolve() };
  return new Models({ home, environment: {}, keychain, retry, ...options });
}

const configText = (): Promise<string> => readFile(join(home, 'config.yaml'), 'utf8');

test('save() adds, changes and renames a model and leaves the rest of the file as it is', async () => {
  await writeFile(
    join(home, 'config.yaml'),
    '# mine\nmodels:\n  big: # the good one\n    provider: anthropic\n    model: a # old\n    params: { temperature: 0 }\ndefault_model: big\n',
  );
  const models = open();
  await models.save({ name: 'big', provider: 'anthropic', model: 'b' }, 'big');
  await models.save({ name: 'gpt-4.1', provider: 'openai', model: 'gpt-4.1', apiKeyEnv: 'KEY' }, undefined);
  expect(await configText()).toBe(
    '# mine\nmodels:\n  big: # the good one\n    provider: anthropic\n    model: b # old\n    params: { temperature: 0 }\n' +
      '  gpt-4.1:\n    provider: openai\n    model: gpt-4.1\n    api_key_env: KEY\ndefault_model: big\n',
  );
  const list = await models.save({ name: 'bigger', provider: 'anthropic', model: 'b' }, 'big');
  expect([list.models.map(({ name }) => name).sort(), list.defaultModel]).toEqual([
    ['bigger', 'gpt-4.1'],
    'bigger',
  ]);
  expect(await configText()).toContain('temperature: 0');
});

test('save() writes an agent, word by word, and keeps what else is said of it', async () => {
  await writeFile(
    join(home, 'config.yaml'),
    'models:\n  helper: # mine\n    provider: command\n    command: claude # the usual\n    params: { timeout: 900 }\n',
  );
  const models = open();
  await models.save({ name: 'helper', provider: 'command', command: ['codex'], model: 'gpt-5' }, 'helper');
  expect(await configText()).toBe(
    'models:\n  helper: # mine\n    provider: command\n    command: codex # the usual\n    params: { timeout: 900 }\n    model: gpt-5\n',
  );
  const command = ['/opt/helper', '--ask', '{prompt_file}', 'a b'];
  const { models: listed } = await models.save(
    { name: 'helper', provider: 'command', command, apiKeyEnv: 'HELPER_KEY' },
    'helper',
  );
  expect(listed).toEqual([
    {
      ...{ name: 'helper', provider: 'command', command, apiKeyEnv: 'HELPER_KEY', key: 'missing' },
      problem: 'Its key is missing: set HELPER_KEY',
    },
  ]);
  expect(await configText()).toContain('params: { timeout: 900 }');
  await expect(models.save({ name: 'other', provider: 'command' }, undefined)).rejects.toMatchObject({
    message: 'Cannot save model "other": it needs the program to run',
  });
});

test('save() refuses a name that is taken, and an address with a password', async () => {
  const models = open();
  await models.save({ name: 'a', provider: 'manual' }, undefined);
  const again = models.save({ name: 'a', provider: 'manual' }, undefined);
  await expect(again).rejects.toMatchObject({ code: 'model.invalid' });
  const address = { provider: 'openai-compatible', model: 'm', baseUrl: 'https://u:pass@x.test' } as const;
  await expect(models.save({ name: 'b', ...address }, undefined)).rejects.toMatchObject({
    code: 'model.invalid',
  });
});

test('a key comes from the keychain, else from the variable that the configuration names', async () => {
  const draft = {
    name: 'm',
    provider: 'openai',
    model: 'x',
    baseUrl: server.address,
    apiKeyEnv: 'MY_KEY',
  } as const;
  const models = open({ environment: { MY_KEY: 'from-the-environment' } });
  const state = async (): Promise<unknown> => (await models.list()).models[0]!.key;
  await models.save(draft, undefined);
  expect(await state()).toBe('environment');
  await models.keepKey('m', key);
  expect(await state()).toBe('keychain');
  server.answerWith({ say: 'a' }, { say: 'b' });
  await (await models.ask('m')).complete(question);
  await models.forgetKey('m');
  await (await models.ask('m')).complete(question);
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${key}`,
    'Bearer from-the-environment',
  ]);
});

test('a kept key is not sent to another server than the one it was typed for', async () => {
  await using other = await FakeServer.start();
  const models = open();
  const draft = { name: 'm', provider: 'openai', model: 'x', baseUrl: server.address } as const;
  await models.save(draft, undefined);
  await models.keepKey('m', key);
  await models.save({ ...draft, baseUrl: other.address }, 'm');
  expect(await models.test('m')).toMatchObject({ outcome: 'no-key' });
  expect(other.received).toEqual([]);
});

test('a file of keys that cannot be read is neither changed nor lost', async () => {
  const models = open();
  for (const name of ['m', 'n']) {
    await models.save({ name, provider: 'openai', model: 'x', baseUrl: server.address }, undefined);
  }
  await models.keepKey('m', key);
  await chmod(join(home, 'keys.json'), 0o000);
  await asOrdinaryUser(home, () =>
    expect(models.keepKey('n', key)).rejects.toMatchObject({ code: 'model.keys-unreadable' }),
  );
  await chmod(join(home, 'keys.json'), 0o600);
  expect((await models.list()).models.map((model) => model.key)).toEqual(['keychain', 'missing']);
});

test('without a keychain a key is refused, and none is written', async () => {
  const models = open({ keychain: { ...keychain, isAvailable: () => false } });
  const { canKeepKeys } = await models.save({ name: 'm', provider: 'openai', model: 'x' }, undefined);
  expect(canKeepKeys).toBe(false);
  await expect(models.keepKey('m', key)).rejects.toMatchObject({ code: 'model.no-keychain' });
  expect(await readdir(home)).toEqual(['config.yaml']);
});

test('a key is never sent unencrypted to another machine', async () => {
  const models = open({ environment: { OPENAI_API_KEY: key } });
  const baseUrl = 'http://models.test/v1';
  await models.save({ name: 'm', provider: 'openai', model: 'x', baseUrl }, undefined);
  expect(await models.test('m')).toMatchObject({ outcome: 'insecure-address' });
});

test('the canary key is in no file and in no answer, whatever the server does with it', async () => {
  const record = join(home, 'recording.jsonl');
  const models = open();
  await models.save({ name: 'm', provider: 'anthropic', model: 'x', baseUrl: server.address }, undefined);
  const told: unknown[] = [await models.keepKey('m', key), await models.list()];
  server.answerWith(
    { say: `It is ${key}` },
    { status: 400, body: { type: 'error', error: { type: 'x', message: `Bad key ${key}` } } },
    { call: 'note', input: { text: key } },
    { say: 'Done' },
    { raw: `event: error\ndata: {"type":"error","error":{"type":"api_error","message":"${key}"}}\n\n` },
  );
  const tools = {
    note: {
      description: 'Notes',
      input: z.object({ text: z.string() }),
      run: (input: unknown) => Promise.resolve(JSON.stringify(input)),
    },
  };
  const chunks: unknown[] = [];
  for (const request of [
    question,
    question,
    { ...question, tools, onChunk: (chunk: unknown) => chunks.push(chunk) },
  ])
    told.push(await (await models.ask('m', { record })).complete(request));
  told.push(await models.test('m'));
  const files = await readdir(home, { recursive: true });
  const written = await Promise.all(files.map((file) => readFile(join(home, file), 'latin1')));
  expect(files.sort()).toEqual(['config.yaml', 'keys.json', 'recording.jsonl']);
  const base64 = Buffer.from(key).toString('base64').slice(0, -2);
  for (const text of [...written, JSON.stringify([told, chunks])]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(base64);
  }
  expect(told.slice(2)).toMatchObject([
    { ok: true },
    { ok: false },
    { ok: true },
    { outcome: 'server-error' },
  ]);
  expect((await stat(join(home, 'keys.json'))).mode & 0o777).toBe(0o600);
});

test('a recorded conversation with tools is replayed without a server', async () => {
  const record = join(home, 'talk.jsonl');
  const tools = { now: { description: 'Time', input: z.object({}), run: () => Promise.resolve('noon') } };
  const draft = { name: 'm', provider: 'openai-compatible', model: 'x', baseUrl: server.address } as const;
  await open().save(draft, undefined);
  server.answerWith({ call: 'now', input: {} }, { say: 'It is noon' });
  const live = await (await open().ask('m', { record })).complete({ ...question, tools });
  const asked = server.received.length;
  await writeFile(
    join(home, 'config.yaml'),
    'models:\n  m: { provider: replay, params: { file: talk.jsonl } }\n',
  );
  const replayed = await (await open().ask('m')).complete({ ...question, tools });
  expect(live).toMatchObject({ ok: true, text: 'It is noon', steps: 2 });
  expect({ ...replayed, durationMs: 0 }).toEqual({ ...live, durationMs: 0 });
  expect(server.received).toHaveLength(asked);
  const other = { messages: [{ role: 'user', content: 'Something else' }] } as const;
  expect(await (await open().ask('m')).complete(other)).toMatchObject({
    ok: false,
    failure: { kind: 'not-recorded' },
  });
});

test('a manual model asks the person, with the form of the answer', async () => {
  await open().save({ name: 'me', provider: 'manual' }, undefined);
  const asked: string[] = [];
  const askPerson = ({ prompt }: PersonQuestion): Promise<string> => {
    asked.push(prompt);
    return Promise.resolve('{"ok":true}');
  };
  const request = { system: 'Be kind', ...question, schema: z.object({ ok: z.boolean() }) };
  expect(await (await open().ask('me', { askPerson })).complete(request)).toMatchObject({
    ok: true,
    value: { ok: true },
  });
  expect(asked[0]).toMatch(/^Be kind\n\nSay hello\n\nAnswer with JSON only, by this schema:\n/);
  expect(await (await open().ask('me')).complete(question)).toMatchObject({
    ok: false,
    failure: { kind: 'nobody-to-ask' },
  });
  expect(await open().test('me')).toMatchObject({ outcome: 'nothing-to-connect' });
});

test('test() asks once and says what came of it', async () => {
  const draft = { name: 'm', provider: 'openai-compatible', model: 'x', baseUrl: server.address } as const;
  await open().save(draft, undefined);
  server.answerWith({ say: 'ready' }, { status: 429 });
  expect(await open().test(undefined)).toMatchObject({
    outcome: 'answered',
    usage: { inputTokens: 11, outputTokens: 7 },
  });
  expect(await open().test('m')).toMatchObject({ outcome: 'rate-limited' });
  expect(server.received).toHaveLength(2);
  await expect(open().test('other')).rejects.toMatchObject({ code: 'model.unknown' });
});

test('identify() names what may change an answer, and neither keys nor prices', async () => {
  const config = [
    'models:',
    '  m: {provider: openai, model: gpt, base_url: "http://127.0.0.1:1/v1?token=abc", params: {temperature: 0, price: {input: 1, output: 2}}}',
    '  r: {provider: replay, params: {file: answers.jsonl}}',
    'default_model: m',
  ];
  await writeFile(join(home, 'config.yaml'), config.join('\n'));
  const models = open();
  const record = {
    provider: 'openai',
    id: 'gpt',
    params: { temperature: 0, base_url: 'http://127.0.0.1:1/v1' },
  };
  expect(await models.identify()).toEqual({ name: 'm', record });
  expect(await models.identifyJudge({ worker: 'm' })).toEqual({ name: 'm', record });
  expect((await models.ask('m')).price).toEqual({ input: 1, output: 2 });
  expect(await models.identify('manual')).toEqual({
    name: 'manual',
    record: { provider: 'manual', id: '', params: {} },
  });
  const before = await models.identify('r');
  await writeFile(join(home, 'answers.jsonl'), '\n');
  expect(await models.identify('r')).not.toEqual(before);
  await expect(models.identify('none')).rejects.toMatchObject({ code: 'model.unknown' });
});
