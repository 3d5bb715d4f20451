import { contentParts, definitionPath } from '#engine/trust/content.ts';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import type { GrantStore, TrustAnswer, TrustQuestion } from '#engine/trust/grant-store.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import { countText } from '#shared/quantities.ts';
import type { Invocation } from './invocation.ts';
import { columns } from './table.ts';
import { inert } from './terminal.ts';
import { shownText, textDiff } from './text-diff.ts';

/** Shows on standard error what the user is about to agree to: the whole text, or what changed since the last time. */
export async function showTrustCard(
  { output }: Invocation,
  asked: { skill: ResolvedSkill; question: TrustQuestion; answer: TrustAnswer; store: GrantStore },
): Promise<void> {
  const { skill, question, answer } = asked;
  const { files, timeoutSeconds = skillDefaults.timeoutSeconds } = skill.skill;
  const rows = [
    ['Skill', `${skill.name} (${skill.id})`],
    ['Asks for', `${question.declared}, has ${answer.level}`],
    ['Scripts', skill.scripts.map(({ name, language }) => `${name} (${language})`).join(', ') || 'none'],
    ['Reads', files ? files.join(', ') || 'no file of the workspace' : 'every visible file of the workspace'],
    [
      'Permissions',
      skill.permissions === undefined ? 'no wishes of its own' : JSON.stringify(skill.permissions),
    ],
    ['May take', countText(timeoutSeconds, 'second')],
  ];
  for (const line of columns(rows)) output.note(line);
  if (answer.grant) output.note(`You granted it ${answer.grant.level} on ${answer.grant.at.slice(0, 10)}`);
  const lines = answer.changedSince ? await changedLines(asked) : wholeLines(question);
  for (const line of lines) output.note(inert(line));
  output.note('');
}

function wholeLines({ content }: TrustQuestion): string[] {
  return contentParts(content)
    .filter(({ path }) => path !== definitionPath)
    .flatMap(({ path, content: bytes }) => [
      '',
      `${path}, ${countText(bytes.length, 'byte')}:`,
      ...linesOf(shownText(Buffer.from(bytes).toString('utf8'))).map((line) => `  | ${line}`),
    ]);
}

async function changedLines({
  question,
  answer,
  store,
}: {
  question: TrustQuestion;
  answer: TrustAnswer;
  store: GrantStore;
}): Promise<string[]> {
  const { grant, diff } = answer.changedSince!;
  const now = new Map(contentParts(question.content).map(({ path, content }) => [path, content]));
  const lines = ['', `Changed since you granted it ${grant.level} on ${grant.at.slice(0, 10)}:`];
  const show = async (path: string, before: string | undefined): Promise<void> => {
    const old = before === undefined ? undefined : await store.grantedContent(before);
    if (before !== undefined && !old)
      lines.push(`"${path}" was too large to keep: all of it is shown as new`);
    const [from, to] = [old, now.get(path)].map((bytes) => readable(path, bytes));
    lines.push(...linesOf(textDiff(path, from, to)));
  };
  for (const { before } of diff.changed) await show(before.path, before.sha256);
  for (const { path } of diff.added) await show(path, undefined);
  for (const { path, sha256 } of diff.removed) await show(path, sha256);
  return lines;
}

/** The definition is kept as one line of JSON, in which no change can be seen. */
function readable(path: string, bytes: Uint8Array | undefined): Uint8Array | undefined {
  if (!bytes || path !== definitionPath) return bytes;
  const definition: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return Buffer.from(`${JSON.stringify(definition, null, 2)}\n`);
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
