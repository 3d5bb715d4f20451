import { z } from 'zod';

/** Names one open workspace for as long as the engine runs. */
export const WorkspaceId = z.string().min(1).max(64).brand<'WorkspaceId'>();
export type WorkspaceId = z.infer<typeof WorkspaceId>;

/** Names a file by its place in the workspace, with `/` between folders; never an absolute path. */
export const FileId = z.string().min(1).max(4096).brand<'FileId'>();
export type FileId = z.infer<typeof FileId>;

/** SHA-256 of a file's bytes: two texts with one revision are the same text. */
export const Revision = z.string().length(64).brand<'Revision'>();
export type Revision = z.infer<typeof Revision>;

const entryBase = {
  file: FileId,
  revision: Revision,
  name: z.string(),
  description: z.string().optional(),
  /** Why the file could not be read as what its name promises, to stand behind "Cannot read it: "; the entry is listed all the same. */
  problem: z.string().optional(),
};

const skillCounts = {
  skillCount: z.int(),
  /** Folders of Agent Skills that it has as skills of its own, such as imported ones. */
  localSkills: z.array(FileId).optional(),
};

export const WorkspaceEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('lens'),
    ...entryBase,
    version: z.string().optional(),
    domain: z.string().optional(),
    tags: z.array(z.string()).optional(),
    extends: z.string().optional(),
    ...skillCounts,
  }),
  z.object({ kind: z.literal('library'), ...entryBase, ...skillCounts }),
  z.object({ kind: z.literal('agent-skill'), ...entryBase, scope: z.string() }),
]);
/** A lens, library or Agent Skill found in the workspace. */
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;

export const WorkspaceSnapshot = z.object({
  workspace: WorkspaceId,
  name: z.string(),
  /** Where it is, for people to read. */
  location: z.string(),
  /** Events after this number are not yet in the snapshot. */
  seq: z.int(),
  entries: z.array(WorkspaceEntry),
  /** What the reader left out because a bound was reached, in a sentence. */
  leftOut: z.string().optional(),
  /** Why changes on disk are not seen, in a sentence. */
  notWatching: z.string().optional(),
  /** What a process that was killed left half written here and is as before again, in a sentence. */
  takenBack: z.string().optional(),
});
export type WorkspaceSnapshot = z.infer<typeof WorkspaceSnapshot>;

export const WorkspaceEvent = z.discriminatedUnion('type', [
  z.object({ seq: z.int(), type: z.literal('entry-changed'), entry: WorkspaceEntry }),
  z.object({ seq: z.int(), type: z.literal('entry-removed'), file: FileId }),
  /** Other files of the workspace changed, which skills may read; of many at once only some are named. */
  z.object({ seq: z.int(), type: z.literal('files-changed'), files: z.array(FileId) }),
  /** A run of the workspace began or is over, here or in another process: `run.list` has it. */
  z.object({ seq: z.int(), type: z.literal('runs-changed') }),
  z.object({ seq: z.int(), type: z.literal('watch-lost'), reason: z.string() }),
  z.object({ seq: z.int(), type: z.literal('workspace-lost'), reason: z.string() }),
  /** The stream cannot go on from the asked number: take a new snapshot. */
  z.object({ seq: z.int(), type: z.literal('snapshot-needed') }),
]);
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;

/** The workspaces with a lens that is ready to use. */
export const examples = ['documentation', 'code-review', 'test-generation'] as const;
export type ExampleName = (typeof examples)[number];

/** What to open: what the host was started with (else the last workspace, else the sample), the sample, a copy of an example, or a folder. */
export const OpenRequest = z.discriminatedUnion('from', [
  z.object({ from: z.literal('start') }),
  z.object({ from: z.literal('sample') }),
  z.object({ from: z.literal('example'), name: z.enum(examples) }),
  z.object({ from: z.literal('folder'), folder: z.string().min(1).max(4096) }),
]);
export type OpenRequest = z.infer<typeof OpenRequest>;

export const TextFile = z.object({ file: FileId, text: z.string(), revision: Revision });
/** A file's text as it was on disk at one revision. */
export type TextFile = z.infer<typeof TextFile>;
