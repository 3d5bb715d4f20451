import { z } from 'zod';
import { Disclosure } from '#shared/agent-skills/disclosure.ts';
import type { DisclosureEvent } from '#shared/agent-skills/disclosure.ts';
import { StudioError } from '#shared/errors.ts';
import type { ModelCost } from '#shared/model/models.ts';
import { composePrompt } from '#shared/prompt/compose-prompt.ts';
import type { AskedModel } from '../../models/asked-model.ts';
import type { Completion, CompletionChunk, CompletionRequest } from '../../models/complete.ts';
import { hasInstructions, offeredSections, openedFiles } from '../../prompt/offered-skills.ts';
import { promptSource } from '../../prompt/prompt-source.ts';
import { skillsText } from '../../prompt/skills-text.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { AgentOutcome } from '../../sandbox/agent-request.ts';
import { StepView } from '../../tools/step-view.ts';
import { stepTools } from '../../tools/step-tools.ts';
import { ToolRules } from '../../tools/tool-rules.ts';
import { requireInputs, requireWhole, type RunSkillOptions } from '../run-skill.ts';
import { ScriptWork } from '../script-work.ts';
import { trustQuestion } from '../skill-trust.ts';
import type { ProposedChange, StepError, StepResult } from '../step-result.ts';
import { agentSkills, keepAgentWork } from './agent-step.ts';
import { costOf } from './run-models.ts';

export interface ModelStepOptions extends RunSkillOptions {
  readonly resolution: Resolution;
  readonly model: AskedModel;
  /** What was wrong with the attempt before, and what it left. */
  readonly again?:
    | {
        readonly feedback: string;
        readonly content: string;
        readonly changes: readonly ProposedChange[];
      }
    | undefined;
  readonly onText: (text: string) => void;
  readonly onTool: (call: ToolCall) => void;
  readonly onOpened: (event: DisclosureEvent) => void;
  readonly onAsked: (cost: ModelCost, error: string | undefined) => void;
  /** Told of what the user should know and the result does not say. */
  readonly onNote: (sentence: string) => void;
}

/** One call of a tool, as it is told. */
export interface ToolCall {
  readonly tool: string;
  readonly input: string;
  readonly ok: boolean;
  readonly message?: string;
}

const maxSteps = 20;
const longestInput = 300;

/**
 * Lets a model work on one skill with the tools that the skill allows, and then runs those scripts of the skill that it did
 * not run itself. What goes wrong is a result; a skill that may not be worked on at all is a `StudioError`.
 */
export async function runModelStep(options: ModelStepOptions): Promise<StepResult> {
  const { skill, grants } = options;
  if (!hasInstructions(skill)) throw new Error(`"${skill.id}" has no instructions`);
  requireWhole(skill);
  requireInputs(options);
  const { level } = await grants.ask(trustQuestion(skill));
  const mayRun = level !== 'none';
  if (!mayRun && isAgent(options.model)) {
    throw new StudioError(
      'trust.not-granted',
      `Cannot let an agent work on "${skill.name}": it would follow instructions that you have not trusted`,
      { skill: skill.id },
    );
  }
  if (!mayRun && skill.scripts.length > 0) {
    options.onNote(`"${skill.name}" is not trusted: its scripts are left out`);
  }
  return new ModelStep(options, mayRun).run();
}

/** One attempt of a model at one skill. */
class ModelStep {
  readonly #options: ModelStepOptions;
  readonly #mayRun: boolean;
  readonly #work: ScriptWork;
  readonly #scriptsRun = new Set<string>();
  #cost: ModelCost | undefined;

  constructor(options: ModelStepOptions, mayRun: boolean) {
    this.#options = options;
    this.#mayRun = mayRun;
    this.#work = new ScriptWork(options);
    for (const change of options.again?.changes ?? []) this.#work.changes.set(change.path, change);
  }

