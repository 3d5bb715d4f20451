import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import picomatch from 'picomatch';
import { defaultLimits, isSkippedFolder } from '#engine/workspace/discovery.ts';
import { StudioError } from '#shared/errors.ts';
import { kindByName } from '../kind-by-name.ts';

/** A file to check. */
export interface FoundFile {
  readonly path: string;
  /** As the user wrote it; undefined where it was found in a folder. */
  readonly typed?: string | undefined;
  /** The user's pattern means it, whatever it is. */
  readonly isMatched?: boolean;
}

/** The files that one word of the command line means: a file, what a folder holds, or what a pattern matches. */
export async function findFiles(word: string, workingDirectory: string): Promise<readonly FoundFile[]> {
  const path = resolve(workingDirectory, word);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return orNothing(word, await filesBelow(path, mayBeOurs));
  if (found) return [{ path, typed: word }];
  const { base, isGlob } = picomatch.scan(word);
  if (!isGlob)
    throw new StudioError('file.not-found', `Cannot read "${word}": there is no such file`, { file: word });
  const matches = picomatch(resolve(workingDirectory, word), { dot: true });
  const matched = await filesBelow(resolve(workingDirectory, base), (file) => matches(file));
  return orNothing(word, matched).map((file) => ({ ...file, isMatched: true }));
}

/** YAML in a `skills` folder may be a library: its content says so. */
function mayBeOurs(path: string): boolean {
  const isInSkills = basename(dirname(path)) === 'skills' && /\.ya?ml$/.test(path);
  return isInSkills || kindByName(path) !== undefined;
}

function orNothing(word: string, paths: readonly string[]): FoundFile[] {
  if (paths.length === 0) {
    throw new StudioError('file.not-found', `Cannot find a lens, library or skill in "${word}"`, {
      file: word,
    });
  }
  return paths.map((path) => ({ path }));
}

/** Every wanted file below a folder, sorted; links are not followed (a loop would never end). */
async function filesBelow(top: string, isWanted: (path: string) => boolean): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [top];
  let visited = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []; // It vanished meanwhile.
      // What nobody looked at must not count as fine.
      const message = `Cannot look through "${folder}": ${error.message}`;
      throw new StudioError('workspace.unreadable', message, { folder });
    });
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (++visited > defaultLimits.visited) {
        const message = `Cannot look through "${top}": it holds more than ${defaultLimits.visited} files, name a folder inside it`;
        throw new StudioError('workspace.unreadable', message, { folder: top });
      }
      if (entry.isDirectory() && !isSkippedFolder(entry.name)) folders.push(path);
      else if (entry.isFile() && isWanted(path)) files.push(path);
    }
  }
  return files.sort();
}
