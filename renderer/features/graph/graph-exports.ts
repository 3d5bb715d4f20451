import { toDot } from '#shared/graph/to-dot.ts';
import { toMermaid } from '#shared/graph/to-mermaid.ts';
import { toSvg } from '#shared/graph/to-svg.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';

export type ExportFormat = 'mermaid' | 'svg' | 'dot' | 'json';

export const exportFormats: readonly { id: ExportFormat; title: string; extension: string; type: string }[] =
  [
    { id: 'mermaid', title: 'Mermaid', extension: 'mmd', type: 'text/plain' },
    { id: 'svg', title: 'SVG', extension: 'svg', type: 'image/svg+xml' },
    { id: 'dot', title: 'DOT', extension: 'dot', type: 'text/vnd.graphviz' },
    { id: 'json', title: 'JSON', extension: 'json', type: 'application/json' },
  ];

/** The whole graph in a format for elsewhere; undefined until it has been resolved. */
export function exportText(tab: Tab, format: ExportFormat): string | undefined {
  const { drawing, resolution } = tab;
  const document = resolution?.result?.graph;
  if (!drawing || !document) return undefined;
  switch (format) {
    case 'mermaid':
      return toMermaid(drawing.graph);
    case 'svg':
      return toSvg(drawing.graph, document.lensName);
    case 'dot':
      return toDot(drawing.graph, document.lensName);
    case 'json':
      return `${JSON.stringify(document, null, 2)}\n`;
  }
}

export async function copyExport(studio: Studio, tab: Tab, format: ExportFormat): Promise<void> {
  const text = exportText(tab, format);
  if (text === undefined) return;
  const { title } = exportFormats.find(({ id }) => id === format)!;
  try {
    await navigator.clipboard.writeText(text);
    studio.notices.tell(`Copied the graph as ${title}`);
  } catch {
    studio.notices.warn({
      message: 'Cannot copy: the browser did not allow it',
      wayOut: 'Save the graph as a file instead.',
    });
  }
}

export function saveExport(tab: Tab, format: ExportFormat): void {
  const text = exportText(tab, format);
  if (text === undefined) return;
  const { extension, type } = exportFormats.find(({ id }) => id === format)!;
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${tab.title.replace(/\.[^.]+$/, '')}.${extension}`;
  link.click();
  // Revoked later: a browser that asks where to save reads it only after the answer.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
