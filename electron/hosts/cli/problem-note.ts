import type { Resolution } from '#engine/resolve/resolve.ts';
import { countText } from '#shared/quantities.ts';
import { shellQuoted } from './completion/quote.ts';
import type { Invocation } from './invocation.ts';
import { shownPath } from './shown-path.ts';
import { inert } from './terminal.ts';

/** Says on standard error that what is printed has problems, and how to see them. */
export function noteProblems(invocation: Invocation, { diagnostics, source }: Resolution): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  noteCounted(invocation, source.path, { errors, warnings });
}

/** The same of problems that were counted before. */
export function noteCounted(
  {
    output,
    terminal,
  }: Pick<Invocation, 'output'> & {
    readonly terminal: Pick<Invocation['terminal'], 'workingDirectory'>;
  },
  path: string,
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
): void {
  const found = [
    ...(errors > 0 ? [countText(errors, 'error')] : []),
    ...(warnings > 0 ? [countText(warnings, 'warning')] : []),
  ];
  if (found.length > 0) {
    const file = shellQuoted(shownPath(terminal.workingDirectory, path));
    output.note(inert(`${found.join(' and ')}: run "sunwell validate ${file}" to see them`));
  }
}
