import { isMap, isScalar, isSeq } from 'yaml';
import { lookupName, lookupSkillName } from '#shared/lens/names.ts';
import { keyText, pairsOf } from '#shared/lens/yaml/source.ts';
import type { Path, YamlSource } from '#shared/lens/yaml/source.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { LensDocument } from '#shared/model/lens-document.ts';
import type { ItemsContent, Section } from './sections.ts';
import { isRecord } from './values.ts';

/** An item that is written in this file. */
export interface OwnItem {
  readonly path: Path;
  readonly name: string;
  readonly value: unknown;
}

/** An item that comes from another file. */
export interface InheritedItem {
  readonly name: string;
  readonly origin: Location;
}

interface LensItem extends InheritedItem {
  readonly overrides?: Location | undefined;
}

/** The items of a section that are written in this file, in order. */
export function ownItems(source: YamlSource, root: Path, content: ItemsContent): OwnItem[] {
  return content.places.flatMap((place) => {
    const path = [...root, ...place];
    const node = source.find(path);
    if (isSeq(node)) {
      return node.items.flatMap((_, index) => listItem(source, [...path, index], content));
    }
    const isOfNames = content.isMap === true || content.noun === 'workflow';
    if (!isOfNames || !isMap(node)) return [];
    return pairsOf(node).flatMap(({ key, value }) => {
      const name = keyText(key);
      return name === undefined ? [] : [{ path: [...path, name], name, value: source.plain(value) }];
    });
  });
}

function listItem(source: YamlSource, path: Path, { shortKey, isOther, noun }: ItemsContent): OwnItem[] {
  const node = source.find(path);
  const value = source.plain(node ?? null);
  if (isScalar(node) || node === undefined) {
    const name = typeof value === 'string' ? value : '';
    return shortKey === undefined && noun !== 'input' ? [] : [{ path, name, value }];
  }
  if (!isRecord(value) || isOther?.(value)) return [];
  const name = value['name'] ?? value['include'];
  return [{ path, name: typeof name === 'string' ? name : '', value }];
}

/** Where a new item of a section is written: among those that are there, else at the usual place. */
export function placeForNew(
  source: YamlSource,
  root: Path,
  { places, isMap: isOfNames }: ItemsContent,
): Path {
  const fits = (path: Path): boolean => {
    const node = source.find(path);
    return isSeq(node) || (isOfNames === true && isMap(node));
  };
  const usual = [...root, ...places[0]!];
  const written = places.map((place) => [...root, ...place]).find(fits);
  if (written) return written;
  // A list of heuristics may be one part of a map of several.
  const inner = places
    .map((place) => [...root, ...place])
    .find((path) => isMap(source.find(path.slice(0, -1))) && path.length > usual.length);
  return inner && isMap(source.find(usual)) ? inner : usual;
}

/** The items of a section that this lens takes from others, and that it does not write itself. */
export function inheritedItems(
  lens: LensDocument | null | undefined,
  { id }: Section,
  own: readonly OwnItem[],
): InheritedItem[] {
  const all = lens && itemsOfLens(lens)[id];
  if (!all) return [];
  const lookup = id === 'skills' ? lookupSkillName : lookupName;
  const names = new Set(own.map(({ name }) => lookup(name)));
  return all.filter(({ name, origin }) => origin.file !== lens.file && !names.has(lookup(name)));
}

/** Where the item stands that one of this lens replaces, if it replaces one. */
export function overriddenBy(
  lens: LensDocument | null | undefined,
  { id }: Section,
  name: string,
): Location | undefined {
  const items = lens && itemsOfLens(lens)[id];
  return items?.find((item) => item.name === name && item.origin.file === lens?.file)?.overrides;
}

function itemsOfLens(lens: LensDocument): Readonly<Record<string, readonly LensItem[] | undefined>> {
  return {
    heuristics: lens.heuristics,
    anti_heuristics: lens.antiHeuristics,
    personas: lens.personas,
    deterministic: lens.validators.deterministic,
    heuristic: lens.validators.heuristic,
    workflows: lens.workflows,
    inputs: lens.inputs,
    skills: lens.skills,
  };
}
