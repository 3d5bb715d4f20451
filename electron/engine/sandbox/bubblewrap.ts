import type { ScriptLanguage } from '#shared/model/skill.ts';
import { wallsAbove } from './cgroup/control-groups.ts';
import type { Identity } from './identity.ts';
import { initCommand, initWords } from './init.ts';
import { interpreterCommand, scriptExtension, type Interpreter } from './interpreters.ts';
import { descriptors } from './keeper.ts';
import type { Keepers } from './keepers.ts';
import type { LaunchRequest } from './launch.ts';
import type { Limits } from './limits.ts';
import { inside, profileArgv, profileFlags, type AgentPart, type Flag } from './profile.ts';
import { encodeInput, type ScriptRequest } from './script-request.ts';
import type { SystemLayout } from './system-layout.ts';

/** What is needed to start bubblewrap on this machine; made once, after everything was found to be safe. */
export interface Bubblewrap {
  readonly path: string;
  readonly identity: Identity;
  readonly system: SystemLayout;
  readonly seccomp: Uint8Array;
  readonly keepers: Keepers;
  /** Lets a test weaken a start and see what gets through. */
  readonly revise?: (launch: LaunchRequest, flags: readonly Flag[]) => LaunchRequest;
}

/** What of an agent a start needs beyond a script. */
export interface AgentStart extends AgentPart {
  /** Where its program lies, and what that needs. */
  readonly prefixes: readonly string[];
}

/** Puts together one start of bubblewrap for one script, or for one agent. */
export function prepareLaunch(
  bubblewrap: Bubblewrap,
  interpreter: Interpreter,
  request: ScriptRequest,
  limits: Limits,
  agent?: AgentStart,
): LaunchRequest {
  const { source, args = [], language } = request.script;
  const input = { path: inside.input, content: encodeInput(request.input) };
  const script =
    'content' in source ? [{ path: scriptPath(language), content: Buffer.from(source.content) }] : [];
  const placed = [input, ...script];
  const file = 'content' in source ? scriptPath(language) : `${inside.skill}/${source.pathInSkill}`;
  const flags = profileFlags({
    system: bubblewrap.system,
    prefixes: [
      ...new Set([
        ...(interpreter.prefix === undefined ? [] : [interpreter.prefix]),
        ...(agent?.prefixes ?? []),
      ]),
    ],
    ...(request.workspace !== undefined && { workspace: request.workspace }),
    ...(request.skill !== undefined && { skill: request.skill }),
    placed: placed.map(({ path }, i) => ({ fd: descriptors.firstPlaced + i, path })),
    environment: { ...scriptEnvironment(interpreter), ...request.environment },
    limits,
    initFd: descriptors.init,
    statusFd: descriptors.status,
    seccompFd: descriptors.filter,
    agent,
  });
  const launch: LaunchRequest = {
    bwrap: bubblewrap.path,
    keepers: bubblewrap.keepers,
    walls: wallsAbove(limits),
    options: profileArgv(flags),
    command: initCommand,
    words: initWords(limits, [...interpreterCommand(interpreter, limits), file, ...args]),
    seccomp: bubblewrap.seccomp,
    placed: placed.map(({ content }) => content),
  };
  return bubblewrap.revise?.(launch, flags) ?? launch;
}

/** The whole environment of a script. */
export function scriptEnvironment({ prefix }: Interpreter): Record<string, string> {
  const folders = [...(prefix === undefined ? [] : [`${prefix}/bin`]), '/usr/local/bin', '/usr/bin', '/bin'];
  return {
    PATH: folders.join(':'),
    HOME: inside.tmp,
    TMPDIR: inside.tmp,
    LANG: 'C.UTF-8',
    SUNWELL_INPUT: inside.input,
    SUNWELL_OUTPUT: inside.output,
    SUNWELL_FILES: inside.files,
  };
}

function scriptPath(language: ScriptLanguage): string {
  return `${inside.scripts}/script.${scriptExtension(language)}`;
}
