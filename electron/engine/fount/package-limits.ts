import { StudioError } from '#shared/errors.ts';

/** What a package may hold; more is refused before it is unpacked. */
export const packageLimits = { bytes: 64 * 1024 * 1024, files: 5_000, depth: 16 } as const;

const control = /[\u0000-\u001f\u007f]/;

/** Says why a path may not be in a package, or undefined where it may. */
export function pathProblem(path: string): string | undefined {
  if (control.test(path)) return 'the name has control characters';
  if (path.includes('\\')) return 'the name has a backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'the path is absolute';
  const parts = path.split('/');
  if (parts.includes('..')) return 'the path leaves the package';
  if (parts.length > packageLimits.depth) return `the path is more than ${packageLimits.depth} folders deep`;
  return undefined;
}

/** Counts what a package holds and refuses it at the first entry that is too much. */
export class PackageCount {
  readonly #label: string;
  #files = 0;
  #bytes = 0;

  constructor(label: string) {
    this.#label = label;
  }

  add(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > packageLimits.files)
      throw tooLarge(this.#label, `more than ${packageLimits.files} files`);
    if (this.#bytes > packageLimits.bytes) throw tooLarge(this.#label, 'more than 64 MB');
  }
}

export function tooLarge(label: string, what: string): StudioError {
  return new StudioError('fount.too-large', `Cannot use "${label}": it holds ${what}`, { package: label });
}

export function unsafe(label: string, path: string, problem: string): StudioError {
  return new StudioError('fount.unsafe', `Cannot use "${label}": "${printable(path)}": ${problem}`, {
    package: label,
    path,
  });
}

function printable(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
