import { isAscii } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, posix } from 'node:path';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache.ts';
import type { OptimizerPace } from './optimizer-pace.ts';

/** What the build calls the files with most of the modules: those that commands begin with, and others. */
const packNames = ['first.js', 'later.js'] as const;

/** By then a command that goes on has done at least once what it does again and again. */
const startedAfterMs = 1000;

/** A module as the build leaves it: a function that fills `module.exports`. */
type Wrapper = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  folder: string,
) => void;

export interface PackedCodeOptions {
  /** Where the build put it. */
  readonly folder: string;
  /** The user's folder, where compiled code is kept. */
  readonly home: string;
  /** Of the command: each needs other functions, and only those are worth keeping. */
  readonly name: string;
  readonly pace: OptimizerPace;
}

/**
 * The modules of the command line, most of them out of the two files in which the build packed them. To read and compile
 * fifty files takes longer than all that a plan does; what was compiled is kept for the next process where it can be.
 */
export class PackedCode {
  readonly #options: PackedCodeOptions;
  readonly #require: (id: string) => unknown;
  readonly #packs: Readonly<Record<string, Wrapper>>[] = [];
  readonly #loaded = new Map<string, { exports: object }>();

  constructor(options: PackedCodeOptions) {
    this.#options = options;
    this.#require = createRequire(join(options.folder, packNames[0]));
  }

  /** A module by its path within the folder. */
  load(path: string): unknown {
    const known = this.#loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(path, module);
    const at = posix.dirname(path);
    const require = (id: string): unknown =>
      id.startsWith('.') ? this.load(posix.join(at, id)) : this.#require(id);
    const wrapper = this.#packed(path) ?? (compile(this.#options, path, wrapped) as Wrapper);
    const { folder } = this.#options;
    wrapper(module.exports, require, module, join(folder, path), join(folder, at));
    return module.exports;
  }

  #packed(path: string): Wrapper | undefined {
    for (const [i, name] of packNames.entries()) {
      this.#packs[i] ??= compile(this.#options, name, (source) => source) as Record<string, Wrapper>;
      const wrapper = this.#packs[i][path];
      if (wrapper) return wrapper;
    }
    return undefined;
  }
}

/** One module that needs no other, by its path within the folder; `isWorthKeeping` is asked when the process ends. */
export function loadAlone(
  options: PackedCodeOptions,
  path: string,
  isWorthKeeping: () => boolean,
): Record<string, unknown> {
  const { folder } = options;
  const filename = join(folder, path);
  const module = { exports: {} };
  const wrapper = compile(options, path, wrapped, isWorthKeeping) as Wrapper;
  wrapper(module.exports, createRequire(filename), module, filename, folder);
  return module.exports;
}

function compile(
  { folder, home, name, pace }: PackedCodeOptions,
  path: string,
  prepare: (source: string) => string,
  isWorthKeeping = () => true,
): unknown {
  const filename = join(folder, path);
  const bytes = readFileSync(filename);
  const { size, mtimeMs, ino } = statSync(filename);
  const { version, arch } = process;
  const [digest = ''] = bytes.toString('latin1', 0, 80).split('\n', 1);
  const cache = new CodeCache(home, {
    source: JSON.stringify([filename, digest, size, mtimeMs, ino, version, arch]),
    name: `${name}.${basename(path)}`,
  });
  const cachedData = cache.read();
  const script = pace.usually(
    () => new Script(prepare(textOf(bytes)), { filename, ...(cachedData && { cachedData }) }),
  );
  if (!cachedData || script.cachedDataRejected === true) {
    keepCompiled(() => pace.usually(() => script.createCachedData()), cache, isWorthKeeping);
  }
  return script.runInThisContext();
}

/**
 * At the end, because only then is compiled what the command needs; and once before, because a long run forgets what it
 * needed at its start, and the next start needs that first of all.
 */
function keepCompiled(compiledCode: () => Buffer, cache: CodeCache, isWorthKeeping: () => boolean): void {
  let most = 0;
  const keep = (): void => {
    if (!isWorthKeeping()) return;
    const compiled = compiledCode();
    if (compiled.length > most) cache.write(compiled);
    most = Math.max(most, compiled.length);
  };
  setTimeout(keep, startedAfterMs).unref();
  process.once('exit', keep);
}

function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
}

/** As one byte for each character where that is the same: it takes half the room, and nothing to make. */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
}
