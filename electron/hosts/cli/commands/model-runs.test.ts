import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import type { PromptPreview } from '#shared/model/prompt.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { CliRig } from '../testing/cli-rig.ts';

const lens = `
metadata: { name: Writer, version: 1.0.0, domain: harbors }
heuristics:
  principles: [{ name: Short, rule: Say it once }]
skills:
  - name: write
    description: Write about the harbor
    instructions: Write a page about \${topic}
    requires: [topic]
    produces: [page]
    allowed_tools: [Read, Write, WebFetch]
`;

let rig: CliRig;
let server: FakeServer;
beforeEach(async () => {
  server = await FakeServer.start();
  rig = await CliRig.make({ 'work/a.lens': lens, 'work/notes.md': 'The harbor is old.\n' });
});
afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const configure = (price = ''): Promise<void> =>
  rig.write({
    'home/config.yaml': `models:\n  fake: {provider: openai-compatible, model: m, base_url: "${server.address}"${price}}\ndefault_model: fake\n`,
  });
const topic = ['--input', 'topic=tides', '--skill', 'write'];

test('apply lets a model work, tells its tools, tokens and cost, and shows what it proposes', async () => {
  await configure(', params: {price: {input: 1000, output: 2000}}');
  server.answerWith(
    { call: 'Read', input: { path: 'notes.md' } },
    { call: 'Read', input: { path: '../secret' } },
    { call: 'Write', input: { path: 'page.md', text: 'Tides\n' } },
    { say: 'Wrote it' },
  );
  const ran = await rig.run(['apply', 'a.lens', 'Write', ...topic, '--dry-run']);
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.any(String) as string]);
  expect(ran.stdout).toContain('+Tides');
  expect(ran.stderr).toContain('Read {"path":"notes.md"}');
  expect(ran.stderr).toContain('Read refused: Cannot use "../secret": it is not a path within the workspace');
  expect(ran.stderr).toContain('fake: 72 tokens in 4 calls, $0.1000');
  expect(ran.stderr).toMatch(/Succeeded: 1 ran, 72 tokens \(\$0\.1000\), took/);
});

test('what --record keeps --replay answers, without a model and without a server', async () => {
  await configure();
  server.answerWith({ call: 'Read', input: { path: 'notes.md' } }, { say: 'An old harbor' });
  const recorded = await rig.run(['apply', 'a.lens', ...topic, '--record', 'answers.jsonl', '--no-cache']);
  await rig.write({ 'home/config.yaml': '' });
  await server.stopListening();
  const replayed = await rig.run(['apply', 'a.lens', ...topic, '--replay', 'answers.jsonl', '--no-cache']);
  expect([recorded.exitCode, recorded.stdout]).toEqual([0, 'An old harbor\n']);
  expect([replayed.exitCode, replayed.stdout, replayed.stderr]).toEqual([
    0,
    'An old harbor\n',
    expect.stringContaining('Succeeded') as string,
  ]);
});

test('nobody is asked where --record cannot keep the answer', async () => {
  await configure();
  const { exitCode, stderr } = await rig.run(['apply', 'a.lens', ...topic, '--record', '.', '--no-cache']);
  expect([exitCode, server.received.length]).toEqual([1, 0]);
  expect(stderr).toContain('Cannot get an answer of model "fake": its answer cannot be recorded: EISDIR');
});

test('no run is meant by an empty word', async () => {
  await rig.run(['apply', 'a.lens']);
  const { exitCode, stderr } = await rig.run(['run', 'show', '']);
  expect([exitCode, stderr]).toEqual([
    2,
    'Cannot find run "": the workspace has none, see "sunwell run list"\n',
  ]);
});

