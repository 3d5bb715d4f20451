import { describe, expect, it } from 'vitest';
import type { StudioClient } from '#shared/contract.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { OpenDocument } from './document.svelte.ts';
import { Resolution } from './resolution.svelte.ts';
import type { ResolutionAnswer } from './resolution.svelte.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine, entryOf } from './testing/fake-engine.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const one = 'skills:\n  - name: one\n';
const two = `${one}  - name: two\n`;

async function open(...files: string[]) {
  const engine = new FakeEngine(Object.fromEntries(files.map((file) => [file, one])));
  const clock = new ManualClock();
  const source = () => ({ client: engine.client, workspace: engine.workspaceId });
  const documents = files.map(
    (file) => new OpenDocument({ target: entryOf(file, one), source, changed: () => undefined }),
  );
  await Promise.all(documents.map((document) => document.load()));
  const resolution = new Resolution({
    ...{ file: files[0] as FileId, source, clock },
    documents: () => documents,
  });
  return { engine, clock, documents, resolution };
}

const names = ({ result }: Resolution): string[] | undefined => result && Object.keys(result.graph.skills);

describe('Resolution', () => {
  it('refresh() asks once when the typing pauses', async () => {
    const { engine, clock, resolution } = await open('a.lens');
    resolution.refresh(150);
    await clock.advance(100);
    resolution.refresh(150);
    await clock.advance(149);
    expect([names(resolution), engine.unsaved.length]).toEqual([undefined, 0]);
    await clock.advance(1);
    expect([names(resolution), engine.unsaved.length]).toEqual([['one'], 1]);
  });

  it('shows what it resolved to when it was last open, until the engine has answered', async () => {
    const { engine, clock, documents, resolution } = await open('a.lens');
    await resolution.ask();
    let known: ResolutionAnswer | undefined;
    const options = { file: 'a.lens' as FileId, clock, documents: () => documents };
    const source = () => ({ client: engine.client, workspace: engine.workspaceId });
    const closing = new Resolution({ ...options, source, closed: (answer) => (known = answer) });
    await closing.ask();
    closing.close();
    const again = new Resolution({ ...options, source, known });
    const atOnce = names(again);
    documents[0]!.edit(two);
    await again.ask();
    expect([atOnce, names(again)]).toEqual([['one'], ['one', 'two']]);
  });

  it('ask() sends the texts of every unsaved document, and only those', async () => {
    const { engine, documents, resolution } = await open('a.lens', 'b.lens', 'c.lens');
    documents[0]!.edit(two);
    documents[2]!.edit('mine');
    await resolution.ask();
    expect([names(resolution), engine.unsaved]).toEqual([
      ['one', 'two'],
      [
        [
          { file: 'a.lens', text: two },
          { file: 'c.lens', text: 'mine' },
        ],
      ],
    ]);
  });

  it('ask() drops an answer that is overtaken, whether good or bad', async () => {
    const { engine, documents, resolution } = await open('a.lens');
    const { promise, resolve } = deferred();
    engine.delays.set('lens.resolve', promise);
    const early = resolution.ask();
    engine.delays.clear();
    documents[0]!.edit(two);
    await resolution.ask();
    resolve();
    await early;
    expect(names(resolution)).toEqual(['one', 'two']);
  });

  it('keeps the last answer while another is on the way and when there is none', async () => {
    const { engine, resolution } = await open('a.lens');
    await resolution.ask();
    engine.refusals.set('lens.resolve', 'workspace.not-open');
    await resolution.ask();
    expect([names(resolution), resolution.failure?.code]).toEqual([['one'], 'workspace.not-open']);
    engine.refusals.clear();
    await resolution.ask();
    expect(resolution.failure).toBeUndefined();
  });

  it('keeps what still holds, with the texts of now, and asks for it no more', async () => {
    const { engine, documents } = await open('a.lens');
    const current: string[] = [];
    const lens: Partial<StudioClient['lens']> = {
      resolve: async (...asked) => ({ ...(await engine.client.lens.resolve(...asked)), version: 'first' }),
      isCurrent: ({ version }) => {
        current.push(version);
        return Promise.resolve(current.length === 1);
      },
    };
    const client = { ...engine.client, lens: { ...engine.client.lens, ...lens } };
    const resolution = new Resolution({
      ...{ file: 'a.lens' as FileId, clock: new ManualClock(), documents: () => documents },
      source: () => ({ client, workspace: engine.workspaceId }),
    });
    await resolution.ask();
    const { result } = resolution;
    await resolution.ask();
    const again = resolution.result;
    await resolution.ask();
    expect([again === result, resolution.result === result, resolution.isOf(documents[0]!)]).toEqual([
      true,
      false,
      true,
    ]);
    documents[0]!.edit(two);
    await resolution.ask();
    expect([current, engine.unsaved.length, names(resolution)]).toEqual([
      ['first', 'first'],
      3,
      ['one', 'two'],
    ]);
  });

  it('isOf() is true only for the text that was resolved', async () => {
    const { documents, resolution } = await open('a.lens', 'b.lens');
    await resolution.ask();
    documents[1]!.edit('mine');
    expect(documents.map((document) => resolution.isOf(document))).toEqual([true, false]);
  });

  it('says so when a text is larger than the engine takes', async () => {
    const { engine, documents, resolution } = await open('a.lens');
    documents[0]!.edit('#'.repeat(1_048_577));
    await resolution.ask();
    expect([engine.unsaved, resolution.failure?.code]).toEqual([[], 'file.too-large']);
  });

  it('close() ends what is waiting and what is under way', async () => {
    const { engine, clock, resolution } = await open('a.lens');
    const { promise, resolve } = deferred();
    engine.delays.set('lens.resolve', promise);
    void resolution.ask();
    resolution.refresh(150);
    resolution.close();
    resolve();
    await settled();
    await clock.advance(200);
    expect([names(resolution), engine.unsaved.length]).toEqual([undefined, 1]);
  });
});
