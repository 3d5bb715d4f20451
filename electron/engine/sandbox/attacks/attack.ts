import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { Limits } from '../limits.ts';
import type { ScriptOutcome } from '../run-script.ts';
import type { AttackWorld } from './attack-world.ts';

/** How an attack went: what the script said it tried and got, and what the host saw besides. */
export interface AttackResult {
  readonly attempted: readonly string[];
  readonly escaped: readonly string[];
  readonly stdout: string;
}

/** The run of an attack in the sandbox. */
export interface SandboxedRun {
  readonly outcome: ScriptOutcome;
  readonly result: AttackResult;
  readonly world: AttackWorld;
}

/** One row of the attack suite. */
export interface Attack {
  readonly row: number;
  readonly title: string;
  readonly language?: ScriptLanguage;
  /** Tries, and says "attempted X" for each try and "ESCAPED X" for each that worked. */
  readonly script: string;
  readonly limits?: Partial<Limits>;
  /** Done on the host after the workspace was staged. */
  readonly afterStage?: (world: AttackWorld) => Promise<void> | void;
  /** What else must be true of the run in the sandbox; throws when it is not. */
  readonly expect?: (run: SandboxedRun) => Promise<void> | void;
  /** What the host must see after the run without the sandbox, where the script's own word is not enough. */
  readonly expectWithout?: (world: AttackWorld, stdout: string) => Promise<void> | void;
  readonly control: Control;
}

/**
 * How an attack is shown to work without the sandbox, where the same script runs as a plain child of the same user.
 * 'same': every try works. 'any': at least one of the tries that were also made in the sandbox works, where it depends
 * on the kernel which. `works`: these tries work. `outlives`: the script is still there after a polite request to end.
 */
export type Control =
  | 'same'
  | 'any'
  | 'outlives'
  | {
      readonly works: readonly string[];
      /** Tries that only the run without the sandbox makes, in the host's place. */
      readonly onlyWithout?: boolean;
      /** As root, where the tests are; or in a bubblewrap that only looks like a sandbox. */
      readonly as?: 'root' | 'naive';
    }
  | { readonly none: string };

/** Put before every Python attack. */
export const pythonPrelude = `
import ctypes, errno, json, mmap, os, resource, signal, socket, stat, subprocess, sys, time
w = json.loads(sys.argv[1])
files = os.environ.get('SUNWELL_FILES', w['files'])
libc = ctypes.CDLL(None, use_errno=True)

def syscall(number, *args):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result == -1:
        raise OSError(ctypes.get_errno(), errno.errorcode.get(ctypes.get_errno(), '?'))
    return result

def attempt(name, act):
    try:
        got = act()
    except BaseException as error:
        print('attempted', name, '-', type(error).__name__, getattr(error, 'strerror', None) or error, flush=True)
        return
    print('attempted', name, flush=True)
    if got is not False and got is not None:
        print('ESCAPED', name, '-', repr(got)[:100], flush=True)

def reachable(number, *args):
    # Any answer but the filter's own shows that the kernel looked at the call.
    try:
        syscall(number, *args)
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.ENOSYS)
    return True

def refused_with(code, act):
    # The kernel has walls of its own behind the filter; only the filter answers with this.
    try:
        act()
    except OSError as error:
        return error.errno != code and errno.errorcode.get(error.errno)
    return True

def read(path):
    with open(path, 'rb') as file:
        return file.read(200) or False
arm = os.uname().machine == 'aarch64'
def nr(x64, arm64):
    return arm64 if arm else x64
`;

/** What the script printed, by the words it printed it with. */
export function readResult(stdout: string): AttackResult {
  const named = (word: string) =>
    stdout
      .split('\n')
      .filter((line) => line.startsWith(`${word} `))
      .map((line) => line.slice(word.length + 1));
  const names = (word: string) => named(word).map((line) => line.split(' - ')[0]!);
  return { attempted: names('attempted'), escaped: names('ESCAPED'), stdout };
}
