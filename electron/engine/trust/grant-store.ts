import { mkdir, readFile } from 'node:fs/promises';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { Notice } from '#shared/model/app.ts';
import type { TrustLevel } from '#shared/model/skill.ts';
import { digestOf } from '../store/digest.ts';
import { withFileLock } from '../store/file-lock.ts';
import { unreadProblem } from '../store/state-file.ts';
import { writeFile } from '../store/write-file.ts';
import { contentParts, diffListings, listContent, type ListingDiff, type SkillContent } from './content.ts';
import { defaultTrust, lesserTrust, type SkillOrigin } from './effective-trust.ts';
import type { Grant, readGrantFile } from './grant-file.ts';

/** A skill whose trust is asked for. `declared` is only a request. */
export interface TrustQuestion {
  readonly subject: string;
  readonly origin: SkillOrigin;
  readonly declared: TrustLevel;
  readonly content: SkillContent;
}

/** What a skill may do now, and why. */
export interface TrustAnswer {
  readonly level: TrustLevel;
  readonly hash: string;
  readonly grant?: Grant;
  /** The skill asks for more than it has: the user may be asked. */
  readonly canAskFor?: TrustLevel;
  /** Set when the user once agreed to another content of this skill. */
  readonly changedSince?: { readonly grant: Grant; readonly diff: ListingDiff };
}

export interface GrantRequest extends TrustQuestion {
  readonly level: TrustLevel;
  /** The host saw the user type the confirmation; nothing else may set it. */
  readonly isConfirmedByTyping?: boolean;
}

/** Text kept of a granted file, so that a later change can be shown line by line. */
const maxKeptBytes = 256 * 1024;

/**
 * The user's trust decisions, in `grants.json` of the home folder. Only `grant` and `revoke` change them, and only a host
 * calls those for something the user did; nothing a lens, a workspace, the environment or a model says comes near.
 */
export class GrantStore {
  readonly #home: string;
  readonly #path: string;
  readonly #fetched = new Set<string>();
  readonly #notices: Notice[] = [];

