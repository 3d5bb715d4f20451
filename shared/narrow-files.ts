import { compileGlob } from './glob.ts';

type Files = ReadonlyMap<string, string>;

/** The files that match each list of globs, such as a skill's `files`; a list that is not given narrows nothing. */
export function narrowFiles(files: Files, ...narrowings: readonly (readonly string[] | undefined)[]): Files {
  return narrowings.reduce<Files>((seen, globs) => (globs ? matching(seen, globs) : seen), files);
}

function matching(files: Files, globs: readonly string[]): Files {
  if (globs.length === 0) return new Map();
  const tests = globs.map(compileGlob);
  const isMeant = (path: string): boolean => {
    const parts = path.split('/');
    return tests.some((test) => test(parts));
  };
  return new Map([...files].filter(([path]) => isMeant(path)));
}
