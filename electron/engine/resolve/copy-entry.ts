import type { ResolvedSkill } from './nodes.ts';

/** A skill as an entry that stands by itself: scripts are written into it, and what no entry can hold is told. */
export function copyOf(node: ResolvedSkill): { entry: Record<string, unknown>; leftOut: string[] } {
  const { skill } = node;
  const keys = (list: readonly { key: string }[] | undefined): string[] | undefined =>
    list?.map(({ key }) => key);
  const kept = node.resources.filter(({ url }) => url !== undefined);
  const fields: Record<string, unknown> = {
    name: skill.name,
    description: skill.description,
    triggers: skill.triggers,
    compatibility: skill.compatibility,
    trust: skill.trust,
    timeout: skill.timeoutSeconds,
    requires: keys(skill.requires),
    produces: keys(skill.produces),
    files: skill.files,
    cache: skill.cache,
    allowed_tools: skill.allowedTools,
    permissions: node.permissions ?? undefined,
    parameters_schema: skill.parametersSchema,
    instructions: skill.instructions,
    scripts: listed(
      node.scripts.map(({ name, language, args, content }) => ({
        ...{ name, language },
        ...(args.length > 0 && { args }),
        content,
      })),
    ),
    templates: listed((skill.templates ?? []).map(({ name, content }) => ({ name, content }))),
    resources: listed(kept.map(({ name, url }) => ({ name, url }))),
  };
  const entry = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { entry, leftOut: leftOut(node) };
}

function listed<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

function leftOut({ resources, skill, scripts, skillFile }: ResolvedSkill): string[] {
  const files = resources.filter(({ file }) => file !== undefined).map(({ name }) => `"${name}"`);
  const missing = (skill.scripts ?? []).length - scripts.length;
  return [
    ...(files.length > 0 ? [`The files ${files.join(', ')} stay where they are`] : []),
    ...(skillFile ? ['Other files of the skill’s folder stay where they are'] : []),
    ...(missing > 0 ? ['Scripts that cannot be read are missing'] : []),
    ...(skill.validateWith ? ['The validators of its result are those of another lens'] : []),
  ];
}
