import { ReadCache } from '#engine/resolve/read-cache.ts';
import { unreadableReasons } from '#engine/resolve/session.ts';
import { StudioError } from '#shared/errors.ts';

/** The text of a file that the user named as `shown`; refuses what is missing, too large or no text. */
export async function readText(path: string, shown: string): Promise<string> {
  const read = new ReadCache().text(path);
  if ('text' in read) return read.text;
  const code = read.unreadable === 'missing' ? 'file.not-found' : 'file.unreadable';
  throw new StudioError(code, `Cannot read "${shown}": ${unreadableReasons[read.unreadable]}`, {
    file: shown,
  });
}
