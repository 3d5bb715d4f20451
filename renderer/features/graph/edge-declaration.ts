import { declarationOf } from '#renderer/state/graph-find.ts';
import type { EdgeEnds } from '#renderer/state/graph-state.svelte.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import { toFailure } from '#renderer/state/failure.ts';

/** Opens the text at the line that makes one skill depend on another. */
export async function openDeclaration(studio: Studio, tab: Tab, { from, to }: EdgeEnds): Promise<void> {
  const [source, target] = [tab.drawing?.byKey.get(from), tab.drawing?.byKey.get(to)];
  const entry = target && studio.workspace.entry(target.skill.origin.file);
  if (!source || !entry) return;
  try {
    const text = await studio.readText(entry.file);
    studio.openAt(declarationOf(text, target, source));
  } catch (error) {
    studio.notices.warn(toFailure(error));
  }
}
