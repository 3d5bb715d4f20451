import { StudioError } from '#shared/errors.ts';
import type { ControlGroup, Walls } from './cgroup/control-groups.ts';
import type { Keeper, SandboxHearer, SandboxStart } from './keeper.ts';
import type { Keepers } from './keepers.ts';

/** A start of bubblewrap: by whom, within which walls, with what. */
export interface LaunchRequest extends SandboxStart {
  readonly keepers: Keepers;
  readonly walls: Walls;
  /** A group for this start alone, instead of one for these walls. */
  readonly makeGroup?: () => ControlGroup;
}

/** A running sandbox. */
export interface Launched {
  /** Settles when no process of it is left and all that it sent was heard. */
  readonly gone: Promise<Gone>;
  /** Whether the kernel ended a process of the sandbox for want of memory; never, where it holds none. */
  readonly isOutOfMemory: () => boolean;
  /** Ends every process of the sandbox at once. */
  readonly kill: () => void;
}

export interface Gone {
  /** Exit code that bubblewrap reported of the command; undefined means that the command did not end by itself. */
  readonly exitCode: number | undefined;
  /** Why it could not be started or followed to its end. */
  readonly failure?: string | undefined;
  readonly isOutOfMemory: boolean;
}

/** Starts a sandbox; what comes of it is heard from then on. */
export async function launch(request: LaunchRequest, hearer: SandboxHearer): Promise<Launched> {
  const { keepers, walls, makeGroup } = request;
  let keeper: Keeper;
  try {
    keeper = await (makeGroup ? keepers.takeIn(makeGroup) : keepers.take(walls));
  } catch (cause) {
    throw unstartable(cause as Error);
  }
  const isOutOfMemory = () => keeper.isOutOfMemory();
  const gone = keeper.run(request, hearer).then(({ exitCode, failure }): Gone => {
    const end = { exitCode, isOutOfMemory: isOutOfMemory() };
    if (makeGroup || end.isOutOfMemory) keepers.close(keeper);
    else keepers.give(keeper, walls);
    // The kernel may have ended the keeper for what its sandbox used.
    return end.isOutOfMemory ? end : { ...end, failure };
  });
  return { gone, isOutOfMemory, kill: () => keeper.end() };
}

function unstartable({ message }: Error): StudioError {
  return new StudioError('sandbox.unavailable', `Cannot start the sandbox: ${message}`, { said: message });
}
