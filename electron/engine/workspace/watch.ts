import { existsSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { isPassing } from '#shared/blocked-names.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { classify, isSkippedFolder } from './discovery.ts';

export interface WatchOptions {
  readonly root: string;
  readonly depth: number;
  readonly changed: (file: FileId) => void;
  /** Files that are no entries, such as scripts and what skills read; those of a moment are told together. */
  readonly otherChanged: (files: readonly FileId[]) => void;
  /** The workspace folder itself is gone. */
  readonly lost: () => void;
  readonly failed: (error: Error) => void;
}

/** A watch costs the system something for every file: beyond this many, only lenses, libraries and skills are watched. */
const mostOthers = 5000;
const momentMs = 50;

/** A watch under way; it can be ended before every folder is watched. */
export interface WorkspaceWatch extends AsyncDisposable {
  /** Resolves once every folder is watched; never where the watch ends before. */
  readonly ready: Promise<void>;
}

/** Tells what changed on disk. */
export function watchWorkspace(options: WatchOptions): WorkspaceWatch {
  const { root } = options;
  const fileOf = (path: string): string => relative(root, path).split(sep).join('/');
  const others = new Set<string>();
  const moment = new Map<FileId, 'add' | 'change' | 'unlink'>();
  const passing = new Set<FileId>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    depth: options.depth,
    ignored: (path, stats) => {
      if (path === root || !path.startsWith(root)) return false;
      if (isPassing(basename(path))) return true;
      const isOther = stats !== undefined && !stats.isFile() && !stats.isDirectory();
      if (isOther) return true;
      if (!stats?.isFile()) return isSkippedFolder(basename(path));
      const isOtherFile = classify(fileOf(path)) === undefined;
      if (isOtherFile) others.add(path);
      return isOtherFile && others.size > mostOthers;
    },
  });
  const tell = (event: 'add' | 'change' | 'unlink', path: string): void => {
    const file = fileOf(path) as FileId;
    if (event === 'unlink' && !existsSync(root)) options.lost();
    if (classify(file)) return options.changed(file);
    // A temporary file that something was written to and renamed from: nobody has seen it come.
    if (event === 'unlink' && passing.delete(file)) return;
    if (!moment.has(file)) moment.set(file, event);
    timer ??= setTimeout(() => {
      timer = undefined;
      const isPassing = ([other, first]: [FileId, string]): boolean =>
        first === 'add' && !existsSync(join(root, other));
      for (const entry of moment) if (isPassing(entry)) passing.add(entry[0]);
      const files = [...moment.keys()].filter((other) => !passing.has(other));
      moment.clear();
      if (files.length > 0) options.otherChanged(files);
    }, momentMs);
  };
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path) => tell(event, path));
  // chokidar tells of everything inside the folder, but not that the folder itself went away.
  watcher.on('raw', (_event, name) => {
    if (name === basename(root) && !existsSync(root)) options.lost();
  });
  watcher.on('error', (error) => options.failed(error as Error));
  const ready = new Promise<void>((resolve) => void watcher.once('ready', resolve));
  return {
    ready,
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
