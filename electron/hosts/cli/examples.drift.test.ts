import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { AnswerBook } from './testing/answer-book.ts';
import { exampleNames, examplesFolder, exampleRig } from './testing/example-rig.ts';

const isAvailable = await canRunScripts();

/** Answers in no order: a step asks its judges at once. */
const linesOf = (recording: string): string[] => recording.trimEnd().split('\n').sort();

test.skipIf(!isAvailable).each(await exampleNames())(
  'the recording of the example "%s" is what its written answers give',
  async (name) => {
    const tests = join(examplesFolder, name, 'lenses/tests');
    const book = new AnswerBook(await readFile(join(tests, 'answers.yaml'), 'utf8'));
    await using server = await FakeServer.start();
    server.choose = book.choose;
    await using rig = await exampleRig(name);
    const model = `{provider: openai-compatible, model: written, base_url: "${server.address}"}`;
    await rig.write({ 'home/config.yaml': `models:\n  written: ${model}\ndefault_model: written\n` });
    const { exitCode, stdout } = await rig.run(['test-skills', '--record', 'recording.jsonl']);
    expect({ unanswered: book.unanswered, unused: book.unused }).toEqual({ unanswered: [], unused: [] });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('passed')]);
    const recorded = linesOf(await readFile(join(rig.folder, 'work/recording.jsonl'), 'utf8'));
    const file = join(tests, 'replay.jsonl');
    if (process.env['UPDATE']) await writeFile(file, `${recorded.join('\n')}\n`);
    const kept = linesOf(await readFile(file, 'utf8'));
    expect(kept, 'What models are told has changed: run "npm run examples:record"').toEqual(recorded);
  },
  60_000,
);
