import { pathAt } from '#shared/lens/edit/path-at.ts';
import { nextLine } from '#shared/lens/edit/text-lines.ts';
import type { Path, YamlSource } from '#shared/lens/yaml/source.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';

/** A problem and the entry of the file that it is about. */
export interface PlacedProblem {
  readonly path: Path;
  readonly diagnostic: Diagnostic;
}

/** The problems of one file, each with the path of the entry in which it stands. */
export function placeProblems(source: YamlSource, diagnostics: readonly Diagnostic[]): PlacedProblem[] {
  const starts = [0];
  for (let at = nextLine(source.text, 0); at < source.text.length; at = nextLine(source.text, at))
    starts.push(at);
  return diagnostics
    .filter(({ location }) => location.file === source.file)
    .map((diagnostic) => {
      const { line, column } = diagnostic.location;
      const offset = (starts[Math.min(line, starts.length) - 1] ?? 0) + column - 1;
      return { path: pathAt(source, offset), diagnostic };
    });
}

/** Whether a path is the other or leads there. */
export function leadsTo(path: Path, other: Path): boolean {
  return path.length <= other.length && path.every((step, i) => String(step) === String(other[i]));
}
