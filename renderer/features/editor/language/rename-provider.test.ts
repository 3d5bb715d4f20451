import { describe, expect, it } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import { settled } from '#renderer/state/testing/manual-clock.ts';
import { openLens } from '#renderer/state/testing/open-lens.ts';
import type { Monaco } from '../monaco.ts';
import { languageCalls } from './language-calls.ts';
import { filesFor } from './language-client.ts';
import type { Language } from './language-client.ts';
import { renameProvider } from './rename-provider.ts';
import { rememberModel } from './spots.ts';

const lens = 'skills:\n  - name: one\n  - {name: two, depends_on: [one]}\n';
const fixtures = "# quick\n- name: f\n  skill: 'one' # alone\n";

async function rig(from: 'lens' | 'fixtures' = 'lens') {
  const { engine, studio, tab } = await openLens({ 'a.lens': lens, 'tests/fixtures.yaml': fixtures });
  const [shown, text] =
    from === 'lens' ? [tab, lens] : [studio.tabs.openFile('tests/fixtures.yaml' as FileId), fixtures];
  await settled();
  const model = { getOffsetAt: () => text.indexOf('one') } as unknown as Monaco.editor.ITextModel;
  rememberModel(model, shown);
  // The worker answers with these very calls.
  const client = {
    ask: async (call: 'rename', params: Parameters<(typeof languageCalls)['rename']>[1]) => {
      const files = await filesFor({ call, file: params.spot.file as FileId }, studio);
      const texts = new Map(files.map(({ file, text }) => [file, text]));
      return { answer: languageCalls[call]({ files }, params), texts };
    },
  };
  const provider = renameProvider({ studio, client } as unknown as Language);
  const rename = (newName: string) =>
    provider.provideRenameEdits(
      model,
      { lineNumber: 2, column: 12 } as Monaco.Position,
      newName,
      {} as never,
    );
  return { engine, studio, rename };
}

const texts = ({ tabs }: Studio): string[] => tabs.all.map(({ document }) => document.text);

describe('renameProvider()', () => {
  it('renames a skill in its lens and in the fixtures as one step of undo', async () => {
    const { studio, rename } = await rig();
    expect(await rename('first')).toEqual({ edits: [] });
    expect(texts(studio)).toEqual([lens.replaceAll('one', 'first'), fixtures.replace("'one'", "'first'")]);
    studio.edits.undo();
    expect(texts(studio)).toEqual([lens, fixtures]);
  });

  it('renames the skill that fixtures name from there, as one step of undo', async () => {
    const { studio, rename } = await rig('fixtures');
    expect(await rename('first')).toEqual({ edits: [] });
    expect(texts(studio)).toEqual([lens.replaceAll('one', 'first'), fixtures.replace("'one'", "'first'")]);
    studio.edits.undo();
    expect(texts(studio)).toEqual([lens, fixtures]);
  });

  it('says why where the files cannot be listed, and renames nothing', async () => {
    const { engine, studio, rename } = await rig();
    engine.refusals.set('workspace.files', 'workspace.not-found');
    expect(await rename('first')).toEqual({ edits: [] });
    expect(studio.notices.shown.map(({ message }) => message)).toEqual(['Refused: workspace.not-found']);
    expect(texts(studio)).toEqual([lens]);
  });
});
