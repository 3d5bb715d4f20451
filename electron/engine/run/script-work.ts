import { basename } from 'node:path';
import type { Digest } from '#shared/model/fingerprint.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import { fillVariables } from '#shared/prompt/fill-variables.ts';
import { fileListOf } from '../fingerprint/file-list.ts';
import { variablesOf } from '../fingerprint/variables.ts';
import { permittedBy, type Permitted } from '../plan/permitted.ts';
import type { ResolvedScript, ResolvedSkill } from '../resolve/nodes.ts';
import type { LimitName, ScriptOutcome } from '../sandbox/run-script.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { StagedView } from '../sandbox/stage/snapshot.ts';
import type { SkillFile } from '../sandbox/stage/stage-skill.ts';
import { steadyMs } from '../store/steady-clock.ts';
import { deliver } from './deliver.ts';
import type { Views } from './run-files.ts';
import { problemOfPath } from '../tools/proposed-path.ts';
import type {
  FailureCause,
  OnScriptOutput,
  ProposedChange,
  ScriptLog,
  StepError,
  StepResult,
} from './step-result.ts';

/** What the scripts of one skill need to run. */
export interface ScriptWorkOptions {
  readonly skill: ResolvedSkill;
  readonly sandbox: Sandbox;
  readonly task?: string | undefined;
  /** Context keys with their values; those that the skill requires must be there. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Values for `parameters_schema`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** When the run started, for `${DATE}` and `${TIMESTAMP}`. */
  readonly startedAt: Date;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: OnScriptOutput | undefined;
}

/** A script that ran, and what keeps it from counting. */
export interface RanScript {
  readonly outcome: ScriptOutcome;
  readonly error?: StepError | undefined;
}

/** One skill while it works: what its scripts delivered and proposed so far, and what they did. */
export class ScriptWork {
  readonly #options: ScriptWorkOptions;
  readonly permitted: Permitted;
  readonly #startedAt = steadyMs();
  readonly #logs: ScriptLog[] = [];
  readonly #limitsHit = new Set<LimitName>();
  readonly #denied: string[] = [];
  #filesSeen = 0;
  readonly #changes = new Map<string, ProposedChange>();
  #outputs: Readonly<Record<string, unknown>> = {};
  #content: string | undefined;

  constructor(options: ScriptWorkOptions) {
    this.#options = options;
    this.permitted = permittedBy(options.skill.permissions);
  }

  /** What the skill sees of a workspace; refuses, as a bug, to show other files than a fingerprint names. */
  async open(views: Views, filesDigest: Digest | undefined): Promise<StagedView> {
    const { skill } = this.#options;
    const view = await views.view(skill.skill.files, this.permitted.read);
    this.#filesSeen = view.files.size;
    if (filesDigest !== undefined && filesDigest !== fileListOf(view.files).digest) {
      throw new Error(`"${skill.id}" would see other files than its fingerprint names`);
    }
    return view;
  }

  /** The proposed changes so far, by path. */
  get changes(): Map<string, ProposedChange> {
    return this.#changes;
  }

  get outputs(): Readonly<Record<string, unknown>> {
    return this.#outputs;
  }

  get content(): string | undefined {
    return this.#content;
  }

  /** Takes what was delivered by somebody else than a script. */
  take(content: string, outputs: Readonly<Record<string, unknown>>): void {
    this.#content = content;
    this.#outputs = { ...this.#outputs, ...outputs };
  }

