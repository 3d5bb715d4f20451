import { draw } from './drawing.ts';
import { printableText } from './printable-text.ts';
import type { SkillGraph } from './skill-graph.ts';

/** The graph in Graphviz's language, dependencies on the left; skills in or behind a cycle are dashed. */
export function toDot(graph: SkillGraph, title: string): string {
  const { nodes, edges } = draw(graph);
  const lines = [`digraph ${quote(title)} {`, '  rankdir=LR;', '  node [shape=box, style=rounded];'];
  nodes.forEach(({ label, isUnplaced }, i) => {
    lines.push(`  s${i} [label=${quote(label)}${isUnplaced ? ', style="rounded,dashed"' : ''}];`);
  });
  for (const [from, to] of edges) lines.push(`  s${from} -> s${to};`);
  return `${lines.join('\n')}\n}\n`;
}

/** A backslash is doubled because Graphviz expands `\N` and its like in labels. */
function quote(text: string): string {
  return `"${printableText(text).replace(/["\\]/g, '\\$&').replace(/&/g, '&amp;')}"`;
}
