import { StudioError } from '#shared/errors.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import type { TrustLevel } from '#shared/model/skill.ts';
import type { GrantEntry, TrustCard } from '#shared/model/trust.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { contentParts } from '../trust/content.ts';
import type { ListingDiff, SkillContent } from '../trust/content.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import { trustQuestion } from './skill-trust.ts';

const longestShown = 64 * 1024;

export interface GrantWish {
  readonly hash: string;
  readonly level: TrustLevel;
  /** The skill's name as the user typed it; full trust asks for it. */
  readonly confirmation?: string | undefined;
}

/** Where a window asks what a skill is and writes down what the user decides about it. */
export class TrustDesk {
  readonly #grants: GrantStore;

  constructor(grants: GrantStore) {
    this.#grants = grants;
  }

  async card(node: ResolvedSkill): Promise<TrustCard> {
    const question = trustQuestion(node);
    const answer = await this.#grants.ask(question);
    const { skill } = node;
    return {
      skill: node.id,
      name: node.name,
      subject: question.subject,
      origin: question.origin,
      declared: question.declared,
      level: answer.level,
      hash: answer.hash,
      ...(answer.grant && { grantedAt: answer.grant.at }),
      ...(answer.canAskFor && { canAskFor: answer.canAskFor }),
      files: contentParts(question.content).map(({ path, content }) => shownFile(path, content)),
      sees: skill.files ? [...skill.files] : null,
      timeoutSeconds: skill.timeoutSeconds ?? skillDefaults.timeoutSeconds,
      ...(node.permissions !== undefined && { permissions: node.permissions }),
      ...(answer.changedSince && {
        changedSince: {
          at: answer.changedSince.grant.at,
          level: answer.changedSince.grant.level,
          changes: await this.#changes(answer.changedSince.diff, question.content),
        },
      }),
    };
  }

  /** Writes a grant for exactly what the user was shown; a skill that changed meanwhile must be looked at again. */
  async grant(node: ResolvedSkill, wish: GrantWish): Promise<TrustCard> {
    const question = trustQuestion(node);
    const { hash, grant } = await this.#grants.ask(question);
    if (hash !== wish.hash) {
      throw new StudioError(
        'trust.changed',
        `Cannot trust "${node.name}": it changed while you were reading it`,
        {
          skill: node.id,
        },
      );
    }
    // Full trust for what was fetched needs a grant from an earlier session: this one may be what fetched it.
    if (question.origin === 'fetched' && !grant) this.#grants.noteFetched(question.content);
    const isConfirmedByTyping = wish.confirmation === node.name;
    await this.#grants.grant({ ...question, level: wish.level, isConfirmedByTyping });
    return this.card(node);
  }

  async revoke(subject: string): Promise<readonly GrantEntry[]> {
    await this.#grants.revoke({ subject });
    return this.list();
  }

  async list(): Promise<readonly GrantEntry[]> {
    return (await this.#grants.list()).map(({ subject, hash, level, at, files }) => ({
      subject,
      hash,
      level,
      at,
      files: files.length,
    }));
  }

  async #changes(
    diff: ListingDiff,
    content: SkillContent,
  ): Promise<NonNullable<TrustCard['changedSince']>['changes']> {
    const now = new Map(contentParts(content).map((part) => [part.path, part.content]));
    const before = async (sha256: string): Promise<{ before?: string }> => {
      const text = shownText(await this.#grants.grantedContent(sha256));
      return text === undefined ? {} : { before: text };
    };
    const after = (path: string): { after?: string } => {
      const text = shownText(now.get(path));
      return text === undefined ? {} : { after: text };
    };
    return [
      ...diff.added.map(({ path }) => ({ path, change: 'added' as const, ...after(path) })),
      ...(await Promise.all(
        diff.removed.map(async ({ path, sha256 }) => ({
          path,
          change: 'removed' as const,
          ...(await before(sha256)),
        })),
      )),
      ...(await Promise.all(
        diff.changed.map(async (changed) => ({
          path: changed.after.path,
          change: 'changed' as const,
          ...(await before(changed.before.sha256)),
          ...after(changed.after.path),
        })),
      )),
    ];
  }
}

function shownFile(path: string, content: Uint8Array): TrustCard['files'][number] {
  const text = shownText(content);
  return { path, bytes: content.length, ...(text !== undefined && { text }) };
}

function shownText(content: Uint8Array | undefined): string | undefined {
  if (!content || content.length > longestShown) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined; // Not text: the card shows its size only.
  }
}
