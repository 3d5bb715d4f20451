import { untrack } from 'svelte';
import type { GrantEntry, TrustCard } from '#shared/model/trust.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

/** A skill as one file brings it. */
export interface SkillPlace {
  readonly file: FileId;
  readonly skill: string;
}

/** The permission card in front of the user. */
export type ReadingPhase =
  | { readonly phase: 'closed' }
  | { readonly phase: 'opening'; readonly place: SkillPlace }
  | { readonly phase: 'refused'; readonly place: SkillPlace; readonly failure: Failure }
  | {
      readonly phase: 'open';
      readonly place: SkillPlace;
      readonly card: TrustCard;
      readonly isGranting: boolean;
      /** Why the user's last decision was not written down. */
      readonly failure?: Failure;
    };

export interface Decision {
  readonly level: 'sandboxed' | 'full';
  /** The skill's name as the user typed it. */
  readonly confirmation?: string;
}

interface TrustViewOptions {
  readonly client: () => Pick<DocumentSource['client'], 'trust'>;
  readonly workspace: () => DocumentSource['workspace'];
  /** Told what the user decided, once it is written down. */
  readonly decided: (card: TrustCard) => void;
}

/** What the selected skill may do, the permission card being read, and the grants in force. */
export class TrustView {
  readonly #options: TrustViewOptions;
  #looks = 0;
  #seen = $state.raw<{ place: SkillPlace; card?: TrustCard; failure?: Failure }>();
  #reading = $state.raw<ReadingPhase>({ phase: 'closed' });
  #grants = $state.raw<readonly GrantEntry[]>();
  #grantsFailure = $state.raw<Failure>();

  constructor(options: TrustViewOptions) {
    this.#options = options;
  }

  get reading(): ReadingPhase {
    return this.#reading;
  }

  /** Newest first; undefined until the engine has listed them. */
  get grants(): readonly GrantEntry[] | undefined {
    return this.#grants;
  }

  /** Why the grants could not be listed or one could not be taken back. */
  get grantsFailure(): Failure | undefined {
    return this.#grantsFailure;
  }

  /** What the engine last said of this skill, if it is the one that was looked at. */
  seen(place: SkillPlace): { readonly card?: TrustCard; readonly failure?: Failure } | undefined {
    return this.#seen && isSame(this.#seen.place, place) ? this.#seen : undefined;
  }

  /** Finds out what a skill may do; its last answer stays until the new one is there. */
  async look(place: SkillPlace): Promise<void> {
    const look = ++this.#looks;
    // An effect that asks must not depend on the answer, or it would ask for ever.
    if (!untrack(() => this.seen(place))) this.#seen = { place };
    const answer = await this.#card(place).then(
      (card) => ({ card }),
      (error: unknown) => ({ failure: toFailure(error) }),
    );
    if (look === this.#looks) this.#seen = { place, ...answer };
  }

  /** Puts the skill's permission card in front of the user. */
  async read(place: SkillPlace): Promise<void> {
    this.#reading = { phase: 'opening', place };
    await this.#load(place);
  }

  close(): void {
    this.#reading = { phase: 'closed' };
  }

  /** Writes the user's decision down for exactly what the card shows; a skill that changed meanwhile is shown anew. */
  async decide({ level, confirmation }: Decision): Promise<void> {
    const open = this.#reading;
    if (open.phase !== 'open' || open.isGranting) return;
    const { place, card: shown } = open;
    this.#reading = { phase: 'open', place, card: shown, isGranting: true };
    try {
      const card = await this.#options.client().trust.grant({
        ...{ workspace: this.#options.workspace(), ...place, hash: shown.hash, level },
        ...(confirmation !== undefined && { confirmation }),
      });
      if (this.seen(place)) {
        this.#looks++;
        this.#seen = { place, card };
      }
      this.#options.decided(card);
      if (this.#isReading(place)) this.close();
    } catch (error) {
      const failure = toFailure(error);
      if (!this.#isReading(place)) return;
      if (failure.code === 'trust.changed') await this.#load(place, failure);
      else this.#reading = { phase: 'open', place, card: shown, isGranting: false, failure };
    }
  }

  async list(): Promise<void> {
    await this.#keepGrants(() => this.#options.client().trust.list());
  }

  /** Takes back every grant of a subject. */
  async revoke(subject: string): Promise<void> {
    await this.#keepGrants(() => this.#options.client().trust.revoke({ subject }));
    if (this.#seen?.card?.subject === subject) await this.look(this.#seen.place);
  }

  async #keepGrants(ask: () => Promise<readonly GrantEntry[]>): Promise<void> {
    try {
      this.#grants = (await ask()).toSorted((a, b) => b.at.localeCompare(a.at));
      this.#grantsFailure = undefined;
    } catch (error) {
      this.#grantsFailure = toFailure(error);
    }
  }

  async #load(place: SkillPlace, failure?: Failure): Promise<void> {
    try {
      const card = await this.#card(place);
      if (!this.#isReading(place)) return;
      this.#reading = { phase: 'open', place, card, isGranting: false, ...(failure && { failure }) };
    } catch (error) {
      if (this.#isReading(place)) this.#reading = { phase: 'refused', place, failure: toFailure(error) };
    }
  }

  async #card(place: SkillPlace): Promise<TrustCard> {
    return this.#options.client().trust.card({ workspace: this.#options.workspace(), ...place });
  }

  #isReading(place: SkillPlace): boolean {
    return this.#reading.phase !== 'closed' && isSame(this.#reading.place, place);
  }
}

function isSame(a: SkillPlace, b: SkillPlace): boolean {
  return a.file === b.file && a.skill === b.skill;
}
