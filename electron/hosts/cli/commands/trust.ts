import { defaultHome } from '#engine/home.ts';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import { trustQuestion, withoutVersion } from '#engine/run/skill-trust.ts';
import type { Grant } from '#engine/trust/grant-file.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import { StudioError } from '#shared/errors.ts';
import type { TrustLevel } from '#shared/model/skill.ts';
import { countText } from '#shared/quantities.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { ExitCode } from '../exit-code.ts';
import { findSkill, resolveLibrary } from '../find-skill.ts';
import type { Invocation } from '../invocation.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';
import { showTrustCard } from '../trust-card.ts';

export interface GrantOptions {
  readonly level: TrustLevel;
  readonly yes?: true;
}

/** Prints every grant on this machine. */
export async function trustList(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const store = openGrants(invocation);
  const grants = await store.list();
  noteLost(invocation, store);
  if (output.isJson) output.document(grants);
  else if (grants.length === 0 && store.notices.length === 0)
    output.note('No grants: "sunwell trust grant" gives one');
  else {
    const rows = grants.map(({ subject, level, at, hash }) => [
      level,
      subject,
      at.slice(0, 10),
      hash.slice(0, 12),
    ]);
    printTable(output, ['LEVEL', 'SKILL', 'SINCE', 'HASH'], rows);
  }
  return ExitCode.ok;
}

/** Shows what a skill, or every skill of a fount, would run, asks, and writes the answer down. */
export async function trustGrant(
  invocation: Invocation,
  named: string,
  options: GrantOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const store = openGrants(invocation);
  const granted: Grant[] = [];
  const declined: string[] = [];
  for (const skill of await findTargets(invocation, named)) {
    const question = trustQuestion(skill);
    const answer = await store.ask(question);
    // Full trust for what was fetched needs a grant from an earlier command: this one may be what fetched it.
    if (question.origin === 'fetched' && !answer.grant) store.noteFetched(question.content);
    await showTrustCard(invocation, { skill, question, answer, store });
    if (await agrees(invocation, skill, options)) {
      const isConfirmedByTyping = options.level === 'full';
      granted.push(await store.grant({ ...question, level: options.level, isConfirmedByTyping }));
    } else declined.push(question.subject);
  }
  noteLost(invocation, store);
  for (const subject of declined) output.note(inert(`Not granted: ${subject}`));
  if (output.isJson) output.document({ granted, declined });
  else for (const { subject, level } of granted) output.line(inert(`Granted ${level}: ${subject}`));
  return declined.length > 0 ? ExitCode.failed : ExitCode.ok;
}

/** Takes grants back; works also for skills that are no longer there. */
export async function trustRevoke(invocation: Invocation, named: string): Promise<ExitCode> {
  const { output } = invocation;
  const store = openGrants(invocation);
  const grants = await store.list();
  noteLost(invocation, store);
  let meant = grants.filter((grant) => isMeant(grant, named));
  if (meant.length === 0) {
    const subjects = new Set(
      (await findTargets(invocation, named)).map((skill) => trustQuestion(skill).subject),
    );
    meant = grants.filter(({ subject }) => subjects.has(subject));
  }
  if (meant.length === 0) {
    throw new StudioError(
      'trust.unknown-grant',
      `Cannot revoke "${named}": it has no grant, see "sunwell trust list"`,
      { name: named },
    );
  }
  const subjects = [...new Set(meant.map(({ subject }) => subject))];
  for (const subject of subjects) await store.revoke({ subject });
  if (output.isJson) output.document({ revoked: meant });
  else output.line(inert(`Revoked ${countText(meant.length, 'grant')}: ${subjects.join(', ')}`));
  return ExitCode.ok;
}

function openGrants({ terminal }: Invocation): GrantStore {
  return new GrantStore(defaultHome(terminal.machine.environment));
}

/** Reading a damaged file sets it aside: who is not told now never learns that the grants are gone. */
function noteLost({ output }: Invocation, { notices }: GrantStore): void {
  for (const { message } of notices) output.note(inert(message));
}

/** The skill that was named, or those of a fount that have scripts. */
async function findTargets(invocation: Invocation, named: string): Promise<readonly ResolvedSkill[]> {
  if (!/^(?:fount|agentskills):\/\/[^:]*$/.test(named)) return [(await findSkill(invocation, named)).skill];
  const workspace = await CommandWorkspace.open(invocation);
  const { skills } = await resolveLibrary(invocation, workspace, named);
  const own = skills.filter(({ kind, scripts }) => kind === 'fount' && scripts.length > 0);
  if (own.length > 0) return own;
  throw new StudioError('graph.unknown-skill', `Cannot trust "${named}": none of its skills has scripts`, {
    name: named,
  });
}

async function agrees(
  { terminal }: Invocation,
  skill: ResolvedSkill,
  options: GrantOptions,
): Promise<boolean> {
  const { level, yes } = options;
  const name = inert(skill.name);
  if (level === 'none' || (yes && level !== 'full')) return true;
  if (!terminal.ask) {
    const [code, wayOut] =
      level === 'full'
        ? (['trust.needs-confirmation', 'type it on a terminal'] as const)
        : (['trust.cannot-ask', 'read the above, then repeat the command with --yes'] as const);
    throw new StudioError(code, `Cannot ask whether "${skill.name}" may run its scripts: ${wayOut}`, {
      skill: skill.id,
    });
  }
  if (level === 'full')
    return (await terminal.ask(`Type "full" to trust "${name}" fully: `)).trim() === 'full';
  const answer = await terminal.ask(`Let "${name}" run its scripts in the sandbox? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Whether a grant is meant by its own words, a hash, or the fount that its skill is of. */
function isMeant({ subject, hash }: Grant, named: string): boolean {
  if (/^[0-9a-f]{8,64}$/.test(named)) return hash.startsWith(named);
  const plain = withoutVersion(named);
  const isOfFount =
    plain.startsWith('fount://') && (subject.startsWith(`${plain}:`) || subject.startsWith(`${plain}/`));
  return subject === plain || isOfFount;
}
