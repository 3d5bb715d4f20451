import { lensDocument } from '#engine/resolve/documents.ts';
import { StudioError } from '#shared/errors.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { LensDocument } from '#shared/model/lens-document.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { noteProblems } from '../problem-note.ts';
import { columns } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';

interface Item {
  readonly name: string;
  readonly origin: Location;
  readonly overrides?: Location | undefined;
}

/** Prints a lens with everything it extends and composes: each item with where it comes from and what it replaced. */
export async function lensResolve(invocation: Invocation, named: string): Promise<ExitCode> {
  const { output } = invocation;
  const { resolution } = await resolveNamed(invocation, named);
  const document = lensDocument(resolution);
  if (!document) {
    const message = `Cannot resolve "${named}" as a lens: it is a library, "sunwell lens skill-graph" draws it`;
    throw new StudioError('file.unknown-kind', message, { file: named });
  }
  if (output.isJson) output.document(document);
  else printOrigins(output, document);
  noteProblems(invocation, resolution);
  return ExitCode.ok;
}

function printOrigins(output: Output, document: LensDocument): void {
  const { metadata, validators } = document;
  const title = [metadata.name ?? document.file, metadata.version].filter((part) => part !== undefined);
  output.line(output.styled('bold', inert(title.join(' '))));
  output.line(inert(`  from ${[document.file, ...document.extends].join(', which extends ')}`));
  const sections: [string, readonly Item[]][] = [
    ['Heuristics', document.heuristics],
    ['Anti-heuristics', document.antiHeuristics],
    ['Personas', document.personas],
    ['Deterministic validators', validators.deterministic],
    ['Heuristic validators', validators.heuristic],
    ['Workflows', document.workflows],
    ['Inputs', document.inputs],
    ['Skills', document.skills],
  ];
  for (const [title, items] of sections) {
    if (items.length === 0) continue;
    output.line('');
    output.line(output.styled('bold', title));
    const rows = items.map(({ name, origin, overrides }) => [
      `  ${name}`,
      placeText(origin) + (overrides ? `, replaces ${placeText(overrides)}` : ''),
    ]);
    for (const line of columns(rows)) output.line(line);
  }
  const shortcuts = Object.entries(document.shortcuts);
  if (shortcuts.length === 0) return;
  output.line('');
  output.line(output.styled('bold', 'Shortcuts'));
  for (const line of columns(
    shortcuts.map(([key, { skill, resolved }]) => [`  ${key}`, resolved ?? `${skill} (missing)`]),
  ))
    output.line(line);
}

function placeText({ file, line }: Location): string {
  return `${file}:${line}`;
}
