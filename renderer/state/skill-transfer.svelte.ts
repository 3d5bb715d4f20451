import type { ImportOrigin, SkillOrigin, SkillPreview } from '#shared/model/agent-skills.ts';
import { unreachable } from '#shared/errors.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';
import { givenLimits, uploadFiles } from './skill-files.ts';
import type { GivenFile } from './skill-files.ts';

export interface ImportWish {
  readonly kind: 'import';
  readonly origin: ImportOrigin;
  /** What is imported, for people. */
  readonly title: string;
  readonly lens: FileId | undefined;
  /** The name in the lens; empty for the skill's own. */
  readonly name: string;
}

export interface ExportWish {
  readonly kind: 'export';
  readonly lens: FileId | undefined;
  /** The id of one skill; empty for the whole lens. */
  readonly skill: string;
  readonly folder: string;
}

export interface InstallWish {
  readonly kind: 'install';
  readonly origin: SkillOrigin;
  readonly title: string;
  readonly agent: string;
  readonly scope: 'project' | 'user';
}

export type TransferWish = ImportWish | ExportWish | InstallWish;

interface SkillTransferOptions {
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** Told what was written. */
  readonly written: (preview: SkillPreview, files: number) => void;
}

const typingPauseMs = 250;

/** Bringing skills in, out, or to an agent: first what would be written is shown, then the user agrees to exactly that. */
export class SkillTransfer {
  readonly #options: SkillTransferOptions;
  readonly #preview: Latest<{ readonly wish: TransferWish; readonly preview: SkillPreview }>;
  readonly #skills: Latest<{ readonly lens: FileId; readonly skills: readonly LensSkill[] }>;
  #wish = $state.raw<TransferWish>();
  #failure = $state.raw<Failure>();
  #isWriting = $state.raw(false);
  #isTaking = $state.raw(false);

  constructor(options: SkillTransferOptions) {
    this.#options = options;
    const { clock } = options;
    this.#preview = new Latest({ clock, ask: (signal) => this.#plan(signal) });
    this.#skills = new Latest({ clock, ask: (signal) => this.#readSkills(signal) });
  }

  /** What the user wants; undefined while no dialog is open. */
  get wish(): TransferWish | undefined {
    return this.#wish;
  }

  /** What would be written for this very wish; undefined while that is being found out. */
  get preview(): SkillPreview | undefined {
    const { answer } = this.#preview;
    return answer && answer.wish === this.#wish && !this.#preview.failure ? answer.preview : undefined;
  }

  /** Why there is no preview, or why nothing was written. */
  get failure(): Failure | undefined {
    return this.#failure ?? (this.#preview.isAsking ? undefined : this.#preview.failure);
  }

