import { setValue } from '#shared/lens/edit/set.ts';
import { renameKey } from '#shared/lens/edit/rearrange.ts';
import { renameAt } from '#shared/lens/language/rename.ts';
import type { Path } from '#shared/lens/yaml/source.ts';
import { toFailure } from '#renderer/state/failure.ts';
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
  const files = await studio.languageFiles.withFixtures().catch(toFailure);
  if ('message' in files) return files.message;
  const { file } = tab.document;
  const graphs = studio.tabs.all.flatMap(({ resolution }) => resolution?.result?.graph ?? []);
  const renamed = renameAt({ file, offset: node.range[0] + 1 }, { files, newName, graphs });
  if (!renamed.ok) return renamed.message;
  const label = `Rename ${item.name} to ${newName}`;
  const texts = new Map(files.map((one) => [one.file, one.text]));
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
