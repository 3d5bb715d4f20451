import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelConfig } from '#shared/model/config.ts';
import { complete } from './complete.ts';
import type { Completion, CompletionChunk, CompletionRequest } from './complete.ts';
import { guardedFetch, responseLimits } from './guarded-fetch.ts';
import { hideKey } from './hide-key.ts';
import { openServerModel } from './open-model.ts';
import { retryCalls } from './retry-calls.ts';
import { FakeServer } from './testing/fake-server.ts';

const key = 'canary-key-4711-0815';
const question = { messages: [{ role: 'user', content: 'Say hello' }] } as const;
const at = { file: 'config.yaml', line: 1, column: 1, endLine: 1, endColumn: 1 };

let server: FakeServer;
let pauses: number[];
beforeEach(async () => {
  server = await FakeServer.start();
  server.key = key;
  pauses = [];
});
afterEach(() => server[Symbol.asyncDispose]());

describe.each(['openai', 'openai-compatible', 'anthropic'])('complete() by the provider %s', (provider) => {
  async function ask<T>(
    request: CompletionRequest<T>,
    { limits = responseLimits, sent = key } = {},
  ): Promise<Completion<T>> {
    const config: ModelConfig = {
      name: 'fast',
      provider,
      model: 'fake',
      baseUrl: server.address,
      params: {},
      at,
      path: [],
    };
    const { wrapLanguageModel } = await import('ai');
    const middleware = [
      hideKey(sent),
      retryCalls({
        maxAttempts: 3,
        pause: (ms) => {
          pauses.push(ms);
          return Promise.resolve();
        },
        random: () => 0.5,
      }),
    ];
    const bare = await openServerModel(config, { key: sent, fetch: guardedFetch(limits) });
    const model = wrapLanguageModel({ model: bare, middleware });
    return complete({ name: 'fast', model, key: sent, settings: {} }, request);
  }

  /** Everything but the time, which differs. */
  async function outcome<T>(answer: Promise<Completion<T>>): Promise<object> {
    const { durationMs, ...rest } = await answer;
    expect(durationMs).toBeGreaterThan(0);
    return rest;
  }

  const usage = { inputTokens: 11, outputTokens: 7 };
  const nothing = { inputTokens: 0, outputTokens: 0 };

  test('streams an answer in pieces and counts its tokens', async () => {
    server.answerWith({ say: 'Hello, harbor!' });
    const chunks: CompletionChunk[] = [];
    const answer = await outcome(
      ask({ ...question, system: 'Be kind', onChunk: (chunk) => chunks.push(chunk) }),
    );
    expect(answer).toEqual({ ok: true, text: 'Hello, harbor!', value: undefined, usage, steps: 1 });
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map((chunk) => ('text' in chunk ? chunk.text : '')).join('')).toBe('Hello, harbor!');
    expect(server.received.map(({ path }) => path)).toEqual([
      provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions',
    ]);
    expect(JSON.stringify(server.received[0]!.body)).toContain('Be kind');
  });

  test('lets the model call a tool and answer from what it read', async () => {
    server.answerWith({ call: 'read_file', input: { path: 'a.md' } }, { say: 'It says: harbor' });
    const read: unknown[] = [];
    const chunks: CompletionChunk[] = [];
    const tools = {
      read_file: {
        description: 'Reads a file',
        input: z.object({ path: z.string() }),
        run: (input: unknown) => {
          read.push(input);
          return Promise.resolve('harbor');
        },
      },
    };
    const answer = await outcome(ask({ ...question, tools, onChunk: (chunk) => chunks.push(chunk) }));
    expect(answer).toEqual({
      ok: true,
      text: 'It says: harbor',
      value: undefined,
      usage: { inputTokens: 22, outputTokens: 14 },
      steps: 2,
    });
    expect(read).toEqual([{ path: 'a.md' }]);
    const id = expect.any(String) as string;
    expect(chunks.filter(({ type }) => type.startsWith('tool'))).toEqual([
      { type: 'tool-called', id, tool: 'read_file', input: { path: 'a.md' } },
      { type: 'tool-answered', id, tool: 'read_file', ok: true },
    ]);
    expect(JSON.stringify(server.received[1]!.body)).toContain('harbor');
  });

  test('runs no tool on input of the wrong form, and tells the model', async () => {
    server.answerWith({ call: 'read_file', input: { path: 5 } }, { say: 'Sorry' });
    const tools = {
      read_file: {
        description: 'Reads a file',
        input: z.object({ path: z.string() }),
        run: () => Promise.reject(new Error('must not run')),
      },
    };
    expect(await outcome(ask({ ...question, tools }))).toMatchObject({ ok: true, text: 'Sorry', steps: 2 });
    expect(JSON.stringify(server.received[1]!.body)).not.toContain('must not run');
  });

  test('ends a model that never stops calling tools', async () => {
    server.answerWith(...Array.from({ length: 5 }, () => ({ call: 'again', input: {} })));
    const tools = {
      again: { description: 'Again', input: z.object({}), run: () => Promise.resolve('again') },
    };
    const answer = await ask({ ...question, tools, budget: { maxSteps: 3 } });
    expect(answer).toMatchObject({ ok: false, steps: 3, failure: { kind: 'too-many-steps' } });
    expect(server.received).toHaveLength(3);
  });

  test('asks no further when the tokens of the budget are used up', async () => {
    server.answerWith({ call: 'again', input: {} }, { call: 'again', input: {} }, { say: 'late' });
    const tools = {
      again: { description: 'Again', input: z.object({}), run: () => Promise.resolve('again') },
    };
    const answer = await ask({ ...question, tools, budget: { maxTokens: 30 } });
    expect(answer).toMatchObject({ ok: false, steps: 2, failure: { kind: 'budget' } });
    expect(server.received).toHaveLength(2);
  });

  test('gives an answer in the asked form, and refuses one that has it not', async () => {
    const schema = z.object({ verdict: z.enum(['pass', 'fail']), confidence: z.number() });
    server.answerWith(
      { say: '{"verdict":"pass","confidence":0.9}' },
      { say: '{"verdict":"maybe","confidence":1}' },
    );
    expect(await outcome(ask({ ...question, schema }))).toMatchObject({
      ok: true,
      value: { verdict: 'pass', confidence: 0.9 },
      usage,
    });
    expect(JSON.stringify(server.received[0]!.body)).toContain('"verdict"');
    expect(await ask({ ...question, schema })).toMatchObject({ ok: false, failure: { kind: 'wrong-shape' } });
  });

  test.each(['end', 'reset'] as const)(
    'keeps and marks what had come when the stream is cut by %s',
    async (cut) => {
      server.answerWith({ say: 'Half an answ', cut });
      expect(await outcome(ask(question))).toMatchObject({
        ok: false,
        partial: 'Half an answ',
        failure: { kind: 'cut', message: 'Cannot get an answer of model "fast": its answer broke off' },
      });
      expect(server.received).toHaveLength(1);
    },
  );

  test('waits as long as the server asks, then tries again', async () => {
    server.answerWith({ status: 429, headers: { 'retry-after': '2' } }, { status: 503 }, { say: 'At last' });
    expect(await ask(question)).toMatchObject({ ok: true, text: 'At last' });
    expect(pauses).toEqual([2000, 500]);
  });

  test.each([
    ['rate-limited', 429, 3],
    ['server-error', 500, 3],
    ['refused', 404, 1],
  ])('says %s when the server keeps answering %i', async (kind, status, requests) => {
    server.answerWith(...Array.from({ length: 5 }, () => ({ status })));
    const answer = await outcome(ask(question));
    expect(answer).toMatchObject({ ok: false, partial: '', usage: nothing, failure: { kind } });
    expect(JSON.stringify(answer)).toContain(`The fake server says ${status}`);
    expect(server.received).toHaveLength(requests);
  });

  test('says that the key is wrong, without saying the key', async () => {
    const wrong = 'another-key-0000-1111';
    const answer = await ask(question, { sent: wrong });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'wrong-key' } });
    expect(JSON.stringify(answer)).not.toContain(wrong);
    expect(JSON.stringify(answer)).toContain('Incorrect API key provided: [redacted]');
  });

  test('follows no redirect', async () => {
    await using other = await FakeServer.start();
    server.answerWith({ status: 307, headers: { location: `${other.address}/chat/completions` } });
    expect(await ask(question)).toMatchObject({ ok: false, failure: { kind: 'redirected' } });
    expect(other.received).toEqual([]);
  });

  test.each(['data: {"broken\n\n', 'data: {"surprise": true}\n\n', 'data: [1, 2]\n\n', '<html>'])(
    'says that an answer such as %j is malformed or cut',
    async (raw) => {
      server.answerWith({ raw });
      const answer = await ask(question);
      expect(answer.ok).toBe(false);
      expect(answer).toMatchObject({ partial: '' });
      expect(['malformed', 'cut']).toContain(!answer.ok && answer.failure.kind);
    },
  );

  test('ends an answer without end at the limit of bytes', async () => {
    server.answerWith({ endless: 'x'.repeat(1000) });
    const limits = { ...responseLimits, maxBytes: 200_000 };
    expect(await ask(question, { limits })).toMatchObject({ ok: false, failure: { kind: 'too-large' } });
  });

  test('ends an answer without end at the limit of time', async () => {
    server.answerWith({ endless: 'x'.repeat(10) });
    const limits = { ...responseLimits, maxBytes: Infinity };
    const answer = ask({ ...question, budget: { maxMs: 300 } }, { limits });
    expect(await answer).toMatchObject({ ok: false, failure: { kind: 'timed-out' } });
  });

  test('gives up on a server that says nothing, after as many tries as allowed', async () => {
    server.answerWith({ silent: true }, { silent: true }, { silent: true });
    const answer = await ask(question, { limits: { ...responseLimits, idleMs: 50 } });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'timed-out' } });
    expect(server.received).toHaveLength(3);
  });

  test('says that nobody answers at the address', async () => {
    await server.stopListening();
    const { origin } = new URL(server.address);
    const message = `Cannot get an answer of model "fast": nobody answers at "${origin}" (ECONNREFUSED): check its address and the network`;
    expect(await ask(question)).toMatchObject({ ok: false, failure: { kind: 'unreachable', message } });
  });

  test('stops when it is cancelled, and keeps what had come', async () => {
    server.answerWith({ say: 'Half an answ', cut: 'end' });
    const stop = new AbortController();
    const answer = await ask({ ...question, signal: stop.signal, onChunk: () => stop.abort() });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  });

  test('sends nothing when it was cancelled before', async () => {
    const answer = await ask({ ...question, signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'cancelled' }, steps: 0 });
    expect(server.received).toEqual([]);
  });

  test('takes the key out of an answer that repeats it letter by letter', async () => {
    server.answerWith({ say: `Your key is ${key}, and in base64 ${Buffer.from(key).toString('base64')}!` });
    const chunks: CompletionChunk[] = [];
    const answer = await ask({ ...question, onChunk: (chunk) => chunks.push(chunk) });
    expect(answer).toMatchObject({ ok: true, text: 'Your key is [redacted], and in base64 [redacted]!' });
    expect(chunks.map((chunk) => ('text' in chunk ? chunk.text : '')).join('')).toBe(
      answer.ok && answer.text,
    );
  });
});
