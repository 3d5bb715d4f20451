import { isMap } from 'yaml';
import { setField } from '#shared/lens/edit/field-edits.ts';
import { addItem, duplicateItem } from '#shared/lens/edit/item-edits.ts';
import { freeName } from '#shared/lens/names.ts';
import { pathAt } from '#shared/lens/edit/path-at.ts';
import { moveEntry } from '#shared/lens/edit/rearrange.ts';
import { removeAt } from '#shared/lens/edit/remove.ts';
import { nextLine } from '#shared/lens/edit/text-lines.ts';
import type { Plain } from '#shared/lens/edit/tree.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { Path } from '#shared/lens/yaml/source.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { FormState } from '#renderer/state/form-state.svelte.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import { toFailure } from '#renderer/state/failure.ts';
import { placeForNew } from './items.ts';
import type { InheritedItem, OwnItem } from './items.ts';
import type { ItemsContent } from './sections.ts';
import { isRecord } from './values.ts';

/** The items of one section and where they are shown. */
export interface ItemsInView {
  readonly form: FormState;
  readonly section: string;
  readonly content: ItemsContent;
  readonly own: readonly OwnItem[];
}

/** Adds an item behind the others and shows it; answers why it could not. */
export function addNew({ form, section, content, own }: ItemsInView): string | undefined {
  const { noun, start } = content;
  const name = freeName(`new-${noun}`, new Set(own.map((item) => item.name)));
  const refusal = form.edit({
    label: `Add ${noun}`,
    make: (source) => {
      const place = placeForNew(source, form.root, content);
      return content.isMap === true || isMap(source.find(place))
        ? setField(source, { item: place, key: name }, start)
        : addItem(source, place, { name, ...start });
    },
  });
  if (refusal === undefined) form.show(section, own.length);
  return refusal;
}

/** Moves an item among those of its own list and goes with it; answers why it could not. */
export function move(
  { form, section, own, content }: ItemsInView,
  from: number,
  to: number,
): string | undefined {
  const [item, target] = [own[from], own[to]];
  if (!item || !target || from === to) return undefined;
  if (parentOf(item.path) !== parentOf(target.path))
    return 'Cannot move it there: the two stand in different lists';
  const step = target.path.at(-1)!;
  const siblings = own.filter(({ path }) => parentOf(path) === parentOf(item.path));
  const index = typeof step === 'number' ? step : siblings.indexOf(target);
  const refusal = form.edit({
    label: `Move ${content.noun} ${item.name}`,
    make: (source) => moveEntry(source, item.path, index),
  });
  if (refusal === undefined) form.show(section, to);
  return refusal;
}

/** Writes a copy below an item and shows it; answers why it could not. */
export function duplicate({ form, section, own, content }: ItemsInView, index: number): string | undefined {
  const item = own[index]!;
  const refusal = form.edit({
    label: `Copy ${content.noun} ${item.name}`,
    make: (source) => {
      if (typeof item.path.at(-1) === 'number') return duplicateItem(source, item.path);
      const name = freeName(`${item.name}-copy`, new Set(own.map((other) => other.name)));
      return setField(source, { item: item.path.slice(0, -1), key: name }, item.value as Plain);
    },
  });
  if (refusal === undefined) form.show(section, index + 1);
  return refusal;
}

/** Takes an item out, and its list with the last one; answers why it could not. */
export function remove({ form, section, own, content }: ItemsInView, index: number): string | undefined {
  const item = own[index]!;
  const list = item.path.slice(0, -1);
  const isOnly = own.length === 1 && list.length > form.root.length;
  const refusal = form.edit({
    label: `Remove ${content.noun} ${item.name}`,
    make: (source) =>
      isOnly
        ? setField(source, { item: list.slice(0, -1), key: String(list.at(-1)) }, undefined)
        : removeAt(source, item.path),
  });
  if (refusal === undefined) form.show(section, Math.min(index, own.length - 2));
  return refusal;
}

/** The text of an inherited item as its own file has it, and what it says. */
export async function readInherited(
  studio: Studio,
  { origin, name }: InheritedItem,
): Promise<{ yaml: string; value: Plain } | { failure: string }> {
  try {
    const text = await studio.readText(origin.file as FileId);
    const { source } = openYaml(text, origin.file);
    let offset = 0;
    for (let line = 1; line < origin.line; line++) offset = nextLine(text, offset);
    const path = itemPathOf(pathAt(source, offset + origin.column - 1));
    const node = source.find(path);
    if (!node) return { failure: `"${name}" is not in "${origin.file}" any more` };
    const [start, end] = node.range;
    const indent = new RegExp(`\n {0,${source.at(node).column - 1}}`, 'g');
    return {
      yaml: text.slice(start, end).trimEnd().replace(indent, '\n'),
      value: source.plain(node) as Plain,
    };
  } catch (error) {
    return { failure: toFailure(error).message };
  }
}

/** The item around a place in it: up to the innermost list or map of items. */
function itemPathOf(path: Path): Path {
  const lists = ['skills', 'heuristics', 'principles', 'anti_heuristics', 'personas', 'validators'];
  const maps = ['deterministic', 'heuristic', 'workflows', 'inputs'];
  const at = path.findLastIndex((step) => [...lists, ...maps].includes(String(step)));
  return path.slice(0, at + 2);
}

/** Writes an inherited item into this lens, as one that is meant to replace it, and shows it. */
export function overrideHere(
  { form, section, own, content }: ItemsInView,
  name: string,
  value: Plain,
): string | undefined {
  const refusal = form.edit({
    label: `Override ${content.noun} ${name}`,
    make: (source) => {
      const place = placeForNew(source, form.root, content);
      if (content.isMap === true) return setField(source, { item: place, key: name }, value);
      const fields = isRecord(value) ? (value as Record<string, Plain>) : {};
      const written = content.noun === 'workflow' ? { name, ...fields } : { name, ...fields, override: true };
      return addItem(source, place, written);
    },
  });
  if (refusal === undefined) form.show(section, own.length);
  return refusal;
}

function parentOf(path: Path): string {
  return JSON.stringify(path.slice(0, -1));
}
