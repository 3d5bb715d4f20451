import { draw } from './drawing.ts';
import { layout } from './layout.ts';
import { printableText } from './printable-text.ts';
import type { SkillGraph } from './skill-graph.ts';

const size = {
  column: 240,
  row: 56,
  nodeWidth: 184,
  nodeHeight: 36,
  header: 44,
  margin: 16,
  labelLength: 22,
};

const style = [
  'text{font:13px Inter,system-ui,"Segoe UI",sans-serif;fill:#22252b}',
  '.head{font-size:12px;font-weight:600;fill:#5a606b}',
  '.wave{fill:#f8f7f4}.wave.odd{fill:#f0eee9}',
  '.skill rect{fill:#fff;stroke:#cfcac0}.skill.unplaced rect{stroke:#b3301f;stroke-dasharray:4 4}',
  '.edge{fill:none;stroke:#a39d91;stroke-width:1.5}',
].join('');

/** The graph as a standalone picture: a column per wave, dependencies on the left, nothing to fetch or run. */
export function toSvg(graph: SkillGraph, title: string): string {
  const { waves, nodes, edges } = draw(graph);
  const { columnCount, columnSizes, wave, row } = layout(graph, waves);
  const rows = columnSizes.reduce((most, count) => Math.max(most, count), 1);
  const width = Math.max(1, columnCount) * size.column;
  const height = size.header + rows * size.row + size.margin;
  const x = nodes.map(({ node }) => wave[node]! * size.column + (size.column - size.nodeWidth) / 2);
  const y = nodes.map(({ node }) => {
    const above = (rows - columnSizes[wave[node]!]!) / 2;
    return size.header + (above + row[node]!) * size.row + (size.row - size.nodeHeight) / 2;
  });

  const columns = Array.from(columnSizes, (_, i) => {
    const heading = i < waves.waves.length ? `Wave ${i + 1}` : 'In or behind a cycle';
    const left = i * size.column;
    return (
      `<rect class="wave${i % 2 ? ' odd' : ''}" x="${left}" y="0" width="${size.column}" height="${height}"/>` +
      `<text class="head" x="${left + size.margin}" y="28">${heading}</text>`
    );
  });
  const curves = edges.map(([from, to]) => {
    if (from === to) return edgePath(`M${x[from]! + 110} ${y[from]}c12 -18 -48 -18 -36 0`);
    const startX = x[from]! + size.nodeWidth;
    const startY = y[from]! + size.nodeHeight / 2;
    const endX = x[to]!;
    const endY = y[to]! + size.nodeHeight / 2;
    const bend = Math.max(28, Math.abs(endX - startX) / 2);
    return edgePath(`M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`);
  });
  const boxes = nodes.map(
    ({ label, isUnplaced }, i) =>
      `<g class="skill${isUnplaced ? ' unplaced' : ''}" transform="translate(${x[i]} ${y[i]})"><title>${escapeXml(label)}</title>` +
      `<rect width="${size.nodeWidth}" height="${size.nodeHeight}" rx="8"/>` +
      `<text x="12" y="${size.nodeHeight / 2 + 4.5}">${escapeXml(shorten(label))}</text></g>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">' +
      '<path d="M0 0L8 4L0 8z" fill="#a39d91"/></marker></defs>',
    ...columns,
    ...curves,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}

function edgePath(curve: string): string {
  return `<path class="edge" d="${curve}" marker-end="url(#arrow)"/>`;
}

function shorten(label: string): string {
  const characters = [...label];
  return characters.length > size.labelLength
    ? `${characters.slice(0, size.labelLength - 1).join('')}…`
    : label;
}

function escapeXml(text: string): string {
  return printableText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
