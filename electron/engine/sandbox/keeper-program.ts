import { join } from 'node:path';
import { findAppRoot } from '../store/app-root.ts';

/**
 * The program that starts bubblewrap, and that is the first of ours in the sandbox. Built from `native/` by `npm run keeper`; a
 * packaged app keeps it beside its archive, from which nothing can be started.
 */
export function keeperProgram(): string {
  const root = findAppRoot(import.meta.url).replace(/\.asar$/, '.asar.unpacked');
  return join(root, 'resources/sandbox', `keeper-${process.arch}`);
}
