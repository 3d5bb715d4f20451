import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import { userFolder } from '../store/user-folder.ts';
import type { Identity } from './identity.ts';
import type { Limits } from './limits.ts';

/** A program that runs scripts of a language, safe to hand a script to. */
export interface Interpreter {
  readonly language: ScriptLanguage;
  /** The real file, never a link or a shim. */
  readonly path: string;
  /** The folder it lives in, when that is not /usr and must be shown to the sandbox. */
  readonly prefix?: string;
}

/** Why a candidate was passed over; the doctor prints these. */
export interface PassedOver {
  readonly path: string;
  readonly why: string;
}

export interface FoundInterpreter {
  readonly interpreter: Interpreter | undefined;
  readonly passedOver: readonly PassedOver[];
}

/** Where to look and whom the sandbox runs as. */
export interface InterpreterSearch {
  readonly searchPath: string;
  readonly identity: Identity;
  /** Nothing inside these may run outside the sandbox or be shown to it as a program. */
  readonly workspaces: readonly string[];
}

const programs: Readonly<Record<ScriptLanguage, string>> = { python: 'python3', node: 'node', bash: 'bash' };
const extensions: Readonly<Record<ScriptLanguage, string>> = { python: 'py', node: 'mjs', bash: 'sh' };
const systemFolders = ['/usr/local/bin', '/usr/bin'];

/** The first safe interpreter along the search path, then in the system's own folders. */
export function findInterpreter(language: ScriptLanguage, search: InterpreterSearch): FoundInterpreter {
  const passedOver: PassedOver[] = [];
  const folders = [...search.searchPath.split(':').filter((folder) => isAbsolute(folder)), ...systemFolders];
  for (const folder of new Set(folders)) {
    const path = join(folder, programs[language]);
    const real = realPath(path);
    if (real === undefined) continue;
    const checked = check(language, real, search);
    if (typeof checked !== 'string') return { interpreter: checked, passedOver };
    passedOver.push({ path, why: checked });
  }
  return { interpreter: undefined, passedOver };
}

/** The command that runs a script file; none of the options lets the environment or the user's files add code. */
export function interpreterCommand({ language, path }: Interpreter, limits: Limits): string[] {
  switch (language) {
    case 'python':
      return [path, '-I', '-B'];
    case 'node':
      return [path, `--max-old-space-size=${Math.floor((limits.memoryBytes * 0.75) / 1024 / 1024)}`];
    case 'bash':
      return [path, '-p'];
  }
}

/** The extension by which an interpreter knows what it reads. */
export function scriptExtension(language: ScriptLanguage): string {
  return extensions[language];
}

/** The real file behind a path, where there is a program. */
export function realPath(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    const real = realpathSync(path);
    return isPyenvShim(real) ? realpathSync(behindPyenvShim(real)) : real;
  } catch {
    return undefined; // Not there, or not a program: the next folder is tried.
  }
}

function isPyenvShim(path: string): boolean {
  return dirname(path).endsWith('/shims');
}

/** The version the user chose for the whole machine; a version file of the workspace has no say in what runs. */
function behindPyenvShim(shim: string): string {
  const root = dirname(dirname(shim));
  const [version = ''] = readFileSync(join(root, 'version'), 'utf8').trim().split('\n');
  if (!/^[\w.-]+$/.test(version)) throw new Error(`"${version}" is not a pyenv version`);
  return join(root, 'versions', version, 'bin', 'python3');
}

/** The interpreter, or why it is not used. */
function check(language: ScriptLanguage, path: string, search: InterpreterSearch): Interpreter | string {
  const unsafe = unsafeProgram(path, search);
  if (unsafe !== undefined) return unsafe;
  if (isWithin(path, '/usr')) return { language, path };
  const prefix = dirname(dirname(path));
  if (isTooWide(prefix)) return `its folder "${prefix}" holds more than the interpreter`;
  return { language, path, prefix };
}

/** Why a program may not be started, by where it lies. */
export function unsafeProgram(
  path: string,
  { workspaces, identity }: Pick<InterpreterSearch, 'workspaces' | 'identity'>,
): string | undefined {
  if (workspaces.some((workspace) => isWithin(path, workspace))) return 'it lies in the workspace';
  return unsafeFolder(path, identity);
}

function unsafeFolder(path: string, identity: Identity): string | undefined {
  const self = process.geteuid?.() ?? 0;
  for (let at = path; ; at = dirname(at)) {
    const { uid, gid, mode } = statSync(at);
    if (uid !== 0 && uid !== self) return `"${at}" belongs to another user`;
    // In a sticky folder nobody can replace what is not theirs.
    if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0) return `"${at}" can be changed by other users`;
    const isOwner = uid === identity.uid;
    const bits = isOwner ? mode >> 6 : gid === identity.gid ? mode >> 3 : mode;
    if ((bits & 0o1) === 0) return `"${at}" cannot be entered by the user of the sandbox (${identity.uid})`;
    if (dirname(at) === at) return undefined;
  }
}

/** A prefix that is the home folder, above it, or a shared one would show the script the user's files. */
export function isTooWide(prefix: string): boolean {
  const home = userFolder();
  const shared = ['/', '/opt', '/srv', home, join(home, '.local')];
  return shared.includes(prefix) || isWithin(home, prefix);
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
