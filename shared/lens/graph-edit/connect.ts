import { pathBetween } from '../../graph/path-between.ts';
import { buildGraph } from '../../graph/skill-graph.ts';
import type { ResolvedGraph } from '../../model/graph-document.ts';
import { addDependency, removeDependency } from '../edit/lens-edits.ts';
import { insertEntry } from '../edit/insert.ts';
import type { Path } from '../yaml/source.ts';
import { homeOf, isRefused, referenceIn, skillAt } from './context.ts';
import type { GraphContext, SkillHome } from './context.ts';
import { WorkingText, refuseEdit } from './graph-edit.ts';
import type { GraphEdit, RefusedEdit } from './graph-edit.ts';
import { refersTo } from './reference-text.ts';

/** Two skills of a graph by record key; `to` waits for `from`. */
export interface SkillPair {
  readonly from: string;
  readonly to: string;
}

/** Why two skills cannot be tied, in a sentence that names the circle; undefined where they can. */
export function whyNotConnected(graph: ResolvedGraph, { from, to }: SkillPair): string | undefined {
  if (from === to) return `Cannot connect "${from}" with itself`;
  const keys = Object.keys(graph.skills);
  const [source, target] = [graph.skills[from], graph.skills[to]];
  if (!source || !target) return `Cannot connect "${from}" with "${to}": the graph has changed`;
  if (target.dependsOn.some((dependency) => dependency.source === source.id))
    return `"${to}" already depends on "${from}"`;
  const nodes = keys.map((key) => {
    const { id, name, dependsOn, produces, requires } = graph.skills[key]!;
    return { id, name, dependsOn: dependsOn.map((dependency) => dependency.source), produces, requires };
  });
  const path = pathBetween(buildGraph(nodes), keys.indexOf(to), keys.indexOf(from));
  if (!path) return undefined;
  const circle = [...path.map((node) => keys[node]!), to].join(' → ');
  return `Cannot make "${to}" wait for "${from}": each would wait for the other, ${circle}`;
}

/** Makes one skill wait for another, in the file where the waiting one is written. */
export function connectSkills(context: GraphContext, pair: SkillPair): GraphEdit {
  const problem = whyNotConnected(context.graph, pair);
  if (problem !== undefined) return refuseEdit(problem);
  const [source, home] = [skillAt(context, pair.from), homeOf(context, pair.to)];
  if (isRefused(source)) return source;
  if (isRefused(home)) return home;
  const reference = referenceIn(context, home.file, source);
  if (reference === undefined) {
    return refuseEdit(
      `Cannot make "${pair.to}" wait for "${pair.from}": "${home.file}" does not know the skills of "${source.origin.file}"`,
      home.entry.at,
    );
  }
  const text = new WorkingText(home.file, home.text);
  const inherited = inheritedDependencies(context, pair.to, home);
  if (isRefused(inherited)) return inherited;
  const refused = waitFor(text, home.entry.path, inherited, reference);
  return refused ?? { ok: true, label: `Connect ${pair.from} to ${pair.to}`, edits: text.edits };
}

/** Adds one dependency to an entry, after those that it must repeat. */
export function waitFor(
  text: WorkingText,
  path: Path,
  inherited: readonly string[],
  reference: string,
): RefusedEdit | undefined {
  const { source } = text.current;
  return inherited.length > 0
    ? text.make(insertEntry(source, path, 'depends_on', [...inherited, reference]))
    : text.make(addDependency(source, path, reference));
}

/** Makes a skill wait for another no longer; only where its own entry says that it does. */
export function disconnectSkills(context: GraphContext, pair: SkillPair): GraphEdit {
  const [source, home] = [skillAt(context, pair.from), homeOf(context, pair.to)];
  if (isRefused(source)) return source;
  if (isRefused(home)) return home;
  const declared = home.entry.dependsOn?.find(
    ({ reference }) => reference !== undefined && refersTo(reference, home.file, source),
  );
  if (!declared) {
    const definition = home.entry.source?.text;
    return refuseEdit(
      definition === undefined
        ? `Cannot find where "${pair.to}" says that it depends on "${pair.from}"`
        : `"${pair.to}" takes this dependency from "${definition}": change it there, or copy the skill into this lens`,
      home.entry.at,
    );
  }
  const text = new WorkingText(home.file, home.text);
  const refused = text.make(removeDependency(home.opened.source, home.entry.path, declared.text));
  return refused ?? { ok: true, label: `Disconnect ${pair.from} from ${pair.to}`, edits: text.edits };
}

/** What a reference entry must repeat with its first dependency, because its own `depends_on` replaces that of the library. */
export function inheritedDependencies(
  context: GraphContext,
  key: string,
  home: SkillHome,
): string[] | RefusedEdit {
  const { entry } = home;
  if (entry.dependsOn || (!entry.source && entry.folder === undefined)) return [];
  const byId = new Map(Object.values(context.graph.skills).map((skill) => [skill.id, skill]));
  const references: string[] = [];
  for (const { source } of context.graph.skills[key]!.dependsOn) {
    const skill = byId.get(source);
    const reference = skill && referenceIn(context, home.file, skill);
    if (reference === undefined)
      return refuseEdit(`Cannot name "${source}" in "${home.file}", on which "${key}" depends already`);
    references.push(reference);
  }
  return references;
}
