import type { WorkflowStep } from '../../model/lens.ts';
import { removeDependency } from '../edit/lens-edits.ts';
import { removeAt } from '../edit/remove.ts';
import { lookupSkillName } from '../names.ts';
import type { Path } from '../yaml/source.ts';
import { homeOf, isRefused, skillAt } from './context.ts';
import type { GraphContext } from './context.ts';
import { WorkingText, refuseEdit } from './graph-edit.ts';
import type { GraphEdit, RefusedEdit } from './graph-edit.ts';
import { refersTo } from './reference-text.ts';
import type { ReferredSkill } from './reference-text.ts';
import { entryNamed } from './skill-file.ts';
import type { SkillFile } from './skill-file.ts';

/** What names a skill: another skill that waits for it, a shortcut or a step of a workflow. */
export interface SkillUse {
  readonly kind: 'skill' | 'shortcut' | 'workflow';
  /** The record key of the skill, the shortcut or the name of the workflow. */
  readonly name: string;
  readonly file: string;
}

/** Everything that would be left without the skill, as the graph and the open file have it. */
export function usesOf(context: GraphContext, key: string): SkillUse[] {
  const skill = skillAt(context, key);
  if (isRefused(skill)) return [];
  const dependents = Object.entries(context.graph.skills).filter(([, other]) =>
    other.dependsOn.some(({ source }) => source === skill.id),
  );
  const home = homeOf(context, key);
  const opened = isRefused(home) ? undefined : home.opened;
  const uses = opened ? namedPlaces(opened, skill.name) : [];
  return [
    ...dependents.map(([name, other]) => ({ kind: 'skill' as const, name, file: other.origin.file })),
    ...uses.map(({ kind, name }) => ({ kind, name, file: opened!.source.file })),
  ];
}

/** Takes a skill out of its file, and with it, where wanted, everything that names it: one step of undo. */
export function deleteSkill(
  context: GraphContext,
  key: string,
  { withUses }: { withUses: boolean },
): GraphEdit {
  const [skill, home] = [skillAt(context, key), homeOf(context, key)];
  if (isRefused(skill)) return skill;
  if (isRefused(home)) return home;
  const own = new WorkingText(home.file, home.text);
  const texts = new Map([[home.file, own]]);
  if (withUses) {
    for (const { kind, name } of usesOf(context, key)) {
      if (kind !== 'skill') continue;
      const refused = forget(context, texts, name, skill);
      if (refused) return refused;
    }
    for (let place = lastPlace(own, skill); place; place = lastPlace(own, skill)) {
      const refused = own.make(removeAt(own.current.source, place));
      if (refused) return refused;
    }
  }
  const entry = entryNamed(own.current, skill.name);
  if (!entry) return refuseEdit(`Cannot find "${key}" in "${home.file}"`);
  const refused = own.make(removeAt(own.current.source, entry.path));
  if (refused) return refused;
  return { ok: true, label: `Delete ${key}`, edits: [...texts.values()].flatMap((text) => text.edits) };
}

/** Lets one dependent wait for the skill no longer. */
function forget(
  context: GraphContext,
  texts: Map<string, WorkingText>,
  dependent: string,
  skill: ReferredSkill,
): RefusedEdit | undefined {
  const home = homeOf(context, dependent);
  if (isRefused(home)) return home;
  let text = texts.get(home.file);
  if (!text) {
    text = new WorkingText(home.file, home.text);
    texts.set(home.file, text);
  }
  const entry = entryNamed(text.current, home.entry.name);
  const declared = entry?.dependsOn?.find(
    ({ reference }) => reference !== undefined && refersTo(reference, home.file, skill),
  );
  if (!entry || !declared)
    return refuseEdit(
      `Cannot find in "${home.file}" where "${dependent}" depends on "${skill.name}"`,
      home.entry.at,
    );
  return text.make(removeDependency(text.current.source, entry.path, declared.text));
}

function lastPlace(text: WorkingText, { name }: ReferredSkill): Path | undefined {
  return namedPlaces(text.current, name).at(-1)?.path;
}

function namedPlaces(
  { lens }: SkillFile,
  skill: string,
): { kind: 'shortcut' | 'workflow'; name: string; path: Path }[] {
  const wanted = lookupSkillName(skill);
  const isMeant = (name: string): boolean => lookupSkillName(name) === wanted;
  const shortcuts = (lens?.router?.shortcuts ?? []).filter((shortcut) => isMeant(shortcut.skill));
  const steps = (lens?.workflows ?? []).flatMap((workflow) =>
    stepsOf(workflow.steps).flatMap((step) =>
      step.kind === 'skill' && isMeant(step.skill) ? [{ name: workflow.name, path: step.path }] : [],
    ),
  );
  return [
    ...shortcuts.map(({ key, path }) => ({ kind: 'shortcut' as const, name: key, path })),
    ...steps.map((step) => ({ kind: 'workflow' as const, ...step })),
  ];
}

function stepsOf(steps: readonly WorkflowStep[]): WorkflowStep[] {
  return steps.flatMap((step) => (step.kind === 'parallel' ? stepsOf(step.steps) : [step]));
}
