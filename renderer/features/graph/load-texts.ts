import type { GraphDrawing } from '#renderer/state/graph-drawing.ts';
import type { KnownTexts } from '#renderer/state/graph-find.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';

const mostFiles = 60;

/** The texts of the files that the skills of a drawing are written in, as far as the workspace has them. */
export async function loadTexts(studio: Studio, drawing: GraphDrawing): Promise<KnownTexts> {
  const files = [...new Set(drawing.skills.map(({ skill }) => skill.origin.file))]
    .flatMap((file) => studio.workspace.entry(file)?.file ?? [])
    .slice(0, mostFiles);
  const texts = await Promise.allSettled(files.map((file) => studio.readText(file)));
  // A file that cannot be read is marked in the explorer; its skills are still found by name.
  return new Map(
    texts.flatMap((text, i) => (text.status === 'fulfilled' ? [[files[i]!, text.value] as const] : [])),
  );
}
