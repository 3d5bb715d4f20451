import { StudioError } from '#shared/errors.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import { definitionRecord } from '../resolve/definition-record.ts';
import type { TrustOf } from '../plan/step-problems.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { SkillContent } from '../trust/content.ts';
import type { GrantStore, TrustAnswer, TrustQuestion } from '../trust/grant-store.ts';

/** What trust is asked about: this skill, exactly as it would run. */
export function trustQuestion(node: ResolvedSkill): TrustQuestion {
  return { ...trustAsked(node), content: skillContent(node) };
}

function trustAsked(node: ResolvedSkill): Omit<TrustQuestion, 'content'> {
  return {
    subject: trustSubject(node),
    origin: node.kind === 'fount' ? 'fetched' : 'own',
    declared: node.skill.trust ?? skillDefaults.trust,
  };
}

/**
 * The name a grant is kept under. It stays the same when a fount moves to another version, so that what changed since
 * the last grant can be shown, and differs for two workspaces that have a file of the same name.
 */
export function trustSubject({ id, name, source }: ResolvedSkill): string {
  if (source.place.label.startsWith('fount://')) return withoutVersion(id);
  return source.place.label === 'sunwell/common' ? id : `${source.path}:${name}`;
}

/** A fount, or the id of a skill in one, without its version or range. */
export function withoutVersion(text: string): string {
  return text.replace(/^(fount:\/\/(?:@[^/@]+\/)?[^/@:]+)@[^/:]+/, '$1');
}

/** The files a user reads before agreeing: the instructions, the scripts and the resources, and the rest as a definition. */
export function skillContent(node: ResolvedSkill): SkillContent {
  const { instructions, ...rest } = definitionRecord(node);
  const definition = {
    ...rest,
    scripts: node.scripts.map(({ name, language, args }) => ({ name, language, args })),
    resources: node.resources.map(({ name, url }) => ({ name, url: url ?? null })),
  };
  const texts = [
    ...(typeof instructions === 'string' ? [{ path: 'instructions.md', text: instructions }] : []),
    ...node.scripts.map(({ name, content }) => ({ path: `scripts/${name}`, text: content })),
    ...node.resources.flatMap(({ name, content }) =>
      content === undefined ? [] : [{ path: `resources/${name}`, text: content }],
    ),
  ];
  return { definition, files: texts.map(({ path, text }) => ({ path, content: Buffer.from(text) })) };
}

/** How far each of these skills is trusted now, and why not where it is not; asked once for a whole plan. */
export async function trustOfAll(grants: GrantStore, nodes: readonly ResolvedSkill[]): Promise<TrustOf> {
  const levels = await grants.levels(
    nodes.map((node) => ({ ...trustAsked(node), content: () => skillContent(node) })),
  );
  const answers = new Map<ResolvedSkill, ReturnType<TrustOf>>();
  for (const [i, node] of nodes.entries()) {
    const level = levels[i]!;
    answers.set(node, level === 'none' ? { problem: await refusalOf(grants, node) } : level);
  }
  return (node) => answers.get(node) ?? { problem: 'its trust was not asked for' };
}

async function refusalOf(grants: GrantStore, node: ResolvedSkill): Promise<string> {
  try {
    await requireTrust(grants, node);
    return 'its trust changed just now: plan again';
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return error.message;
  }
}

/** Refuses a skill whose scripts may not run, and says how the user can allow them. */
export async function requireTrust(grants: GrantStore, node: ResolvedSkill): Promise<TrustAnswer> {
  const question = trustQuestion(node);
  const answer = await grants.ask(question);
  if (answer.level !== 'none') return answer;
  const { subject, declared } = question;
  if (declared === 'none') {
    throw new StudioError(
      'trust.not-granted',
      `Cannot run "${node.name}": it says "trust: none" of itself, so its scripts never run`,
      { subject, declared },
    );
  }
  const why = answer.grant
    ? 'you took its trust away'
    : answer.changedSince
      ? 'it changed since you trusted it'
      : 'nobody on this machine has trusted it';
  throw new StudioError(
    'trust.not-granted',
    `Cannot run "${node.name}": ${why}. Read it and agree with: sunwell trust grant "${node.id}"`,
    { subject, declared, hash: answer.hash, command: ['sunwell', 'trust', 'grant', node.id] },
  );
}