test('--manual takes the answer from a pipe, or from the editor', async () => {
  rig.pipeIn('Piped tides\n');
  const piped = await rig.run(['apply', 'a.lens', ...topic, '--manual', '--no-cache']);
  expect([piped.exitCode, piped.stdout]).toEqual([0, 'Piped tides\n']);
  expect(piped.stderr).toContain('Write a page about tides');

  const edited = await CliRig.make({
    'work/a.lens': lens,
    'editor.sh': '#!/bin/sh\nprintf "Edited tides\\n" | cat - "$1" > "$1.new" && mv "$1.new" "$1"\n',
  });
  await chmod(join(edited.folder, 'editor.sh'), 0o755);
  edited.setVariable('EDITOR', join(edited.folder, 'editor.sh'));
  edited.setVariable('PATH', process.env['PATH']!);
  edited.answer();
  const ran = await edited.run(['apply', 'a.lens', ...topic, '--manual']);
  expect([ran.exitCode, ran.stdout]).toEqual([0, 'Edited tides\n']);
  await edited[Symbol.asyncDispose]();
});

test('an empty answer by hand fails the step, and a run without a model says the choices', async () => {
  rig.pipeIn('');
  const ran = await rig.run(['apply', 'a.lens', ...topic, '--manual']);
  expect([ran.exitCode, ran.stderr.includes('you gave no answer')]).toEqual([1, true]);
  const without = await rig.run(['lens', 'skill-plan', 'a.lens', '--input', 'topic=x']);
  expect(without.stdout).toContain(
    'needs a model: set one up in config.yaml, or use --manual or --replay FILE',
  );
  const blocked = await rig.run(['apply', 'a.lens', ...topic]);
  expect([blocked.exitCode, blocked.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^⛔ write +needs a model: set one up\nModels are set up in config.yaml; --manual and --replay FILE do without one\nFailed/m,
    ),
  ]);
  expect(
    (await rig.run(['lens', 'skill-plan', 'a.lens', '--input', 'topic=x', '--manual'])).stdout,
  ).toContain('run  ');
});

test('a run ends where its tokens are used up', async () => {
  await configure();
  server.answerWith({ call: 'Read', input: { path: 'notes.md' } }, { say: 'No more' });
  const ran = await rig.run(['apply', 'a.lens', ...topic, '--token-budget', '15', '--json']);
  const { status, steps } = JSON.parse(ran.stdout) as RunRecord;
  expect([ran.exitCode, status, steps[0]!.error?.details]).toEqual([
    1,
    'failed',
    { cause: 'model_failure', kind: 'budget' },
  ]);
});

test('exec lets a model work on one skill', async () => {
  await configure();
  server.answerWith({ say: 'Tides' });
  const ran = await rig.run(['exec', 'a.lens#write', '--input', 'topic=tides']);
  expect([ran.exitCode, ran.stdout]).toEqual([0, 'Tides\n']);
});

test('lens prompt prints the parts of the prompt with their tokens, and what is not known', async () => {
  const ran = await rig.run(['lens', 'prompt', 'a.lens', 'write', '--task', 'Go', '--json']);
  const preview = JSON.parse(ran.stdout) as PromptPreview;
  expect(preview.parts.map(({ kind, title }) => [kind, title])).toEqual([
    ['lens', 'Lens'],
    ['instructions', 'Instructions'],
    ['task', 'Task'],
  ]);
  expect([preview.tools.map(({ name }) => name), preview.notes]).toEqual([
    ['Read', 'Write'],
    [
      'No model is set up to be sent this',
      '"topic" has no value yet',
      'Tool "WebFetch" is none that can be offered',
    ],
  ]);
  const text = await rig.run(['lens', 'prompt', 'a.lens', 'write', '--input', 'topic=tides']);
  expect(text.stdout).toContain('Write a page about tides');
  expect(text.stderr).toMatch(/About \d+ tokens in all/);
});

test('the recording has the answers and not the questions', async () => {
  await configure();
  server.answerWith({ say: 'Tides' });
  await rig.run(['apply', 'a.lens', ...topic, '--record', 'answers.jsonl']);
  const recording = await readFile(join(rig.folder, 'work/answers.jsonl'), 'utf8');
  expect([recording.includes('Tide'), recording.includes('Say it once')]).toEqual([true, false]);
});
