import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const mebibyte = 1024 * 1024;

/** Far more than any file of ours becomes; what is larger is something else, and would take all memory there is. */
const mostBytes = 64 * mebibyte;

export interface ReadRegularOptions {
  /** Whether what a link leads to counts; a user may keep a file elsewhere. */
  readonly followsLinks?: boolean;
}

/** The text of a file in the user's folder. Throws what is in the way where it is none, and never waits for anybody. */
export function readRegularFile(path: string, { followsLinks = true }: ReadRegularOptions = {}): string {
  // Opened as usual, a pipe waits for somebody to write into it, and the command with it for ever.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const fd = openSync(path, followsLinks ? flags : flags | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw new Error(`"${path}" is a folder, not a file`);
    if (!stats.isFile()) throw new Error(`"${path}" is a pipe or a device, not a file`);
    if (stats.size > mostBytes)
      throw new Error(`"${path}" has more than ${mostBytes / mebibyte} MiB, so that it is none of Sunwell's`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
