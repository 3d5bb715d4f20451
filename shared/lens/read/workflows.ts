import { isMap, isScalar, isSeq } from 'yaml';
import type { Workflow, WorkflowStep } from '../../model/lens.ts';
import type { Entry, Fields, Reader } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readMaps, readName } from './named.ts';

const ownKeys = ['name', 'description', 'steps'];

/** Reads the workflows of a lens: a list of named ones, or a map from name to workflow or steps. */
export function readWorkflows(lens: Fields): Workflow[] {
  const { reader } = lens;
  const node = lens.get('workflows');
  if (isSeq(node))
    return readMaps(reader, lens.entries('workflows'), 'workflows', (fields) => readWorkflow(fields));
  const map = lens.map('workflows');
  if (map === undefined) return [];
  return [...map.keys()].flatMap((name): readonly Workflow[] => {
    const value = map.get(name);
    if (value === undefined) return [];
    if (isSeq(value)) {
      const steps = readSteps(reader, map.entries(name));
      return [{ name, steps, at: reader.source.at(value), path: map.pathOf(name) }];
    }
    const fields = map.map(name);
    const workflow = fields === undefined ? undefined : readWorkflow(fields, name);
    return workflow === undefined ? [] : [workflow];
  });
}

function readWorkflow(fields: Fields, key?: string): Workflow | undefined {
  const name = key ?? readName(fields, 'workflow.missing-name', 'Workflow');
  const steps = readSteps(fields.reader, fields.entries('steps'));
  if (name === undefined) return undefined;
  const extra: Record<string, unknown> = {};
  for (const other of fields.keys()) if (!ownKeys.includes(other)) extra[other] = fields.plain(other);
  return given({
    name,
    description: fields.text('description'),
    steps,
    extra: unlessEmpty(extra),
    at: fields.at,
    path: fields.path,
  });
}

function readSteps(reader: Reader, entries: readonly Entry[]): WorkflowStep[] {
  return entries.flatMap((entry) => readStep(reader, entry) ?? []);
}

function readStep(reader: Reader, entry: Entry): WorkflowStep | undefined {
  const { node, path } = entry;
  const at = reader.source.at(node);
  if (isScalar(node)) {
    const skill = reader.text(node, 'steps');
    return skill === undefined ? undefined : { kind: 'skill', skill, at, path };
  }
  const fields = isMap(node) ? reader.fields(node, path, 'steps') : undefined;
  const skill = fields?.placedText('skill');
  if (skill !== undefined) return { kind: 'skill', skill: skill.text, at: skill.at, path };
  if (fields?.has('parallel') === true) {
    return { kind: 'parallel', steps: readSteps(reader, fields.entries('parallel')), at, path };
  }
  const action = fields?.text('action');
  if (fields !== undefined && action !== undefined) {
    const name = fields.text('name');
    const qualityGates = fields.texts('quality_gates');
    return given({ kind: 'action' as const, name, action, qualityGates, at, path });
  }
  const message = 'Workflow step is none of "skill", "parallel" or "action"';
  reader.problems.add(
    'workflow.unclear-step',
    { ...at, endLine: at.line, endColumn: at.column + 1 },
    message,
  );
  return undefined;
}
