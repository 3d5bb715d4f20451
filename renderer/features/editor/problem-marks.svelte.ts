import type { Location, Severity } from '#shared/model/diagnostic.ts';
import type { Problem } from '#renderer/state/problems.svelte.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import { applyFix } from './apply-fix.ts';
import type { Monaco } from './monaco.ts';

/** Underlines the problems of a file in its text and offers their fixes there, until the returned function is called. */
export function markProblems(
  monaco: typeof Monaco,
  studio: Studio,
  { file, model }: { file: string; model: Monaco.editor.ITextModel },
): () => void {
  const command = `sunwell.fix ${model.id}`;
  $effect(() => {
    const markers = studio.problems.inFile(file).flatMap((problem) => marker(monaco, model, problem));
    monaco.editor.setModelMarkers(model, 'sunwell', markers);
  });
  const parts = [
    monaco.editor.registerCommand(command, (_, id: string, title: string) => {
      const problem = studio.problems.inFile(file).find((known) => known.id === id);
      const fix = problem?.fixes.find((known) => known.title === title);
      if (problem && fix) void applyFix(studio, problem, fix);
    }),
    monaco.languages.registerCodeActionProvider(model.getLanguageId(), {
      provideCodeActions: (asked, range) => ({
        actions: asked === model ? actionsIn(studio.problems.inFile(file), range, command) : [],
        dispose: () => undefined,
      }),
    }),
  ];
  return () => {
    for (const part of parts) part.dispose();
  };
}

function actionsIn(
  problems: readonly Problem[],
  range: Monaco.Range,
  command: string,
): Monaco.languages.CodeAction[] {
  return problems
    .filter(
      ({ place }) => place && place.line <= range.endLineNumber && place.endLine >= range.startLineNumber,
    )
    .flatMap((problem) =>
      problem.fixes.map(({ title }) => ({
        ...{ title, kind: 'quickfix' },
        command: { id: command, title, arguments: [problem.id, title] },
      })),
    );
}

function marker(
  monaco: typeof Monaco,
  model: Monaco.editor.ITextModel,
  problem: Problem,
): Monaco.editor.IMarkerData[] {
  const { place, message, code, severity } = problem;
  if (!place) return [];
  const known: Record<Severity, Monaco.MarkerSeverity> = {
    error: monaco.MarkerSeverity.Error,
    warning: monaco.MarkerSeverity.Warning,
    info: monaco.MarkerSeverity.Info,
  };
  return [
    {
      ...{ message, severity: known[severity], ...(code === undefined ? {} : { code }), source: 'sunwell' },
      ...firstLine(model, place),
    },
  ];
}

/** A problem of a whole skill would otherwise underline the page, and the real slips in it could not be seen. */
function firstLine(model: Monaco.editor.ITextModel, place: Location): Monaco.IRange {
  const startLineNumber = Math.min(place.line, model.getLineCount());
  const endColumn = place.endLine > place.line ? model.getLineMaxColumn(startLineNumber) : place.endColumn;
  return { startLineNumber, startColumn: place.column, endLineNumber: startLineNumber, endColumn };
}
