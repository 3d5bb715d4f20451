import { spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { ControlGroup } from './cgroup/control-groups.ts';
import type { Identity } from './identity.ts';
import { encodeWords } from './init.ts';
import { encodeFrame, KeeperFrames, type FrameHearer } from './keeper-frames.ts';

/** Descriptors that a keeper starts bubblewrap with; the placed files come after these. */
export const descriptors = { channel: 3, status: 4, filter: 5, options: 6, init: 7, firstPlaced: 8 } as const;

/** Files that can be placed: the input, and the script where it is none of the skill's files. */
export const placedFiles = 2;

/** What every keeper of a studio is made of. */
export interface KeeperParts {
  readonly program: string;
  readonly identity: Identity;
  /** A folder of this studio alone, by which a later one finds what is left of it. */
  readonly folder: string;
}

/** One sandbox to start. */
export interface SandboxStart {
  readonly bwrap: string;
  /** What it starts in the sandbox. */
  readonly command: readonly string[];
  /** Options without the command; they go through a descriptor, because a script can read its ancestors' command lines. */
  readonly options: readonly string[];
  /** What the command is told once nothing can outlive the studio. */
  readonly words: readonly string[];
  readonly seccomp: Uint8Array;
  /** Contents of the placed files, in the order of their descriptors. */
  readonly placed: readonly Uint8Array[];
}

/** Who hears what comes of a sandbox. */
export type SandboxHearer = Omit<FrameHearer, 'ready' | 'ended'>;

/** How a sandbox ended: with an exit code, or with the reason why nobody knows. */
export interface SandboxEnd {
  readonly exitCode?: number | undefined;
  readonly failure?: string;
}

const lost = 'the program that starts bubblewrap has ended';
const nobody: FrameHearer = {
  ready: () => undefined,
  first: () => undefined,
  printed: () => undefined,
  sent: () => undefined,
  ended: () => undefined,
};

/**
 * A small process between the studio and bubblewrap (`native/keeper.c`). It starts one sandbox after another in one control
 * group, ends them when it is told to, and says when nothing of one is left. When the studio dies it ends everything.
 */
export class Keeper {
  readonly #channel: Socket;
  readonly #group: ControlGroup | undefined;
  #hearer = nobody;
  #isGone = false;

  private constructor(channel: Socket, group: ControlGroup | undefined) {
    this.#channel = channel;
    this.#group = group;
    const frames = new KeeperFrames(() => this.#hearer);
    channel.on('data', (bytes: Buffer) => frames.push(bytes));
    // What could not be written was for a keeper that is gone, as the end of the channel tells.
    channel.on('error', () => channel.destroy());
    channel.once('close', () => {
      this.#isGone = true;
      group?.release();
    });
  }

  /**
   * Starts several that the kernel holds, each in a group of its own, and with them all that they will start. The studio is
   * forked once for all of them. Only from the main thread: another may end before its scripts.
   */
  static start(
    { program, identity, folder }: KeeperParts,
    count: number,
    makeGroup?: () => ControlGroup,
  ): Promise<Keeper>[] {
    if (!isMainThread()) throw new Error('A sandbox can only be started from the main thread');
    const groups = Array.from({ length: count }, () => makeGroup?.());
    const words = [identity.uid, identity.gid, folder, count].map(String);
    const doors = groups.flatMap((group) => group?.doors ?? []);
    const child = spawn(program, ['keeper', ...words, ...doors], {
      // A script can read the environment its ancestors were started with, so there is none.
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', ...groups.map(() => 'pipe' as const)],
    });
    child.unref();
    const failed = new Promise<Error>((resolve) => child.on('error', resolve));
    return groups.map(async (group, i) => {
      if (child.pid === undefined) {
        group?.release();
        throw await failed;
      }
      const keeper = new Keeper(child.stdio[descriptors.channel + i] as unknown as Socket, group);
      try {
        await keeper.#untilReady();
      } catch (error) {
        keeper.close();
        throw error;
      }
      keeper.#channel.unref();
      return keeper;
    });
  }

  /** Whether it can start another sandbox. */
  get isFree(): boolean {
    return !this.#isGone && this.#hearer === nobody;
  }

  /** Whether the kernel ended a process of the sandbox for want of memory; never, where it holds none. */
  isOutOfMemory(): boolean {
    return this.#group?.isOutOfMemory() ?? false;
  }

  /** Starts a sandbox; settles when no process of it is left and all that it sent was heard. */
  run(start: SandboxStart, hearer: SandboxHearer): Promise<SandboxEnd> {
    const frame = encodeStart(start);
    if (this.#isGone) return Promise.resolve({ failure: lost });
    this.#channel.ref();
    return new Promise((resolve) => {
      const settle = (end: SandboxEnd): void => {
        this.#channel.off('close', onLost);
        this.#hearer = nobody;
        // A keeper without work keeps no studio from ending.
        this.#channel.unref();
        resolve(end);
      };
      const onLost = () => settle({ failure: lost });
      this.#channel.once('close', onLost);
      this.#hearer = {
        ...nobody,
        first: (pid) => hearer.first(pid),
        printed: (stream, bytes) => hearer.printed(stream, bytes),
        sent: (bytes) => hearer.sent(bytes),
        ended: (exitCode) => settle({ exitCode }),
      };
      this.#channel.write(frame);
    });
  }

  /** Ends every process of the sandbox at once, if one runs. */
  end(): void {
    if (this.#hearer !== nobody) this.#channel.write(encodeFrame('K', []));
  }

  /** Ends the keeper, and with it what it runs. */
  close(): void {
    this.#channel.destroy();
  }

  #untilReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const onLost = () => reject(new Error(lost));
      this.#channel.once('close', onLost);
      const ready = () => {
        this.#channel.off('close', onLost);
        this.#hearer = nobody;
        resolve();
      };
      this.#hearer = { ...nobody, ready };
    });
  }
}

/** By the kernel's word: to load the module that knows takes longer than to look. */
function isMainThread(): boolean {
  const [process, , thread] = readlinkSync('/proc/thread-self').split('/');
  return process === thread;
}

function encodeStart({ bwrap, command, options, words, seccomp, placed }: SandboxStart): Buffer {
  if (placed.length > placedFiles) throw new Error(`A sandbox takes at most ${placedFiles} placed files`);
  const texts = [[bwrap], command, options].map(nulEnded);
  return encodeFrame('S', [...texts, Buffer.from(encodeWords(words)), seccomp, ...placed]);
}

function nulEnded(words: readonly string[]): Buffer {
  // What comes behind a NUL would be an option of its own.
  if (words.some((word) => word.includes('\0'))) throw new Error('An option of a sandbox contains a NUL');
  return Buffer.from(words.map((word) => `${word}\0`).join(''));
}
