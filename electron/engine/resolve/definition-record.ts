import { contentHash } from '#shared/graph/content-hash.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import { digestOf, valueDigest } from '../store/digest.ts';
import type { ResolvedSkill } from './nodes.ts';

/** Everything a skill is defined by, without places: two files that say the same give the same record. */
export function definitionRecord(node: ResolvedSkill): Record<string, unknown> {
  const { skill } = node;
  return {
    name: skill.name,
    description: skill.description ?? null,
    instructions: skill.instructions ?? null,
    scripts: node.scripts.map(({ name, language, args, content }) => ({ name, language, args, content })),
    templates: (skill.templates ?? []).map(({ name, content }) => ({ name, content })),
    resources: node.resources.map(({ name, url, content }) => ({
      name,
      url: url ?? null,
      content: content ?? null,
    })),
    triggers: skill.triggers ?? [],
    compatibility: skill.compatibility ?? null,
    allowedTools: skill.allowedTools ?? null,
    permissions: node.permissions ?? null,
    parameters: skill.parametersSchema ?? null,
    trust: skill.trust ?? skillDefaults.trust,
    timeoutSeconds: skill.timeoutSeconds ?? skillDefaults.timeoutSeconds,
    validateWith: skill.validateWith ?? null,
    dependsOn: node.dependsOn.map(({ id }) => id),
    produces: (skill.produces ?? []).map(({ key }) => key),
    requires: (skill.requires ?? []).map(({ key }) => key),
    files: skill.files ?? null,
    cache: skill.cache ?? skillDefaults.cache,
  };
}

const digests = new WeakMap<ResolvedSkill, Digest>();

/** Of everything a skill is defined by; worked out once. */
export function definitionDigest(node: ResolvedSkill): Digest {
  let digest = digests.get(node);
  if (digest === undefined) digests.set(node, (digest = valueDigest(definitionRecord(node))));
  return digest;
}

/** Takes a digest for that of a skill's definition, because it was worked out for the same one before. */
export function keepDigest(node: ResolvedSkill, digest: Digest): void {
  digests.set(node, digest);
}

/** Changes when anything that any of the skills is defined by does. */
export function contentHashOf(skills: readonly ResolvedSkill[]): string {
  return contentHash(
    skills.map((node) => [node.id, definitionDigest(node)] as const),
    digestOf,
  );
}
