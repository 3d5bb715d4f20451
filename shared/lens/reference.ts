/** Where a library comes from, as written in a reference. */
export type LibraryReference =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'fount'; readonly package: string; readonly range: string }
  | { readonly kind: 'agentskills'; readonly package: string; readonly range: string };

/** A skill as written in `depends_on` or `source`; without a library it is of the same file or library. */
export interface SkillReference {
  readonly name: string;
  readonly library?: LibraryReference;
}

/** A lens as written in `extends` or `compose`. */
export type LensReference =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'fount'; readonly package: string; readonly range: string };

/** The parsed reference, or a sentence that says what is wrong with the text. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const skillName = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;
const builtinName = /^sunwell\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const relativePath = /^\.{1,2}(?:\/|$)/;
const packageAtRange = /^((?:@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*)@(\S(?:.*\S)?)$/;
const longestReference = 1024;
const control = /[\u0000-\u001f\u007f]/;

function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

function unusable(text: string): string | undefined {
  if (text === '') return 'the reference is empty';
  if (text.length > longestReference) return 'the reference is too long';
  if (control.test(text)) return 'control characters are not allowed';
  if (text !== text.trim()) return 'spaces around the reference are not allowed';
  return undefined;
}

function parsePackage<Scheme extends 'fount' | 'agentskills'>(
  scheme: Scheme,
  rest: string,
): Parsed<{ kind: Scheme; package: string; range: string }> {
  const match = packageAtRange.exec(rest);
  if (match === null)
    return bad(`write "${scheme}://package@range", for example "${scheme}://@team/pkg@^1.0.0"`);
  return { ok: true, value: { kind: scheme, package: match[1]!, range: match[2]! } };
}

/** Parses `sunwell/common`, a relative path, `fount://pkg@range` or `agentskills://pkg@range`. */
export function parseLibraryReference(text: string): Parsed<LibraryReference> {
  const problem = unusable(text);
  if (problem !== undefined) return bad(problem);
  if (text.startsWith('fount://')) return parsePackage('fount', text.slice('fount://'.length));
  if (text.startsWith('agentskills://'))
    return parsePackage('agentskills', text.slice('agentskills://'.length));
  if (builtinName.test(text)) return { ok: true, value: { kind: 'builtin', name: text } };
  if (text.includes('\\')) return bad('use "/" in paths');
  if (relativePath.test(text)) return { ok: true, value: { kind: 'path', path: text } };
  if (text.startsWith('/'))
    return bad('absolute paths are not allowed; write a path that starts with "./" or "../"');
  if (text.includes('://')) return bad('only "fount://" and "agentskills://" are known');
  return bad(`the library "${text}" is neither "sunwell/common" nor a path that starts with "./" or "../"`);
}

/** Parses a reference to a skill: `name` or `<library>:<name>`. */
export function parseReference(text: string): Parsed<SkillReference> {
  const problem = unusable(text);
  if (problem !== undefined) return bad(problem);
  const colon = text.lastIndexOf(':');
  if (colon < 0) {
    return skillName.test(text) ? { ok: true, value: { name: text } } : bad(`"${text}" is not a skill name`);
  }
  const name = text.slice(colon + 1);
  if (!skillName.test(name)) {
    return bad(name.startsWith('//') ? 'add ":" and the name of the skill' : `"${name}" is not a skill name`);
  }
  const library = parseLibraryReference(text.slice(0, colon));
  return library.ok ? { ok: true, value: { name, library: library.value } } : library;
}

/** Parses a reference to a lens: a bare name, a relative path or `fount://pkg@range`. */
export function parseLensReference(text: string): Parsed<LensReference> {
  const problem = unusable(text);
  if (problem !== undefined) return bad(problem);
  if (text.startsWith('fount://')) return parsePackage('fount', text.slice('fount://'.length));
  if (text.includes('://')) return bad('only "fount://" is known');
  if (text.includes('\\')) return bad('use "/" in paths');
  if (text.startsWith('/')) return bad('absolute paths are not allowed; write a path relative to the lens');
  if (relativePath.test(text) || /\.lens(\.yaml)?$/.test(text))
    return { ok: true, value: { kind: 'path', path: text } };
  return { ok: true, value: { kind: 'name', name: text } };
}