  constructor(home: string) {
    this.#home = home;
    this.#path = join(home, 'grants.json');
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** Remembers that this content was fetched now: it cannot get full trust before the next session. */
  noteFetched(content: SkillContent): void {
    this.#fetched.add(listContent(content).hash);
  }

  async list(): Promise<readonly Grant[]> {
    return this.#read();
  }

  async ask({ subject, origin, declared, content }: TrustQuestion): Promise<TrustAnswer> {
    const { hash, files } = listContent(content);
    const grants = await this.#read();
    const grant = grants.findLast((candidate) => candidate.hash === hash && candidate.subject === subject);
    const earlier = grant ? undefined : grants.findLast((candidate) => candidate.subject === subject);
    const granted = grant?.level ?? defaultTrust(origin);
    const allowed = this.#fetched.has(hash) ? lesserTrust(granted, 'sandboxed') : granted;
    const level = lesserTrust(declared, allowed);
    return {
      level,
      hash,
      ...(grant && { grant }),
      ...(level !== declared && { canAskFor: declared }),
      ...(earlier && { changedSince: { grant: earlier, diff: diffListings(earlier.files, files) } }),
    };
  }

  /** The levels of many skills by one reading; a content is looked at only where a grant of its subject could count. */
  async levels(
    questions: readonly (Omit<TrustQuestion, 'content'> & { readonly content: () => SkillContent })[],
  ): Promise<readonly TrustLevel[]> {
    const grants = await this.#read();
    const granted = new Map<string, Grant[]>();
    for (const grant of grants) granted.set(grant.subject, [...(granted.get(grant.subject) ?? []), grant]);
    return questions.map(({ subject, origin, declared, content }) => {
      const known = granted.get(subject);
      if (!known && this.#fetched.size === 0) return lesserTrust(declared, defaultTrust(origin));
      const { hash } = listContent(content());
      const level = known?.findLast((grant) => grant.hash === hash)?.level ?? defaultTrust(origin);
      return lesserTrust(declared, this.#fetched.has(hash) ? lesserTrust(level, 'sandboxed') : level);
    });
  }

  /** Writes down what the user decided about exactly this content. */
  async grant(request: GrantRequest): Promise<Grant> {
    const { subject, level, content } = request;
    const listing = listContent(content);
    if (level === 'full' && request.isConfirmedByTyping !== true) {
      throw new StudioError(
        'trust.needs-confirmation',
        `Cannot give "${subject}" full trust: it was not typed out`,
      );
    }
    if (level === 'full' && this.#fetched.has(listing.hash)) {
      throw new StudioError(
        'trust.fetched-this-session',
        `Cannot give "${subject}" full trust: it was fetched in this session`,
      );
    }
    const grant: Grant = {
      hash: listing.hash,
      subject,
      level,
      at: new Date().toISOString(),
      files: [...listing.files],
    };
    const isSame = (other: Grant) => other.hash === grant.hash && other.subject === subject;
    await this.#change(async (grants) => {
      await this.#keep(content);
      return [...grants.filter((other) => !isSame(other)), grant];
    });
    return grant;
  }

  /** Takes back every grant of a subject, or one by its content hash; returns how many. */
  async revoke(which: { readonly subject: string } | { readonly hash: string }): Promise<number> {
    let revoked = 0;
    await this.#change((grants) => {
      const kept = grants.filter((grant) =>
        'hash' in which ? grant.hash !== which.hash : grant.subject !== which.subject,
      );
      revoked = grants.length - kept.length;
      return kept;
    });
    return revoked;
  }

  /** The bytes of a file that was once agreed to; undefined when it was too large to keep. */
  async grantedContent(hash: string): Promise<Buffer | undefined> {
    const kept = await readFile(this.#keptPath(hash)).catch(() => undefined);
    return kept && digestOf(kept) === hash ? kept : undefined;
  }

  async #keep(content: SkillContent): Promise<void> {
    await mkdir(join(this.#home, 'granted'), { recursive: true, mode: 0o700 });
    for (const { content: bytes } of contentParts(content)) {
      const path = this.#keptPath(digestOf(bytes));
      if (bytes.length <= maxKeptBytes && !existsSync(path)) await writeFile(path, bytes);
    }
  }

  #keptPath(hash: string): string {
    return join(this.#home, 'granted', hash.replace(/[^0-9a-f]/g, ''));
  }

  async #change(
    change: (grants: readonly Grant[]) => readonly Grant[] | Promise<readonly Grant[]>,
  ): Promise<void> {
    try {
      await withFileLock(this.#path, async () => {
        const grants = await change(await this.#readToChange());
        await writeFile(this.#path, `${JSON.stringify({ version: 1, grants }, null, 2)}\n`);
      });
    } catch (error) {
      if (error instanceof StudioError) throw error;
      throw new StudioError('trust.unwritable', `Cannot write "${this.#path}": ${(error as Error).message}`);
    }
  }

  /** Refuses a file that cannot be read: written anew, it would lose every grant that is in it. */
  async #readToChange(): Promise<readonly Grant[]> {
    const file = await this.#open();
    const problem = unreadProblem(file);
    if (problem === undefined) return file.state === 'read' ? file.value.grants : [];
    throw new StudioError(
      'trust.unreadable',
      `Cannot change the grants in "${this.#path}", which cannot be read: ${problem}; check its permissions`,
    );
  }

  /** A file that cannot be read grants nothing: trust is never guessed. */
  async #read(): Promise<readonly Grant[]> {
    const file = await this.#open();
    return file.state === 'read' ? file.value.grants : [];
  }

  async #open(): Promise<Awaited<ReturnType<typeof readGrantFile>>> {
    // Most users have granted nothing yet, and then no schema is needed to read it.
    if (isMissing(this.#path)) return { state: 'missing' };
    const { readGrantFile: read } = await import('./grant-file.ts');
    const file = await read(this.#path);
    if (file.state === 'unreadable') {
      this.#tell('grants.unreadable', `Cannot read the grants, so none counts: ${file.problem}`);
    }
    if (file.state === 'damaged') {
      this.#tell(
        'grants.corrupt',
        `The file of grants was damaged and none of them counts any more: ${file.fate}`,
      );
    }
    return file;
  }

  #tell(code: string, message: string): void {
    if (!this.#notices.some((notice) => notice.code === code)) this.#notices.push({ code, message });
  }
}

/** Whether there is certainly nothing: what cannot even be looked at may be there. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
