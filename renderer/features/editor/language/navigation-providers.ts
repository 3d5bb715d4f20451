import type { Location } from '#shared/model/diagnostic.ts';
import type { Monaco } from '../monaco.ts';
import type { Language } from './language-client.ts';
import { Previews } from './previews.ts';
import { placeRange, rangeOf, spotOf, tabOf } from './spots.ts';

/** Hover, go to definition, find references: a place in another file opens its tab. */
export function registerNavigation({ monaco, studio, client }: Language): void {
  const previews = new Previews(monaco);
  const locate = (
    model: Monaco.editor.ITextModel,
    places: readonly Location[],
    texts: ReadonlyMap<string, string>,
  ): Monaco.languages.Location[] =>
    places.map((place) => {
      const isHere = place.file === tabOf(model)?.document.file;
      const uri = isHere ? model.uri : previews.show(place.file, texts.get(place.file) ?? '');
      return { uri, range: placeRange(place) };
    });

  monaco.languages.registerHoverProvider('yaml', {
    provideHover: async (model, position) => {
      const spot = spotOf(model, position);
      if (!spot) return null;
      const { answer } = await client.ask('hover', spot);
      return answer ? { range: rangeOf(model, answer), contents: [{ value: answer.markdown }] } : null;
    },
  });
  monaco.languages.registerDefinitionProvider('yaml', {
    provideDefinition: async (model, position) => {
      const spot = spotOf(model, position);
      if (!spot) return null;
      const { answer, texts } = await client.ask('definition', spot);
      return locate(model, answer, texts);
    },
  });
  monaco.languages.registerReferenceProvider('yaml', {
    provideReferences: async (model, position) => {
      const spot = spotOf(model, position);
      if (!spot) return null;
      const { answer, texts } = await client.ask('references', spot);
      return locate(model, answer, texts);
    },
  });
  monaco.editor.registerEditorOpener({
    openCodeEditor: (_, resource, at) => {
      const file = previews.fileOf(resource);
      if (file === undefined) return false;
      studio.openTextAt({ file, ...placeAt(at) });
      return true;
    },
  });
}

function placeAt(at: Monaco.IRange | Monaco.IPosition | undefined): Omit<Location, 'file'> {
  if (at && 'startLineNumber' in at) {
    return {
      ...{ line: at.startLineNumber, column: at.startColumn },
      ...{ endLine: at.endLineNumber, endColumn: at.endColumn },
    };
  }
  const { lineNumber: line, column } = at ?? { lineNumber: 1, column: 1 };
  return { line, column, endLine: line, endColumn: column };
}
