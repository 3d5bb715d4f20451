import { setValue } from '#shared/lens/edit/set.ts';
import { renameKey } from '#shared/lens/edit/rearrange.ts';
import { renameAt } from '#shared/lens/language/rename.ts';
import type { Path } from '#shared/lens/yaml/source.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import type { OwnItem } from './items.ts';

/** Gives an item another name wherever it is named, in all files; answers why it could not. */
export async function renameItem(
  studio: Studio,
  tab: Tab,
  { item, newName }: { item: OwnItem; newName: string },
): Promise<string | undefined> {
  const namePath = [...item.path, 'name'];
  const node = tab.form.source.find(namePath);
  if (!node) return 'There is no name to change';
  const entries = studio.workspace.entries.filter(({ kind }) => kind !== 'agent-skill');
  const read = await Promise.allSettled(
    entries.map(async ({ file, kind }) => ({ file, kind, text: await studio.readText(file) })),
  );
  // A file that cannot be read mentions nothing that could be changed.
  const files = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const known = files.map(({ file, kind, text }) => ({
    file,
    kind: kind === 'lens' ? kind : ('library' as const),
    text,
  }));
  const { file } = tab.document;
  const graphs = studio.tabs.all.flatMap(({ resolution }) => resolution?.result?.graph ?? []);
  const renamed = renameAt({ file, offset: node.range[0] + 1 }, { files: known, newName, graphs });
  if (!renamed.ok) return renamed.message;
  const label = `Rename ${item.name} to ${newName}`;
  const texts = new Map(files.map((one) => [one.file as string, one.text]));
  if (!(await studio.edits.apply({ label, edits: renamed.edits, texts })))
    return 'The files changed meanwhile: try again';
  const count = new Set(renamed.edits.map((edit) => edit.file)).size;
  studio.notices.speak(count > 1 ? `${label} in ${count} files` : label);
  for (const note of renamed.notes) studio.notices.tell(note);
  return undefined;
}

/** Gives an item another name in this text only, where nothing refers to it by name. */
export function renameHere(tab: Tab, item: OwnItem, newName: string): string | undefined {
  const isKey = typeof item.path.at(-1) === 'string';
  const path: Path = isKey ? item.path : [...item.path, 'name'];
  return tab.form.edit({
    label: `Rename ${item.name} to ${newName}`,
    make: (source) => (isKey ? renameKey(source, path, newName) : setValue(source, path, newName)),
  });
}