  get isPlanning(): boolean {
    return this.#preview.isAsking;
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** True while given files are handed over. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** The skills of the lens to export from. */
  get lensSkills(): readonly LensSkill[] {
    const { answer } = this.#skills;
    return answer && this.#wish?.kind === 'export' && answer.lens === this.#wish.lens ? answer.skills : [];
  }

  /** Shows what a wish would write. */
  begin(wish: TransferWish): void {
    this.#take(wish);
    void this.#preview.ask();
    if (wish.kind === 'export') void this.#skills.ask();
  }

  /** Changes a part of the wish; its old preview can no longer be agreed to. */
  change(
    part:
      | Partial<Omit<ImportWish, 'kind'>>
      | Partial<Omit<ExportWish, 'kind'>>
      | Partial<Omit<InstallWish, 'kind'>>,
  ): void {
    if (!this.#wish || this.#isWriting) return;
    this.#take({ ...this.#wish, ...part } as TransferWish);
    if ('lens' in part && this.#wish.kind === 'export') void this.#skills.ask();
    this.#preview.refresh('name' in part || 'folder' in part ? typingPauseMs : 0);
  }

  /** Takes files that the user dropped or chose, and shows what importing them would write. */
  async import(files: readonly GivenFile[], lens: FileId | undefined): Promise<Failure | undefined> {
    const [first] = files;
    if (!first || this.#isTaking) return undefined;
    const bytes = files.reduce((sum, { content }) => sum + content.size, 0);
    if (lens === undefined) return noLens;
    if (bytes > givenLimits.bytes || files.length > givenLimits.files) return tooMuch;
    this.#isTaking = true;
    try {
      const { client, workspace } = this.#options.source();
      const upload = await uploadFiles(client, workspace, files);
      const title = first.path.split('/')[0] ?? first.path;
      this.begin({ kind: 'import', origin: { from: 'upload', upload }, title, lens, name: '' });
      return undefined;
    } catch (error) {
      return toFailure(error);
    } finally {
      this.#isTaking = false;
    }
  }

  /** Writes exactly what is shown. What changed meanwhile is shown anew, and nothing was written. */
  async agree(): Promise<void> {
    const { preview } = this;
    if (!preview || this.#isWriting) return;
    this.#isWriting = true;
    this.#failure = undefined;
    try {
      const { client, workspace } = this.#options.source();
      const { files } = await client.agentSkills.write({ workspace, plan: preview.plan });
      this.close();
      this.#options.written(preview, files);
    } catch (error) {
      this.#failure = toFailure(error);
      // A plan is carried out once, so that one which failed is replaced.
      if (this.#failure.code !== 'disconnected') await this.#preview.ask();
    } finally {
      this.#isWriting = false;
    }
  }

  close(): void {
    this.#preview.close();
    this.#skills.close();
    this.#wish = undefined;
    this.#failure = undefined;
  }

  #take(wish: TransferWish): void {
    this.#wish = wish;
    this.#failure = undefined;
  }

  async #plan(signal: AbortSignal): Promise<{ wish: TransferWish; preview: SkillPreview }> {
    const wish = this.#wish;
    const { client, workspace } = this.#options.source();
    if (!wish) throw new Error('Nothing was wished for');
    switch (wish.kind) {
      case 'import': {
        const { lens: file = '' as FileId, origin, name } = wish;
        const request = { workspace, file, origin, ...(name === '' ? {} : { name }) };
        return { wish, preview: await client.agentSkills.planImport(request, { signal }) };
      }
      case 'export': {
        const { lens: file = '' as FileId, skill, folder } = wish;
        const request = { workspace, file, folder, ...(skill === '' ? {} : { skill }) };
        return { wish, preview: await client.agentSkills.planExport(request, { signal }) };
      }
      case 'install': {
        const { origin, agent, scope } = wish;
        const request = { workspace, origin, agent, scope };
        return { wish, preview: await client.agentSkills.planInstall(request, { signal }) };
      }
      default:
        return unreachable(wish);
    }
  }

  async #readSkills(signal: AbortSignal): Promise<{ lens: FileId; skills: readonly LensSkill[] }> {
    const { client, workspace } = this.#options.source();
    const lens = this.#wish?.kind === 'export' ? this.#wish.lens : undefined;
    if (lens === undefined) return { lens: '' as FileId, skills: [] };
    const { graph } = await client.lens.resolve({ workspace, file: lens, unsaved: [] }, { signal });
    return { lens, skills: Object.values(graph.skills).map(({ id, name }) => ({ id, name })) };
  }
}

export interface LensSkill {
  readonly id: string;
  readonly name: string;
}

const noLens: Failure = {
  code: 'file.unknown-kind',
  message: 'Cannot import a skill: the workspace has neither a lens nor a library',
  wayOut: 'Make a lens first, then import the skill into it.',
};

const tooMuch: Failure = {
  code: 'agent-skill.not-mounted',
  message: 'Cannot take these files: a skill has at most 10 MiB and 2,000 files',
  wayOut: 'Choose the folder or the archive of one skill.',
};
