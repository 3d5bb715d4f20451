import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from '../seccomp/rules.ts';

/** One change of one source file, to see who notices. */
export interface SourceEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The sources, in the order of their names. */
export const keeperSources: readonly string[] = readdirSync(import.meta.dirname)
  .filter((name) => /\.[ch]$/.test(name))
  .sort()
  .map((name) => join(import.meta.dirname, name));

const compilers: Readonly<Record<Architecture, readonly string[]>> = {
  x64: ['x86_64-linux-gnu-gcc', '-fcf-protection=none'],
  arm64: ['aarch64-linux-gnu-gcc'],
};

const flags = [
  ...['-std=c11', '-Os', '-Wall', '-Wextra', '-Werror'],
  // No library and no start of one: the program begins where the kernel leaves it.
  ...['-static', '-nostdlib', '-ffreestanding', '-fno-pie', '-no-pie', '-fno-stack-protector'],
  // Nothing of the machine that built it: the same compiler makes the same bytes everywhere.
  ...['-fno-asynchronous-unwind-tables', '-fno-ident', '-Wl,--build-id=none', '-s'],
  ...['-Wl,-z,noexecstack', '-Wl,-z,norelro'],
];

/** What the compiler says it is; undefined where there is none for this processor. */
export function compilerVersion(architecture: Architecture): string | undefined {
  const { status, stdout } = spawnSync(compilers[architecture][0]!, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

/** Builds the keeper from the sources in a folder. */
export function buildKeeper(architecture: Architecture, to: string, folder = import.meta.dirname): void {
  const [compiler = '', ...more] = compilers[architecture];
  execFileSync(compiler, [...flags, ...more, '-o', to, 'keeper.c'], { cwd: folder, stdio: 'inherit' });
}

/** Builds a keeper that lacks something; `folder` is empty and takes its sources. */
export function buildEditedKeeper({ file, from, to }: SourceEdit, target: string, folder: string): void {
  for (const source of keeperSources) cpSync(source, join(folder, source.slice(source.lastIndexOf('/') + 1)));
  const text = readFileSync(join(folder, file), 'utf8');
  if (!text.includes(from)) throw new Error(`"${file}" has no "${from}"`);
  writeFileSync(join(folder, file), text.replace(from, to));
  buildKeeper(process.arch as Architecture, target, folder);
}
