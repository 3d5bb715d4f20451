import { toFailure } from '#renderer/state/failure.ts';
import type { Monaco } from '../monaco.ts';
import type { Language } from './language-client.ts';
import { rangeOf, spotOf } from './spots.ts';

/** Renames skills, keys, validators, personas, presets and lenses in all files, as one step of undo. */
export function renameProvider({ studio, client }: Language): Monaco.languages.RenameProvider {
  return {
    resolveRenameLocation: async (model, position) => {
      const spot = spotOf(model, position);
      const answer = spot && (await client.ask('renameTarget', spot)).answer;
      if (answer?.span) return { range: rangeOf(model, answer.span), text: answer.name };
      const { lineNumber, column } = position;
      const here = {
        startLineNumber: lineNumber,
        startColumn: column,
        endLineNumber: lineNumber,
        endColumn: column,
      };
      return { range: here, text: '', rejectReason: 'There is no name to change here' };
    },
    provideRenameEdits: async (model, position, newName) => {
      const spot = spotOf(model, position);
      if (!spot) return { edits: [], rejectReason: 'There is no name to change here' };
      const graphs = studio.tabs.all.flatMap(({ resolution }) => resolution?.result?.graph ?? []);
      const asked = await client.ask('rename', { spot, newName, graphs }).catch(toFailure);
      if ('message' in asked) {
        studio.notices.warn(asked);
        return { edits: [] };
      }
      const { answer, texts } = asked;
      if (!answer.ok) {
        // What the editor is told here it only writes to its log.
        studio.notices.tell(answer.message);
        return { edits: [] };
      }
      // The documents make the edits, all at once: the editor itself would touch open models only, and by its own undo.
      await studio.edits.apply({ label: `Rename to "${newName}"`, edits: answer.edits, texts });
      for (const note of answer.notes) studio.notices.tell(note);
      return { edits: [] };
    },
  };
}