  /** Runs one script of the skill in this folder and keeps what it delivers; after the last one every key must be there. */
  async runScript(
    script: ResolvedScript,
    {
      workspace,
      isLast,
      args = script.args,
    }: { workspace: string | undefined; isLast: boolean; args?: readonly string[] },
  ): Promise<RanScript> {
    const outcome = await this.#runScript({ ...script, args }, workspace);
    if (outcome.cancelled) return { outcome };
    return { outcome, error: this.#take(script, outcome, isLast) };
  }

  /** Runs a command that is no script of the skill; of what it delivers only the proposed files are kept. */
  async runCommand(
    name: string,
    {
      command,
      args = [],
      workspace,
    }: { command: string; args?: readonly string[]; workspace: string | undefined },
  ): Promise<RanScript> {
    const script = { name, language: 'bash', content: command, args } as const;
    const outcome = await this.#runScript(script, workspace);
    if (outcome.cancelled) return { outcome };
    return {
      outcome,
      error: this.#takeFiles(outcome, [], (message) => this.#failed(name, outcome, message)),
    };
  }

  async #runScript(
    { name, language, content, args }: ResolvedScript,
    workspace: string | undefined,
  ): Promise<ScriptOutcome> {
    const { skill, sandbox, task = '', params = {}, startedAt, signal, onOutput } = this.#options;
    const inputs = { ...this.#options.inputs, ...this.#outputs };
    const variables = variablesOf(skill, { ...params, ...inputs }, startedAt);
    const outcome = await sandbox.run({
      script: {
        name,
        language,
        source: { content },
        args: args.map((argument) => fillVariables(argument, variables)),
      },
      input: { task, inputs, params, ...(this.#content !== undefined && { content: this.#content }) },
      workspace,
      skill: sandbox.stageSkill(ownFiles(skill)),
      limits: { timeoutMs: (skill.skill.timeoutSeconds ?? skillDefaults.timeoutSeconds) * 1000 },
      signal,
      onOutput: onOutput && ((...printed) => onOutput(name, ...printed)),
    });
    const { stdout, stderr, truncated, durationMs } = outcome;
    this.#logs.push({ scriptName: name, stdout, stderr, truncated, durationMs });
    for (const limit of outcome.limitsHit) this.#limitsHit.add(limit);
    this.#denied.push(...outcome.denied);
    return outcome;
  }

  /** Keeps what a script delivered, or says why it does not count. */
  #take({ name }: ResolvedScript, outcome: ScriptOutcome, isLast: boolean): StepError | undefined {
    const { skill } = this.#options;
    const failed = (message: string, more?: Partial<StepError>): StepError =>
      this.#failed(name, outcome, message, more);
    const ending = endingOf(outcome, skill);
    if (ending) return failed(ending.message, { cause: ending.cause, recoverable: ending.recoverable });
    const produces = (skill.skill.produces ?? []).map(({ key }) => key);
    const delivery = deliver({ produces, earlier: this.#outputs, outcome, isLast });
    if ('problem' in delivery) return failed(delivery.problem, delivery.details);
    const refused = this.#takeFiles(outcome, delivery.deleted, failed);
    if (refused) return refused;
    this.#outputs = { ...this.#outputs, ...delivery.outputs };
    this.#content = delivery.content;
    return undefined;
  }

  #takeFiles(
    { artifacts }: ScriptOutcome,
    deleted: readonly string[],
    failed: (message: string, more: Partial<StepError>) => StepError,
  ): StepError | undefined {
    const changes: ProposedChange[] = [
      ...artifacts.map((artifact) => ({ operation: 'write' as const, ...artifact })),
      ...deleted.map((path) => ({ operation: 'delete' as const, path })),
    ];
    for (const change of changes) {
      const problem = problemOfPath(change.path, this.permitted.write);
      if (problem !== undefined) {
        const what = `${change.operation} ${JSON.stringify(change.path)}`;
        return failed(`may not ${what}: ${problem}`, { cause: 'security_violation' });
      }
      this.#changes.set(change.path, change);
    }
    return undefined;
  }

  #failed(name: string, outcome: ScriptOutcome, message: string, more: Partial<StepError> = {}): StepError {
    const { skill } = this.#options;
    return {
      phase: 'execute',
      cause: 'script_failure',
      skillName: skill.name,
      scriptName: name,
      ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
      stderr: outcome.stderr,
      message: `Script "${name}" of "${skill.name}" ${message}`,
      recoverable: false,
      ...more,
    };
  }

  record(): Pick<StepResult, 'logs' | 'filesSeen' | 'limitsHit' | 'denied' | 'durationMs'> {
    return {
      logs: this.#logs,
      filesSeen: this.#filesSeen,
      limitsHit: [...this.#limitsHit],
      denied: this.#denied,
      durationMs: steadyMs() - this.#startedAt,
    };
  }
}

/** How a script ended that did not end well; only the words after its name. */
function endingOf(
  outcome: ScriptOutcome,
  { skill }: ResolvedSkill,
): { message: string; cause: FailureCause; recoverable: boolean } | undefined {
  const { exitCode, signal, timedOut, limitsHit, rejected } = outcome;
  if (timedOut) {
    const seconds = skill.timeoutSeconds ?? skillDefaults.timeoutSeconds;
    const message = `took longer than ${seconds} s: raise "timeout" or do less`;
    return { message, cause: 'timeout', recoverable: true };
  }
  const [limit] = limitsHit.filter((name) => name !== 'output' || exitCode === undefined);
  if (limit) {
    return { message: `hit its limit of ${limitWords[limit]}`, cause: 'script_failure', recoverable: false };
  }
  if (signal !== undefined) {
    return { message: `was ended by signal ${signal}`, cause: 'crash', recoverable: true };
  }
  if (exitCode !== 0) {
    return { message: `ended with exit code ${exitCode}`, cause: 'script_failure', recoverable: true };
  }
  const [first] = rejected;
  if (!first) return undefined;
  const message = `left ${JSON.stringify(first.path)}, which cannot be a proposal: ${first.reason}`;
  return { message, cause: 'security_violation', recoverable: false };
}

const limitWords: Readonly<Record<LimitName, string>> = {
  time: 'time',
  memory: 'memory',
  output: 'printed output',
  cpu: 'processor time',
  'artifact-bytes': 'bytes of proposed files',
  'artifact-files': 'number of proposed files',
};

/** The skill's files as scripts find them below /skill; of two with one name the first counts. */
function ownFiles({ scripts, resources }: ResolvedSkill): SkillFile[] {
  const files = [
    ...scripts.map(({ name, content }) => ({ path: `scripts/${name}`, content })),
    ...resources.flatMap(({ file, content }) =>
      file === undefined || content === undefined ? [] : [{ path: `resources/${basename(file)}`, content }],
    ),
  ];
  const byPath = new Map(files.toReversed().map(({ path, content }) => [path, Buffer.from(content)]));
  return [...byPath].map(([path, content]) => ({ path, content }));
}
