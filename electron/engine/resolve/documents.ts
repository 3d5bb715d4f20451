import { toJson } from '#shared/graph/to-json.ts';
import type { ResolvedGraph, ResolvedGraphSkill } from '#shared/model/graph-document.ts';
import type { LensDocument } from '#shared/model/lens-document.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import type { Merged } from './merge.ts';
import type { ResolvedSkill } from './nodes.ts';
import type { Resolution } from './resolve.ts';

/** The resolved graph as one JSON document. */
export function graphDocument(resolution: Resolution): ResolvedGraph {
  const { graph, contentHash, diagnostics, skills } = resolution;
  const shortcutOf = new Map([...resolution.shortcuts].map(([key, { id }]) => [id, key]));
  const nameOf = new Map(skills.map(({ id, name }) => [id, name]));
  return toJson(graph, {
    lensName: resolution.lens?.metadata.name ?? resolution.source.file,
    contentHash,
    diagnostics,
    skillOf: (node) => skillDocument(skills[node]!, shortcutOf.get(skills[node]!.id), nameOf),
  });
}

function skillDocument(
  node: ResolvedSkill,
  shortcut: string | undefined,
  nameOf: ReadonlyMap<string, string>,
): ResolvedGraphSkill {
  const { skill } = node;
  const category = skill.extra?.['category'];
  return {
    id: node.id,
    name: node.name,
    ...(shortcut === undefined ? {} : { shortcut }),
    ...(skill.description === undefined ? {} : { description: skill.description }),
    ...(typeof category === 'string' ? { category } : {}),
    dependsOn: node.dependsOn.map(({ id, isLocal }) => ({
      source: id,
      skillName: nameOf.get(id) ?? id,
      isLocal,
    })),
    produces: (skill.produces ?? []).map(({ key }) => key),
    requires: (skill.requires ?? []).map(({ key }) => key),
    type: skill.type,
    source: node.kind,
    origin: node.origin,
    ...(node.overrides ? { overrides: node.overrides } : {}),
    trust: skill.trust ?? skillDefaults.trust,
    scripts: node.scripts.map(({ name, language, file }) => ({
      name,
      language,
      ...(file === undefined ? {} : { file }),
    })),
    hasInstructions: skill.instructions !== undefined,
    files: skill.files ? [...skill.files] : null,
  };
}

/** The merged lens as one JSON document; null for a library, which has none. */
export function lensDocument(resolution: Resolution): LensDocument | null {
  const { lens, skills } = resolution;
  if (!lens) return null;
  return {
    file: lens.source.file,
    metadata: { ...lens.metadata },
    extends: [...lens.extended],
    heuristics: lens.heuristics.map(item),
    antiHeuristics: lens.antiHeuristics.map(item),
    personas: lens.personas.map(item),
    validators: {
      deterministic: lens.validators.deterministic.map(item),
      heuristic: lens.validators.heuristic.map(item),
    },
    workflows: lens.workflows.map(item),
    shortcuts: Object.fromEntries(
      [...resolution.shortcuts].map(([key, { skill, id }]) => [key, { skill, resolved: id ?? null }]),
    ),
    inputs: lens.inputs.map(item),
    qualityPolicy: { ...lens.qualityPolicy },
    skillRetry: { ...lens.skillRetry },
    skills: skills.map(({ id, name, skill, kind, origin, overrides }) => ({
      id,
      name,
      type: skill.type,
      source: kind,
      origin,
      ...(overrides ? { overrides } : {}),
    })),
    diagnostics: [...resolution.diagnostics],
  };
}

/** An item's own fields without its place in the text, which `origin` has. */
function item<T extends { name: string }>({
  value,
  origin,
  overrides,
}: Merged<T>): LensDocument['heuristics'][number] {
  const { at: _at, path: _path, ...fields } = value as T & { at?: unknown; path?: unknown };
  return { ...fields, origin, ...(overrides ? { overrides } : {}) };
}
