import { renderCatalog } from '#shared/agent-skills/catalog.ts';
import type { CatalogStyle } from '#shared/agent-skills/catalog.ts';
import type { SkillDetail, SkillList, SkillMatch, SkillPreview } from '#shared/model/agent-skills.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';
import { SkillTransfer } from './skill-transfer.svelte.ts';

/** What is shown beside the list: one skill, what a model is told of all, or which of them fit a task. */
export type SkillsPane = 'skill' | 'prompt' | 'task';

interface AgentSkillsViewOptions {
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** Told what was written, to be said aloud. */
  readonly written: (preview: SkillPreview, files: number) => void;
}

const typingPauseMs = 200;
/** Roughly what a token of prose takes. */
const charactersPerToken = 4;

/** The Agent Skills of the workspace and the user: the list, one of them, the prompt and the trigger tester. */
export class AgentSkillsView {
  readonly #options: AgentSkillsViewOptions;
  readonly #list: Latest<SkillList>;
  readonly #detail: Latest<SkillDetail>;
  readonly #matches: Latest<readonly SkillMatch[]>;
  readonly transfer: SkillTransfer;
  #selected = $state.raw<string>();
  #pane = $state.raw<SkillsPane>('skill');
  #style = $state.raw<CatalogStyle>('reference');
  #task = $state.raw('');
  #lens = $state.raw<FileId>();

  /** What a model is told of the skills before it activates one. */
  readonly prompt = $derived.by(() => {
    const skills = this.#list.answer?.skills ?? [];
    const text = renderCatalog(
      skills.map(({ name, description, file }) => ({ name, description, location: file })),
      this.#style,
    );
    return { text, tokens: Math.ceil([...text].length / charactersPerToken) };
  });

  constructor(options: AgentSkillsViewOptions) {
    this.#options = options;
    const { clock, source } = options;
    this.#list = new Latest({
      clock,
      ask: (signal) => source().client.agentSkills.discover({ workspace: source().workspace }, { signal }),
      answered: (list) => this.#keepSelection(list),
    });
    this.#detail = new Latest({ clock, ask: (signal) => this.#show(signal) });
    this.#matches = new Latest({ clock, ask: (signal) => this.#match(signal) });
    this.transfer = new SkillTransfer({
      source,
      clock,
      written: (preview, files) => {
        options.written(preview, files);
        void this.ask();
      },
    });
  }

  /** Undefined until the engine has looked for the first time. */
  get list(): SkillList | undefined {
    return this.#list.answer;
  }

  get isLooking(): boolean {
    return this.#list.isAsking;
  }

  get failure(): Failure | undefined {
    return this.#list.failure;
  }

  /** The SKILL.md of the selected skill as the list names it. */
  get selected(): string | undefined {
    return this.#selected;
  }

  get detail(): SkillDetail | undefined {
    return this.#detail.answer?.file === this.#selected ? this.#detail.answer : undefined;
  }

  get detailFailure(): Failure | undefined {
    return this.#detail.failure;
  }

  get pane(): SkillsPane {
    return this.#pane;
  }

  get style(): CatalogStyle {
    return this.#style;
  }

  get task(): string {
    return this.#task;
  }

  /** The lens whose skills are tried; undefined for the discovered ones. */
  get lens(): FileId | undefined {
    return this.#lens;
  }

  /** Best first; undefined while no task is typed or the answer is not there yet. */
  get matches(): readonly SkillMatch[] | undefined {
    return this.#task.trim() === '' ? undefined : this.#matches.answer;
  }

  get matchFailure(): Failure | undefined {
    return this.#matches.failure;
  }

  /** Looks for skills again. */
  async ask(): Promise<void> {
    await this.#list.ask();
  }

  /** The same after files changed on disk, for what is on the screen only. */
  refresh(delayMs: number): void {
    if (this.#list.answer) this.#list.refresh(delayMs);
  }

  select(file: string): void {
    this.#selected = file;
    this.#pane = 'skill';
    void this.#detail.ask();
  }

  show(pane: SkillsPane): void {
    this.#pane = pane;
  }

  chooseStyle(style: CatalogStyle): void {
    this.#style = style;
  }

  tryTask(task: string): void {
    this.#task = task;
    if (task.trim() !== '') this.#matches.refresh(typingPauseMs);
  }

  tryOn(lens: FileId | undefined): void {
    this.#lens = lens;
    if (this.#task.trim() !== '') void this.#matches.ask();
  }

  #keepSelection({ skills, skipped, shadowed }: SkillList): void {
    const all = [...skills, ...skipped, ...shadowed];
    if (!all.some(({ file }) => file === this.#selected)) this.#selected = all[0]?.file;
    if (this.#selected !== undefined) void this.#detail.ask();
  }

  #show(signal: AbortSignal): Promise<SkillDetail> {
    const { client, workspace } = this.#options.source();
    return client.agentSkills.show({ workspace, file: this.#selected ?? '' }, { signal });
  }

  #match(signal: AbortSignal): Promise<readonly SkillMatch[]> {
    const { client, workspace } = this.#options.source();
    const [task, lens] = [this.#task, this.#lens];
    const request = { workspace, task, ...(lens === undefined ? {} : { lens }) };
    return client.agentSkills.match(request, { signal });
  }
}
