import { skillDefaults } from '#shared/model/skill.ts';
import { countText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import { findSkill } from '../find-skill.ts';
import type { NamedSkill } from '../find-skill.ts';
import type { Invocation } from '../invocation.ts';
import { columns } from '../table.ts';
import { inert } from '../terminal.ts';

/** Prints one skill: what it does, where it is defined, what it needs and what needs it. */
export async function skillsShow({ output, ...invocation }: Invocation, named: string): Promise<ExitCode> {
  const found = await findSkill({ output, ...invocation }, named);
  const document = describe(found);
  if (output.isJson) {
    output.document(document);
    return ExitCode.ok;
  }
  const { name, description, type, source, trust, origin, overrides, scripts } = document;
  output.line(`${output.styled('bold', inert(name))}  ${type} · ${source} · ${trust}`);
  if (description !== null) output.line(inert(description.replace(/\s+/g, ' ').trim()));
  output.line('');
  // Neighbours of its own file or library are called by their name.
  const own = document.id.slice(0, document.id.lastIndexOf(':') + 1);
  const names = (ids: readonly string[]): string =>
    ids.map((id) => (id.startsWith(own) ? id.slice(own.length) : id)).join(', ');
  const rows: (readonly [string, string])[] = [
    ['Id', document.id],
    ['Defined in', `${origin.file}:${origin.line}`],
    ...(overrides ? [['Replaces', `${overrides.file}:${overrides.line}`] as const] : []),
    ['Produces', document.produces.join(', ')],
    ['Requires', document.requires.join(', ')],
    ['Depends on', names(document.dependsOn)],
    ['Upstream', names(document.upstream)],
    ['Downstream', names(document.downstream)],
    ['Triggers', document.triggers.join(', ')],
    ['Scripts', scripts.map(({ name: script, language }) => `${script} (${language})`).join(', ')],
    ['Instructions', document.instructionLines === 0 ? '' : countText(document.instructionLines, 'line')],
  ];
  for (const line of columns(rows.filter(([, value]) => value !== ''))) output.line(line);
  return ExitCode.ok;
}

/** The skill as `sunwell skills show --json` prints it. */
function describe({ skill: node, upstream, downstream }: NamedSkill) {
  const { skill, origin, overrides, permissions } = node;
  return {
    id: node.id,
    name: node.name,
    description: skill.description ?? null,
    type: skill.type,
    source: node.kind,
    trust: skill.trust ?? skillDefaults.trust,
    origin,
    ...(overrides ? { overrides } : {}),
    dependsOn: node.dependsOn.map(({ id }) => id),
    upstream,
    downstream,
    produces: (skill.produces ?? []).map(({ key }) => key),
    requires: (skill.requires ?? []).map(({ key }) => key),
    triggers: skill.triggers ?? [],
    scripts: node.scripts.map(({ name, language, args, file }) => ({
      name,
      language,
      args,
      ...(file === undefined ? {} : { file }),
    })),
    resources: node.resources.map(({ name, url, file }) => ({
      name,
      ...(url === undefined ? {} : { url }),
      ...(file === undefined ? {} : { file }),
    })),
    instructionLines: countLines(skill.instructions ?? ''),
    permissions: permissions ?? null,
    timeoutSeconds: skill.timeoutSeconds ?? skillDefaults.timeoutSeconds,
    cache: skill.cache ?? skillDefaults.cache,
    files: skill.files ?? null,
  };
}

function countLines(text: string): number {
  return text.trim() === '' ? 0 : text.trimEnd().split('\n').length;
}
