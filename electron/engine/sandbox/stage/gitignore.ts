import { compileName, compilePath, type PathTest } from '#shared/glob.ts';

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isFolderOnly: boolean;
  /** A rule without a slash looks at the last part only, and most rules are such. */
  readonly name?: (name: string) => boolean;
  readonly path?: PathTest;
}

/** The rules of one .gitignore, for paths below its folder. */
export interface IgnoreFile {
  /** Number of path parts that lead to the folder; negative for a folder above the workspace. */
  readonly depth: number;
  /** Parts to put before a path of the workspace, when the file lies above it. */
  readonly lead: readonly string[];
  readonly rules: readonly IgnoreRule[];
}

const maxRules = 10_000;

export function parseIgnoreFile(text: string, depth: number, lead: readonly string[] = []): IgnoreFile {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .slice(0, maxRules);
  return { depth, lead, rules: lines.flatMap(parseRule) };
}

/** Says whether git would leave this path out, given that its folder is not left out. The deepest file's last matching rule decides. */
export function isIgnored(
  files: readonly IgnoreFile[],
  parts: readonly string[],
  isFolder: boolean,
): boolean {
  const last = parts[parts.length - 1]!;
  for (let i = files.length - 1; i >= 0; i--) {
    const { depth, lead, rules } = files[i]!;
    let below: readonly string[] | undefined;
    for (let at = rules.length - 1; at >= 0; at--) {
      const { isFolderOnly, isNegated, name, path } = rules[at]!;
      if (isFolderOnly && !isFolder) continue;
      if (path) below ??= lead.length > 0 ? [...lead, ...parts] : parts.slice(depth);
      if (name ? name(last) : path!(below!)) return !isNegated;
    }
  }
  return false;
}

function parseRule(line: string): IgnoreRule[] {
  let pattern = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
  if (pattern === '' || pattern.startsWith('#')) return [];
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const isFolderOnly = pattern.endsWith('/');
  if (isFolderOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return [];
  return [{ isNegated, isFolderOnly, ...testOf(pattern) }];
}

function testOf(pattern: string): Pick<IgnoreRule, 'name' | 'path'> {
  if (!pattern.includes('/')) return { name: compileName(pattern) };
  const anchored = pattern.replace(/^\//, '');
  // "a/**" means what is in a, not a itself.
  return { path: compilePath(anchored.endsWith('/**') ? `${anchored}/*` : anchored) };
}
