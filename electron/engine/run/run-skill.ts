import { basename } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import { fillVariables } from '#shared/prompt/fill-variables.ts';
import { fileListOf } from '../fingerprint/file-list.ts';
import { requiredParameters, variablesOf } from '../fingerprint/variables.ts';
import type { ResolvedScript, ResolvedSkill } from '../resolve/nodes.ts';
import type { LimitName, ScriptOutcome } from '../sandbox/run-script.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SkillFile } from '../sandbox/stage/stage-skill.ts';
import type { Snapshot } from '../sandbox/stage/snapshot.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import { deliver } from './deliver.ts';
import { permittedBy, type Permitted } from '../plan/permitted.ts';
import { problemOfPath } from './proposed-path.ts';
import { requireTrust } from './skill-trust.ts';
import type {
  FailureCause,
  OnScriptOutput,
  ProposedChange,
  ScriptLog,
  StepError,
  StepResult,
} from './step-result.ts';

export interface RunSkillOptions {
  readonly skill: ResolvedSkill;
  readonly sandbox: Sandbox;
  readonly grants: GrantStore;
  /** The workspace as it was when the run started. */
  readonly snapshot: Snapshot;
  readonly task?: string | undefined;
  /** Context keys with their values; those that the skill requires must be there. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Values for `parameters_schema`. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The files that the result is to be kept for; a skill that would see others is a bug, and does not run. */
  readonly filesDigest?: Digest | undefined;
  /** When the run started, for `${DATE}` and `${TIMESTAMP}`. */
  readonly startedAt: Date;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: OnScriptOutput | undefined;
}

/**
 * Runs the scripts of one skill in the sandbox, in order, each with what the earlier ones delivered. What the skill does
 * wrong is a result; a skill that may not or cannot be run at all is a `StudioError`.
 */
export async function runSkill(options: RunSkillOptions): Promise<StepResult> {
  const { skill, grants } = options;
  requireRunnable(skill);
  requireInputs(options);
  await requireTrust(grants, skill);
  return new SkillRun(options).run();
}

/** Refuses a skill that is not made of scripts alone, or not whole. */
function requireRunnable({ name, skill, scripts, resources, permissions, id }: ResolvedSkill): void {
  if ((skill.instructions ?? '').trim() !== '') {
    throw new StudioError(
      'skill.needs-model',
      `Cannot run "${name}": it has instructions, and this version runs skills of scripts only`,
      { skill: id },
    );
  }
  const { network } = permittedBy(permissions);
  if (network.length > 0) {
    throw new StudioError(
      'sandbox.no-network',
      `Cannot run "${name}": it asks for the network (${network.join(', ')}), and scripts have none`,
      { skill: id, network },
    );
  }
  const isWhole =
    scripts.length === (skill.scripts?.length ?? 0) && resources.length === (skill.resources?.length ?? 0);
  if (scripts.length > 0 && isWhole) return;
  const why = isWhole ? 'it has no scripts' : 'one of its files cannot be read';
  throw new StudioError('skill.incomplete', `Cannot run "${name}": ${why}`, { skill: id });
}

function requireInputs({ skill: { name, skill, id }, inputs, params = {} }: RunSkillOptions): void {
  const keys = (skill.requires ?? []).map(({ key }) => key).filter((key) => !Object.hasOwn(inputs, key));
  const names = requiredParameters(skill.parametersSchema).filter((key) => !Object.hasOwn(params, key));
  const missing = [...keys, ...names];
  if (missing.length === 0) return;
  const listed = missing.map((key) => `"${key}"`).join(', ');
  throw new StudioError(
    'skill.missing-input',
    `Cannot run "${name}": give it ${listed} with --input or --input-file`,
    {
      skill: id,
      missing,
    },
  );
}

/** One skill while it runs. */
class SkillRun {
  readonly #options: RunSkillOptions;
  readonly #permitted: Permitted;
  readonly #startedAt = performance.now();
  readonly #logs: ScriptLog[] = [];
  readonly #limitsHit = new Set<LimitName>();
  readonly #denied: string[] = [];
  #filesSeen = 0;
  readonly #changes = new Map<string, ProposedChange>();
  #outputs: Readonly<Record<string, unknown>> = {};
  #content: string | undefined;

  constructor(options: RunSkillOptions) {
    this.#options = options;
    this.#permitted = permittedBy(options.skill.permissions);
  }

  async run(): Promise<StepResult> {
    const { skill, sandbox, snapshot } = this.#options;
    const { folder: workspace, files } = await snapshot.view(skill.skill.files, this.#permitted.read);
    this.#filesSeen = files.size;
    const { filesDigest } = this.#options;
    if (filesDigest !== undefined && filesDigest !== fileListOf(files).digest) {
      throw new Error(`"${skill.id}" would see other files than its fingerprint names`);
    }
    const staged = sandbox.stageSkill(ownFiles(skill));
    for (const [i, script] of skill.scripts.entries()) {
      const outcome = await this.#runScript(script, { workspace, skill: staged });
      if (outcome.cancelled) return { state: 'cancelled', ...this.#record() };
      const error = this.#take(script, outcome, i === skill.scripts.length - 1);
      if (error) return { state: 'failed', error, ...this.#record() };
    }
    return {
      state: 'ran',
      content: this.#content ?? '',
      outputs: this.#outputs,
      changes: [...this.#changes.values()],
      ...this.#record(),
    };
  }

  async #runScript(
    { name, language, content, args }: ResolvedScript,
    folders: { workspace: string | undefined; skill: string },
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
      ...folders,
      limits: { timeoutMs: (skill.skill.timeoutSeconds ?? skillDefaults.timeoutSeconds) * 1000 },
      signal,
      onOutput: onOutput && ((stream, text) => onOutput(name, stream, text)),
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
    const failed = (message: string, more: Partial<StepError> = {}): StepError => ({
      phase: 'execute',
      cause: 'script_failure',
      skillName: skill.name,
      scriptName: name,
      ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
      stderr: outcome.stderr,
      message: `Script "${name}" of "${skill.name}" ${message}`,
      recoverable: false,
      ...more,
    });
    const ending = endingOf(outcome, skill);
    if (ending) return failed(ending.message, { cause: ending.cause, recoverable: ending.recoverable });
    const produces = (skill.skill.produces ?? []).map(({ key }) => key);
    const delivery = deliver({ produces, earlier: this.#outputs, outcome, isLast });
    if ('problem' in delivery) return failed(delivery.problem, delivery.details);
    const changes: ProposedChange[] = [
      ...outcome.artifacts.map((artifact) => ({ operation: 'write' as const, ...artifact })),
      ...delivery.deleted.map((path) => ({ operation: 'delete' as const, path })),
    ];
    for (const change of changes) {
      const problem = problemOfPath(change.path, this.#permitted.write);
      if (problem !== undefined) {
        const what = `${change.operation} ${JSON.stringify(change.path)}`;
        return failed(`may not ${what}: ${problem}`, { cause: 'security_violation' });
      }
      this.#changes.set(change.path, change);
    }
    this.#outputs = { ...this.#outputs, ...delivery.outputs };
    this.#content = delivery.content;
    return undefined;
  }

  #record(): Pick<StepResult, 'logs' | 'filesSeen' | 'limitsHit' | 'denied' | 'durationMs'> {
    return {
      logs: this.#logs,
      filesSeen: this.#filesSeen,
      limitsHit: [...this.#limitsHit],
      denied: this.#denied,
      durationMs: performance.now() - this.#startedAt,
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
