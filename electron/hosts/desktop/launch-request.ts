import { resolve } from 'node:path';
import { z } from 'zod';
import { linkScheme } from './deep-link.ts';

/** What a start of the app asked for; a second start hands it to the first, so it is checked like any input. */
export const LaunchRequest = z.object({
  folder: z.string().min(1).max(4096).optional(),
  link: z.string().min(1).max(65_536).optional(),
  sample: z.literal(true).optional(),
});
export type LaunchRequest = z.infer<typeof LaunchRequest>;

export interface LaunchOptions {
  /** True when Electron was given the app's path as its first argument. */
  readonly hasAppPath: boolean;
  readonly workingDirectory: string;
}

/** Reads the first argument that is no flag: a link, or a folder made absolute; without one, whether the sample is asked for. */
export function parseLaunch(argv: readonly string[], options: LaunchOptions): LaunchRequest {
  const words = argv.slice(1).filter((word) => word !== '' && !word.startsWith('-'));
  const argument = words[options.hasAppPath ? 1 : 0];
  if (argument === undefined) return argv.includes('--sample') ? { sample: true } : {};
  // URL schemes ignore case, and so do the systems that hand links over.
  if (argument.toLowerCase().startsWith(`${linkScheme}:`)) return { link: argument };
  return { folder: resolve(options.workingDirectory, argument) };
}
