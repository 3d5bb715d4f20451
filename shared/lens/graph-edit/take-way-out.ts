import { upstream } from '../../graph/closure.ts';
import { buildGraph } from '../../graph/skill-graph.ts';
import type { ResolvedGraph, ResolvedGraphSkill } from '../../model/graph-document.ts';
import type { WayOut } from '../../model/run.ts';
import { addToTexts } from '../edit/lens-edits.ts';
import { applyEdits } from '../edit/text-lines.ts';
import { connectSkills } from './connect.ts';
import { homeOf, isRefused } from './context.ts';
import type { GraphContext } from './context.ts';
import { WorkingText, refuseEdit } from './graph-edit.ts';
import type { GraphEdit } from './graph-edit.ts';
import { entryNamed } from './skill-file.ts';

/** The ways out that are a change of the skill's own entry, and the field that each changes. */
const fields: Readonly<Partial<Record<WayOut['id'], 'files' | 'requires'>>> = {
  'unseen-file': 'files',
  'undeclared-key': 'requires',
};

/** What is written for a way out, as a label of a button; undefined where a person has to do it. */
export function labelOf({ id, subject }: WayOut): string | undefined {
  const field = fields[id];
  return field && `Add ${subject} to ${field}`;
}

/** Whether the skill already is as a way out wants it, as after it was taken. */
export function isTaken({ files, requires }: ResolvedGraphSkill, { id, subject }: WayOut): boolean {
  const field = fields[id];
  return field !== undefined && (field === 'files' ? files : requires)?.includes(subject) === true;
}

/** Writes what a way out says where the skill is written; with a key also that the skill waits for who delivers it. */
export function takeWayOut(context: GraphContext, key: string, way: WayOut): GraphEdit {
  const { id, subject } = way;
  const [field, label] = [fields[id], labelOf(way)];
  if (!field || label === undefined) return refuseEdit(`Cannot do this for you: ${way.sentence}`);
  const home = homeOf(context, key);
  if (isRefused(home)) return home;
  const { entry, file } = home;
  const before: readonly string[] | undefined =
    field === 'files' ? entry.files : entry.requires?.map((required) => required.key);
  if (before?.includes(subject))
    return refuseEdit(`"${key}" already has "${subject}" in "${field}": run it again`, entry.at);
  const definition = entry.source?.text ?? (entry.folder === undefined ? undefined : 'its folder');
  // A field of a reference replaces the one of the library whole.
  if (!before && definition !== undefined)
    return refuseEdit(
      `"${key}" takes its "${field}" from "${definition}": change it there, or copy the skill into this lens`,
      entry.at,
    );
  const text = new WorkingText(file, home.text);
  const producer = field === 'requires' ? missingProducer(context.graph, key, subject) : undefined;
  if (producer !== undefined) {
    const connected = connectSkills(context, { from: producer, to: key });
    if (!connected.ok) return connected;
    text.replace(applyEdits(home.text, connected.edits));
  }
  const { path } = entryNamed(text.current, entry.name)!;
  const refused = text.make(addToTexts(text.current.source, path, field, subject));
  return refused ?? { ok: true, label, edits: text.edits };
}

/** The skill to wait for, where none that the skill waits for delivers the key. */
function missingProducer(graph: ResolvedGraph, key: string, wanted: string): string | undefined {
  const keys = Object.keys(graph.skills);
  const nodes = Object.values(graph.skills).map(({ id, name, dependsOn, produces, requires }) => {
    return { id, name, dependsOn: dependsOn.map(({ source }) => source), produces, requires };
  });
  const producers = nodes.flatMap(({ produces }, i) => (produces.includes(wanted) ? [i] : []));
  const before = new Set(upstream(buildGraph(nodes), [keys.indexOf(key)]));
  const [first] = producers;
  return first === undefined || producers.some((i) => before.has(i)) ? undefined : keys[first];
}