  async run(): Promise<StepResult> {
    const { skill, views, filesDigest, model, signal } = this.#options;
    const view = new StepView({
      staged: await this.#work.open(views, filesDigest),
      changes: this.#work.changes,
      mayWrite: this.#work.permitted.write,
    });
    const { completion, left } = isAgent(model)
      ? await this.#askAgent(view)
      : { completion: await this.#ask(view), left: undefined };
    this.#cost = costOf(model, completion);
    this.#options.onAsked(this.#cost, completion.ok ? undefined : completion.failure.message);
    if (!completion.ok) {
      const { failure, partial } = completion;
      if (failure.kind === 'cancelled' && signal?.aborted) {
        return { state: 'cancelled', ...this.#left(partial), ...this.#record() };
      }
      return { state: 'failed', error: this.#failure(completion), ...this.#left(partial), ...this.#record() };
    }
    const refused = left && this.#keep(left, view);
    if (refused)
      return { state: 'failed', error: refused, ...this.#left(completion.text), ...this.#record() };
    const { text, value } = completion;
    const [only, ...others] = keysOf(skill);
    const isForm = others.length > 0;
    this.#work.take(
      isForm ? JSON.stringify(value, null, 2) : text,
      isForm ? (value as Record<string, unknown>) : only === undefined ? {} : { [only]: text },
    );
    return this.#finish(view);
  }

  #ask(view: StepView): Promise<Completion> {
    const { skill, resolution, sandbox } = this.#options;
    const disclosure = new Disclosure(offeredSections(resolution, skill));
    const tools = stepTools({
      skill,
      sandbox,
      work: this.#work,
      view,
      rules: new ToolRules(skill.skill.allowedTools),
      mayRun: this.#mayRun,
      disclosure,
      onOpened: (event) => this.#open(event, view),
      onScript: (name) => this.#scriptsRun.add(name),
    });
    return this.#complete(skillsText(disclosure), Object.keys(tools).length > 0 ? { tools } : {});
  }

  /** Gives an agent a copy of what the step sees; it has ended, with all it started, when this is over. */
  async #askAgent(view: StepView): Promise<{ completion: Completion; left: AgentOutcome | undefined }> {
    const { skill, resolution, sandbox } = this.#options;
    const { installed, prompt } = await agentSkills(resolution, skill);
    const folder =
      view.changes.size === 0 ? view.staged.folder : await sandbox.stageChanges(view.staged, view.changes);
    let work: Promise<AgentOutcome> | undefined;
    const attend = (begun: Promise<AgentOutcome>): void => void (work = begun);
    const completion = await this.#complete(prompt, { workplace: { folder, skills: installed, attend } });
    // Why it failed is in the completion.
    return { completion, left: await work?.catch(() => undefined) };
  }

  #complete(
    skills: string | undefined,
    more: Pick<CompletionRequest, 'tools' | 'workplace'>,
  ): Promise<Completion> {
    const { skill, resolution, model, signal, again } = this.#options;
    const { task, inputs, params = {}, startedAt: now } = this.#options;
    const { system, user } = composePrompt(
      promptSource(
        { lens: resolution.lens, node: skill },
        { inputs, params, task, now, skills, feedback: again && told(again) },
      ),
    );
    return model.complete({
      system,
      messages: [{ role: 'user', content: user }],
      ...more,
      ...(keysOf(skill).length > 1 && { schema: formOf(keysOf(skill)) }),
      ...(signal && { signal }),
      budget: { maxSteps },
      about: skill.name,
      onChunk: new ToolTeller(this.#options).take,
    });
  }

  #keep(left: AgentOutcome, view: StepView): StepError | undefined {
    const { skill, onNote } = this.#options;
    const { changes, permitted } = this.#work;
    const rules = new ToolRules(skill.skill.allowedTools);
    const { leftOut, problem } = keepAgentWork(left, { view, changes, rules, mayWrite: permitted.write });
    if (leftOut.length > 0) {
      const [first = ''] = leftOut;
      const others = leftOut.length === 1 ? '' : ` and ${leftOut.length - 1} more`;
      onNote(`"${skill.name}" may not change ${JSON.stringify(first)}${others}: its tools leave it out`);
    }
    if (problem === undefined) return undefined;
    const message = `The agent that worked on "${skill.name}" ${problem}`;
    const cause = 'security_violation';
    return { phase: 'execute', cause, skillName: skill.name, message, recoverable: false };
  }

