import type { Router, Shortcut } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import type { Fields } from './fields.ts';
import { given, unlessEmpty } from './given.ts';

/** Reads the router of a lens, with what tiers nest under `behavior` lifted. */
export function readRouter(lens: Fields): Router | undefined {
  const fields = lens.map('router');
  if (fields === undefined) return undefined;
  return given({
    tiers: readTiers(fields),
    intentCategories: fields.plain('intent_categories'),
    signals: fields.plain('signals'),
    shortcuts: readShortcuts(fields),
    extra: unlessEmpty(fields.rest(lensKeys.router)),
  });
}

function readTiers(router: Fields): Record<string, unknown>[] | undefined {
  if (!router.has('tiers')) return undefined;
  return router.entries('tiers').flatMap((entry) => {
    const tier = router.reader.fields(entry.node, entry.path, 'tiers');
    if (tier === undefined) return [];
    const { behavior, ...flat } = router.reader.source.plain(entry.node) as Record<string, unknown>;
    const nested = tier.has('behavior') ? tier.map('behavior') : undefined;
    return [nested === undefined ? flat : { ...(behavior as Record<string, unknown>), ...flat }];
  });
}

function readShortcuts(router: Fields): Shortcut[] | undefined {
  const map = router.map('shortcuts');
  if (map === undefined) return undefined;
  return [...map.keys()].flatMap((key) => {
    const placed = map.placedText(key);
    return placed === undefined ? [] : [{ key, skill: placed.text, at: placed.at, path: map.pathOf(key) }];
  });
}
