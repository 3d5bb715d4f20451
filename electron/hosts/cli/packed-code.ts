import { isAscii } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache.ts';
import { loadOfNode } from './load-of-node.ts';
import type { V8Pace } from './v8-pace.ts';

/** What the build calls the file with the modules that a run needs, and most other commands too. */
const firstPack = 'run.js';

/** By then a command that goes on has done at least once what it does again and again. */
const startedAfterMs = 1000;

/** One file of modules; the first one tells in which of the others a module is. */
interface Pack {
  readonly [name: string]: Wrapper | undefined;
}
type FirstPack = Pack & { readonly places: Readonly<Record<string, string>> };

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
  /** Each needs other functions, and only those are worth keeping. */
  readonly command: string;
  readonly pace: V8Pace;
}

/**
 * The modules of the command line, most of them out of the files in which the build packed them. To read and compile
 * fifty files takes longer than all that a plan does; what was compiled is kept for the next process where it can be.
 */
export class PackedCode {
  readonly #options: PackedCodeOptions;
  readonly #packs = new Map<string, Pack>();
  readonly #loaded = new Map<string, { exports: object }>();

  constructor(options: PackedCodeOptions) {
    this.#options = options;
  }

  /** A module by its name: all of them lie in one folder. */
  load(name: string): unknown {
    const known = this.#loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(name, module);
    const wrapper = this.#packed(name) ?? (compile(this.#options, name, wrapped) as Wrapper);
    const { folder } = this.#options;
    wrapper(module.exports, this.#require, module, folder + sep + name, folder);
    return module.exports;
  }

  readonly #require = (id: string): unknown =>
    id.startsWith('./') ? this.load(id.slice(2)) : loadOfNode(id, this.#options.folder);

  #packed(name: string): Wrapper | undefined {
    const first = this.#pack(firstPack) as FirstPack;
    const pack = first.places[name];
    return pack === undefined ? first[name] : this.#pack(pack)[name];
  }

  #pack(name: string): Pack {
    const known = this.#packs.get(name);
    if (known) return known;
    const pack = compile(this.#options, name, (source) => source) as Pack;
    this.#packs.set(name, pack);
    return pack;
  }
}

/** One module that needs no other, by its name; `isWorthKeeping` is asked when the process ends. */
export function loadAlone(
  options: PackedCodeOptions,
  name: string,
  isWorthKeeping: () => boolean,
): Record<string, unknown> {
  const { folder } = options;
  const module = { exports: {} };
  const wrapper = compile(options, name, wrapped, isWorthKeeping) as Wrapper;
  wrapper(module.exports, (id) => loadOfNode(id, folder), module, join(folder, name), folder);
  return module.exports;
}

function compile(
  { folder, home, command, pace }: PackedCodeOptions,
  name: string,
  prepare: (source: string) => string,
  isWorthKeeping = () => true,
): unknown {
  const filename = join(folder, name);
  const bytes = readFileSync(filename);
  const { size, mtimeMs, ino } = statSync(filename);
  const { version, arch } = process;
  const [digest = ''] = bytes.toString('latin1', 0, 80).split('\n', 1);
  const cache = new CodeCache(home, {
    source: JSON.stringify([filename, digest, size, mtimeMs, ino, version, arch]),
    name: `${command}.${name}`,
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