  /** Runs the scripts that the model left out; they get what it delivered. */
  async #finish(view: StepView): Promise<StepResult> {
    const { skill, sandbox } = this.#options;
    const left = this.#mayRun ? skill.scripts.filter(({ name }) => !this.#scriptsRun.has(name)) : [];
    for (const [i, script] of left.entries()) {
      const { content = '', changes } = this.#work;
      const workspace =
        changes.size === 0 ? view.staged.folder : await sandbox.stageChanges(view.staged, view.changes);
      const { outcome, error } = await this.#work.runScript(script, {
        workspace,
        isLast: i === left.length - 1,
      });
      if (outcome.cancelled) return { state: 'cancelled', ...this.#left(content), ...this.#record() };
      if (error) return { state: 'failed', error, ...this.#left(content), ...this.#record() };
      // A script that prints nothing has nothing to say instead of what the model wrote.
      if ((this.#work.content ?? '').trim() === '') this.#work.take(content, {});
    }
    const { content = '', outputs, changes } = this.#work;
    return { state: 'ran', content, outputs, changes: [...changes.values()], ...this.#record() };
  }

  #open(event: DisclosureEvent, view: StepView): void {
    const { resolution, onOpened } = this.#options;
    if (event.type === 'skill_activated') {
      const opened = resolution.skills.find(({ name }) => name === event.skill);
      if (opened) view.addReadOnly(openedFiles(opened));
    }
    onOpened(event);
  }

  #failure({ failure }: Extract<Completion, { ok: false }>): StepError {
    const { skill, model } = this.#options;
    const passing = ['rate-limited', 'server-error', 'unreachable', 'timed-out', 'cut', 'too-many-steps'];
    return {
      phase: 'execute',
      cause: failure.kind === 'timed-out' ? 'timeout' : 'model_failure',
      skillName: skill.name,
      message: failure.message,
      // An agent may have worked for minutes, and would do it all again.
      recoverable: passing.includes(failure.kind) && !isAgent(model),
      kind: failure.kind,
    };
  }

  #left(partial: string): { partial?: string } {
    return partial === '' ? {} : { partial };
  }

  #record(): ReturnType<ScriptWork['record']> & { model?: ModelCost } {
    return { ...this.#work.record(), ...(this.#cost && { model: this.#cost }) };
  }
}

/** Whether it works with tools and files of its own. */
function isAgent({ record }: AskedModel): boolean {
  return record.provider === 'command';
}

/** Tells of text as it comes, and of every call of a tool once it is known how it went. */
class ToolTeller {
  readonly #options: Pick<ModelStepOptions, 'onText' | 'onTool'>;
  readonly #called = new Map<string, string>();

  constructor(options: Pick<ModelStepOptions, 'onText' | 'onTool'>) {
    this.#options = options;
  }

  readonly take = (chunk: CompletionChunk): void => {
    switch (chunk.type) {
      case 'text':
        return this.#options.onText(chunk.text);
      case 'thought':
        return;
      case 'tool-called': {
        const input = JSON.stringify(chunk.input) ?? '';
        this.#called.set(chunk.id, input.length > longestInput ? `${input.slice(0, longestInput)}…` : input);
        return;
      }
      case 'tool-answered': {
        const { id, tool, ok, message } = chunk;
        const input = this.#called.get(id) ?? '';
        return this.#options.onTool({ tool, input, ok, ...(message !== undefined && { message }) });
      }
    }
  };
}

function told({ feedback, content }: NonNullable<ModelStepOptions['again']>): {
  text: string;
  earlier: string;
} {
  return { text: feedback, earlier: content };
}

function keysOf({ skill }: RunSkillOptions['skill']): string[] {
  return (skill.produces ?? []).map(({ key }) => key);
}

/** One field for each key. */
function formOf(keys: readonly string[]): z.ZodType {
  return z.object(Object.fromEntries(keys.map((key) => [key, z.string().describe(`The value of "${key}"`)])));
}
