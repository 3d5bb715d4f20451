import type { AgentStart } from './bubblewrap.ts';
import type { ControlGroupParts } from './cgroup/open-control-groups.ts';
import type { Identity } from './identity.ts';
import type { Interpreter } from './interpreters.ts';
import type { Limits } from './limits.ts';
import type { RememberedPreflight } from './remembered-preflight.ts';
import type { SandboxReport } from './report.ts';
import type { ScriptOutcome } from './run-script.ts';
import type { ScriptRequest } from './script-request.ts';

/** Runs scripts on this machine, after the probes held. */
export interface Driver extends Disposable {
  run(request: ScriptRequest, interpreter: Interpreter, limits: Limits): Promise<ScriptOutcome>;
  /** Runs an agent, which may reach the network; missing where that cannot be held to so little. */
  runAgent?(
    request: ScriptRequest,
    interpreter: Interpreter,
    limits: Limits,
    agent: AgentStart,
  ): Promise<ScriptOutcome>;
  /** A script is about to come: lets what can be done before be done. */
  prepare?(): void;
}

/** What runs scripts here; without a driver nothing does, and the report says why. */
export interface Backend {
  readonly report: SandboxReport;
  readonly driver?: Driver;
}

export interface BackendParts {
  readonly identity: Identity;
  readonly ownFolder: string;
  readonly bubblewrapPlaces: readonly string[] | undefined;
  readonly groups: Pick<ControlGroupParts, 'records' | 'proven'>;
  readonly remembered: RememberedPreflight | undefined;
  /** The user wants to know how things are now: what is remembered does not count. */
  readonly isAskedAgain: boolean;
}
