import type { Notice } from '#shared/model/app.ts';
import type { FileId, WorkspaceSnapshot } from '#shared/model/workspace.ts';
import type { OpenDocument } from './document.svelte.ts';

/** Something known to be wrong, and the file to look at if it is in one. */
export interface Problem {
  readonly message: string;
  readonly file: FileId | undefined;
}

interface ProblemSources {
  readonly snapshot: WorkspaceSnapshot | undefined;
  readonly documents: readonly OpenDocument[];
  readonly notices: readonly Notice[];
}

/** All that is known to be wrong: of an open document its text as typed, of the other files what the engine read. */
export function collectProblems({ snapshot, documents, notices }: ProblemSources): Problem[] {
  const open = new Map(documents.map((document) => [document.file, document]));
  const ofFiles = (snapshot?.entries ?? []).flatMap((entry): Problem[] => {
    const document = open.get(entry.file);
    const isRead = document?.phase.phase === 'ready' && document.kind !== 'agent-skill';
    const message = isRead ? document.outline.problem : entry.problem;
    return message === undefined ? [] : [{ message, file: entry.file }];
  });
  const ofWorkspace = [snapshot?.leftOut, snapshot?.notWatching, ...notices.map(({ message }) => message)];
  return [
    ...ofFiles,
    ...ofWorkspace.flatMap((message) => (message === undefined ? [] : [{ message, file: undefined }])),
  ];
}
