import { InvalidArgumentError } from 'commander';
import { graphDocument } from '#engine/resolve/documents.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { labels } from '#shared/graph/labels.ts';
import { toDot } from '#shared/graph/to-dot.ts';
import { toMermaid } from '#shared/graph/to-mermaid.ts';
import { toSvg } from '#shared/graph/to-svg.ts';
import { waves } from '#shared/graph/waves.ts';
import { countText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { noteProblems } from '../problem-note.ts';
import { columns } from '../table.ts';
import { inert, jsonText } from '../terminal.ts';
import { writeNamedFile } from '../write-named-file.ts';

export interface SkillGraphOptions {
  readonly mermaid?: true;
  readonly dot?: true;
  readonly svg?: true;
  readonly output?: string;
}

/** Prints the graph of a lens or library in one of its forms, or writes it to a file. */
export async function lensSkillGraph(
  invocation: Invocation,
  named: string,
  options: SkillGraphOptions,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  const forms = [output.isJson, options.mermaid, options.dot, options.svg].filter(Boolean);
  if (forms.length > 1) throw new InvalidArgumentError('choose one of --json, --mermaid, --dot and --svg');
  const { resolution } = await resolveNamed(invocation, named);
  const text = render(resolution, output.isJson, options);
  if (options.output === undefined) output.line(text.replace(/\n$/, ''));
  else await writeNamedFile(terminal, options.output, text);
  noteProblems(invocation, resolution);
  return ExitCode.ok;
}

function render(resolution: Resolution, isJson: boolean, { mermaid, dot, svg }: SkillGraphOptions): string {
  const { graph } = resolution;
  if (isJson) return `${jsonText(graphDocument(resolution))}\n`;
  if (mermaid) return toMermaid(graph);
  if (dot) return toDot(graph, titleOf(resolution));
  if (svg) return toSvg(graph, titleOf(resolution));
  return `${waveLines(resolution).join('\n')}\n`;
}

function waveLines(resolution: Resolution): string[] {
  const { graph } = resolution;
  const label = labels(graph);
  const placed = waves(graph);
  const listed = (nodes: readonly number[]): string => nodes.map((node) => label[node]).join(', ');
  const size = `${countText(graph.size, 'skill')} in ${countText(placed.waves.length, 'wave')}`;
  const rows = placed.waves.map((nodes, i) => [`Wave ${i + 1}`, String(nodes.length), listed(nodes)]);
  if (placed.unplaced.length > 0) {
    rows.push(['In or behind a cycle', String(placed.unplaced.length), listed(placed.unplaced)]);
  }
  return [inert(`${titleOf(resolution)}: ${size}`), ...columns(rows)];
}

function titleOf({ lens, source }: Resolution): string {
  return lens?.metadata.name ?? source.file;
}
