import { draw } from './drawing.ts';
import { printableText } from './printable-text.ts';
import type { SkillGraph } from './skill-graph.ts';

/** The graph as a Mermaid flowchart, dependencies on the left; skills in or behind a cycle are dashed. */
export function toMermaid(graph: SkillGraph): string {
  const { nodes, edges } = draw(graph);
  const lines = ['flowchart LR'];
  nodes.forEach(({ label, isUnplaced }, i) => {
    lines.push(`  s${i}["${escapeMermaid(label)}"]${isUnplaced ? ':::unplaced' : ''}`);
  });
  for (const [from, to] of edges) lines.push(`  s${from} --> s${to}`);
  if (nodes.some(({ isUnplaced }) => isUnplaced)) lines.push('  classDef unplaced stroke-dasharray:4 4');
  return `${lines.join('\n')}\n`;
}

/** Everything but letters, digits and inner hyphens becomes an entity: Mermaid reads Markdown and HTML in labels. */
function escapeMermaid(text: string): string {
  return printableText(text).replace(
    /(?<![\p{L}\p{N}])-|[^\p{L}\p{N} -]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
