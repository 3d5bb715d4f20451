import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { AcceptedFile, ReviewFile, RunRecord } from '#shared/model/run.ts';
import { digestOf } from '../store/digest.ts';
import {
  applyChanges,
  hasConflict,
  reviewChange,
  reviewChanges,
  type Baseline,
  type ReviewedChange,
} from './apply-changes.ts';
import { proposalsOf, type Proposal } from './proposals.ts';
import type { ProposedChange } from './step-result.ts';

/** A finished run with all that is needed to look at what it proposes. */
export interface ReviewedRun {
  readonly root: string;
  readonly record: RunRecord;
  /** Path → what the run saw there, null for no file. */
  readonly baseline: ReadonlyMap<string, string | null>;
  /** The bytes behind a hash, wherever they are kept. */
  readonly contentOf: (contentHash: string) => Promise<Uint8Array | undefined>;
  /** The folder of the workspace's history. */
  readonly history: string;
}

const largestShown = 1024 * 1024;

/** What a run proposes beside what is in the workspace now; a file that cannot be compared is told with the reason. */
export async function reviewRun(run: ReviewedRun): Promise<ReviewFile[]> {
  const baseline = baselineOf(run);
  const reviewed: ReviewFile[] = [];
  for (const proposal of proposalsOf(run.record.steps)) {
    try {
      const change = await reviewChange(run.root, await changeOf(run, proposal));
      reviewed.push(compared(run, { proposal, change, hasConflict: hasConflict(baseline, change) }));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      reviewed.push(await notCompared(run, proposal, error));
    }
  }
  return reviewed;
}

function compared(
  { record }: ReviewedRun,
  review: { readonly proposal: Proposal; readonly change: ReviewedChange; readonly hasConflict: boolean },
): ReviewFile {
  const { proposal, change } = review;
  const before = textOf(change.before);
  const after = textOf(change.after);
  return {
    path: change.path,
    operation: change.operation === 'update' ? 'modify' : change.operation,
    skill: proposal.skill,
    before: before ?? null,
    after: after ?? null,
    isText: before !== undefined && after !== undefined,
    ...(change.contentHash !== undefined && { contentHash: change.contentHash }),
    ...(change.after && { bytes: change.after.length }),
    ...(change.becomesExecutable && { becomesExecutable: true }),
    isApplied: record.artifactsApplied.includes(change.path),
    hasConflict: review.hasConflict,
  };
}

/** What is there is unknown, or cannot be replaced: the other files of the run are none the worse for it. */
async function notCompared(
  { record, contentOf }: ReviewedRun,
  { path, skill, contentHash }: Proposal,
  { message }: StudioError,
): Promise<ReviewFile> {
  const content = contentHash === undefined ? undefined : await contentOf(contentHash);
  const after = content && textOf(Buffer.from(content));
  return {
    ...{ path, operation: 'unknown', skill, problem: message },
    ...{ before: null, after: after ?? null, isText: false },
    ...(contentHash !== undefined && { contentHash }),
    ...(content && { bytes: content.length }),
    isApplied: record.artifactsApplied.includes(path),
    hasConflict: false,
  };
}

/** Writes the accepted files, all or none, and returns what is now at each path that was changed. */
export async function applyRun(
  run: ReviewedRun,
  accepted: readonly AcceptedFile[],
): Promise<ReadonlyMap<string, string | null>> {
  const textOfPath = new Map(accepted.map(({ path, text }) => [path, text]));
  const proposals = proposalsOf(run.record.steps).filter(({ path }) => textOfPath.has(path));
  const unknown = accepted.find(({ path }) => !proposals.some((proposal) => proposal.path === path));
  if (unknown) {
    throw new StudioError('artifact.unknown', `Cannot write "${unknown.path}": the run does not propose it`, {
      file: unknown.path,
    });
  }
  const proposed = await Promise.all(proposals.map((proposal) => changeOf(run, proposal)));
  const changes = proposed.map((change): ProposedChange => {
    const text = textOfPath.get(change.path);
    if (text === undefined || change.operation === 'delete') return change;
    const content = Buffer.from(text);
    return { ...change, content, sha256: digestOf(content) };
  });
  const reviewed = await reviewChanges(run.root, changes);
  const place = { history: run.history, run: run.record.runId };
  const applied = new Set(await applyChanges(baselineOf(run), reviewed, place));
  return new Map(
    reviewed.filter(({ path }) => applied.has(path)).map((change) => [change.path, resultOf(change)]),
  );
}

function resultOf({ after }: ReviewedChange): string | null {
  return after ? digestOf(after) : null;
}

async function changeOf(
  { contentOf }: ReviewedRun,
  { path, operation, contentHash, isExecutable }: Proposal,
): Promise<ProposedChange> {
  if (operation === 'delete') return { operation, path };
  const content = contentHash === undefined ? undefined : await contentOf(contentHash);
  if (contentHash === undefined || !content) {
    throw new StudioError('artifact.gone', `Cannot show "${path}": what the run proposed is no longer kept`, {
      file: path,
    });
  }
  return {
    operation,
    path,
    content: Buffer.from(content),
    sha256: contentHash,
    mode: isExecutable ? 0o755 : 0o644,
  };
}

function baselineOf({ root, record, baseline }: ReviewedRun): Baseline {
  const files = new Map<string, string>();
  for (const [path, digest] of baseline) if (digest !== null) files.set(path, digest);
  return { root, startedAt: new Date(record.startedAt), files };
}

/** The bytes kept beside a journal; damaged ones are as good as none. */
export async function keptContent(folder: string, contentHash: string): Promise<Uint8Array | undefined> {
  const content = await readFile(join(folder, 'artifacts', contentHash)).catch(() => undefined);
  return content && digestOf(content) === contentHash ? content : undefined;
}

/** Null where there is no file, undefined where it is no text that can be shown. */
function textOf(bytes: Buffer | undefined): string | null | undefined {
  if (!bytes) return null;
  if (bytes.length > largestShown || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // Not UTF-8: shown by its size only.
  }
}
