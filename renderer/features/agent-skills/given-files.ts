import { givenLimits } from '#renderer/state/skill-files.ts';
import type { GivenFile } from '#renderer/state/skill-files.ts';

/** The files of a file dialog; those of a chosen folder come with their paths. */
export function chosenFiles(list: FileList | null): GivenFile[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, content: file }));
}

/** Everything that was dropped, folders with all that is in them. Stops at the first file more than a skill may have. */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  // The items are gone after the event: what they are must be asked before anything is waited for.
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const given = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: GivenFile[] = [];
  for (const { entry, file } of given) {
    if (entry) await collect(entry, files);
    else if (file) files.push({ path: file.name, content: file });
  }
  return files;
}

async function collect(entry: FileSystemEntry, files: GivenFile[]): Promise<void> {
  if (files.length > givenLimits.files) return;
  const path = entry.fullPath.replace(/^\//, '');
  if (isFile(entry)) {
    const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    files.push({ path: path || content.name, content });
    return;
  }
  // It may hold thousands of files and is never part of a skill.
  if (!isFolder(entry) || entry.name === '.git') return;
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const inner of some) await collect(inner, files);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
