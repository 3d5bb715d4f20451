import { isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import type { AntiHeuristic, Heuristic, Lens } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import { lookupName } from '../names.ts';
import type { Entry, Fields } from './fields.ts';
import { listEntries } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readMaps, readName, reportDuplicates } from './named.ts';

type Judgment = Pick<Lens, 'heuristics' | 'antiHeuristics' | 'communication'>;

/** Reads `heuristics` as a list or a map, and what may stand there or at the top of the lens. */
export function readHeuristics(lens: Fields): Judgment {
  const { reader } = lens;
  const section = lens.get('heuristics');
  const nested = section !== undefined && !isSeq(section) ? lens.map('heuristics') : undefined;
  const entries = isSeq(section) ? lens.entries('heuristics') : (nested?.entries('principles') ?? []);
  nested?.rest(['principles', 'anti_heuristics', 'communication']);

  const heuristics = readMaps(reader, entries, 'heuristics', readHeuristic);
  reportDuplicates(reader, heuristics, {
    code: 'lens.duplicate-name',
    what: 'Heuristic',
    lookup: lookupName,
  });
  const antiHeuristics = [lens, nested].flatMap((place) =>
    place === undefined ? [] : readAntiHeuristics(place),
  );
  reportDuplicates(reader, antiHeuristics, {
    code: 'lens.duplicate-name',
    what: 'Anti-heuristic',
    lookup: lookupName,
  });
  return { heuristics, antiHeuristics, ...given({ communication: readCommunication(lens, nested) }) };
}

function readHeuristic(fields: Fields): Heuristic | undefined {
  const name = readName(fields, 'heuristic.missing-name', 'Heuristic');
  const rule = fields.text('rule');
  if (name !== undefined && rule === undefined) {
    fields.reader.report('heuristic.missing-rule', fields.get('name')!, `Heuristic "${name}" has no rule`);
  }
  const priority = fields.number('priority', { min: 0, max: 10 });
  const heuristic = given({
    name: name ?? '',
    rule,
    test: fields.text('test'),
    always: fields.texts('always'),
    never: fields.texts('never'),
    examples: fields.plain('examples'),
    priority,
    wisdom: fields.texts('wisdom'),
    judgment: fields.texts('judgment'),
    antiPatterns: fields.texts('anti_patterns'),
    override: fields.flag('override'),
    extra: unlessEmpty(fields.rest(lensKeys.heuristic)),
    at: fields.at,
    path: fields.path,
  });
  return name === undefined ? undefined : heuristic;
}

function readAntiHeuristics(place: Fields): AntiHeuristic[] {
  const { reader } = place;
  return place.entries('anti_heuristics').flatMap((entry) => {
    const bare = bareText(entry);
    if (bare !== undefined) return [{ name: bare, at: reader.source.at(entry.node), path: entry.path }];
    return readMaps(reader, [entry], 'anti_heuristics', readAntiHeuristic);
  });
}

function bareText(entry: Entry): string | undefined {
  return isScalar(entry.node) && typeof entry.node.value === 'string' ? entry.node.value : undefined;
}

function readAntiHeuristic(fields: Fields): AntiHeuristic | undefined {
  const name = readName(fields, 'anti-heuristic.missing-name', 'Anti-heuristic');
  const antiHeuristic = given({
    name: name ?? '',
    description: fields.text('description'),
    triggers: fields.texts('triggers'),
    correction: fields.text('correction'),
    override: fields.flag('override'),
    extra: unlessEmpty(fields.rest(lensKeys.antiHeuristic)),
    at: fields.at,
    path: fields.path,
  });
  return name === undefined ? undefined : antiHeuristic;
}

function readCommunication(lens: Fields, nested: Fields | undefined): Lens['communication'] {
  const places = [lens, nested].filter((place) => place?.has('communication') === true) as Fields[];
  if (places.length > 1) {
    const message = '"communication" is given at the top and under "heuristics": the one at the top counts';
    lens.reader.report('key.duplicate-form', places[1]!.keyNode('communication'), message);
  }
  const place = places[0];
  const node = place?.get('communication');
  if (place === undefined || node === undefined) return undefined;
  // A single sentence or a list of rules is how some lenses describe their style.
  if (isScalar(node)) return given({ style: place.text('communication') });
  if (isSeq(node)) return { principles: textsOf(place, node.items) };
  return place.reader.source.plain(node) as Lens['communication'];
}

function textsOf(place: Fields, items: readonly ParsedNode[]): string[] {
  return listEntries(place.reader, items, place.pathOf('communication')).flatMap(
    (entry) => place.reader.text(entry.node, 'communication') ?? [],
  );
}
