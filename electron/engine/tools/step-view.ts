import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '#shared/graph/compare-text.ts';
import { sandboxPaths } from '#shared/model/sandbox-paths.ts';
import { digestOf } from '../store/digest.ts';
import { problemOfPath } from './proposed-path.ts';
import type { Artifact } from '../sandbox/artifacts.ts';
import { defaultLimits } from '../sandbox/limits.ts';
import type { StagedView } from '../sandbox/stage/snapshot.ts';
import type { ViewChanges } from '../sandbox/stage/stage-changes.ts';

/** A change of one file of the workspace that a step proposes. */
export type ViewChange =
  ({ readonly operation: 'write' } & Artifact) | { readonly operation: 'delete'; readonly path: string };

/** Refused or impossible: the model is told the sentence and may do something else. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

/** What a step sees of the workspace, and what it proposes to change of it: a later look sees an earlier change. */
export class StepView {
  readonly #staged: StagedView;
  readonly #changes: Map<string, ViewChange>;
  readonly #mayWrite: readonly string[] | undefined;
  /** Files that belong to no workspace, such as those of an opened skill; they can only be read. */
  readonly #extra = new Map<string, string>();

  constructor(options: {
    readonly staged: StagedView;
    /** Added to as the step goes on. */
    readonly changes: Map<string, ViewChange>;
    readonly mayWrite?: readonly string[] | undefined;
  }) {
    this.#staged = options.staged;
    this.#changes = options.changes;
    this.#mayWrite = options.mayWrite;
  }

  /** The path inside the workspace that a model means; it may name the workspace as scripts see it. */
  pathOf(written: string): string {
    const inside = written.startsWith(`${sandboxPaths.workspace}/`)
      ? written.slice(sandboxPaths.workspace.length + 1)
      : written;
    const path = inside.replace(/^(?:\.\/)+/, '').normalize('NFC');
    const isInside = !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '');
    if (path !== '' && isInside && !/[\\\0]/.test(path)) return path;
    throw new ToolRefusal(`Cannot use "${written}": it is not a path within the workspace`);
  }

  /** All files that are there now, by path. */
  paths(): string[] {
    const kept = [...this.#staged.files.keys()].filter((path) => !this.#changes.has(path));
    const written = [...this.#changes.values()].filter(({ operation }) => operation === 'write');
    return [...kept, ...written.map(({ path }) => path)].sort(compareText);
  }

  /** Refuses what is not there; what lies outside of the view is not there either. */
  read(path: string): Uint8Array {
    const extra = this.#extra.get(path);
    if (extra !== undefined) return Buffer.from(extra);
    const change = this.#changes.get(path);
    if (change?.operation === 'write') return change.content;
    const { folder, files } = this.#staged;
    if (change || folder === undefined || !files.has(path)) {
      throw new ToolRefusal(`Cannot read "${path}": there is no such file, or it is not for this skill`);
    }
    return readFileSync(join(folder, path));
  }

  readText(path: string): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(this.read(path));
    } catch (error) {
      if (error instanceof ToolRefusal) throw error;
      throw new ToolRefusal(`Cannot read "${path}": it is no text`);
    }
  }

  /** Proposes a file; nothing is written into the workspace. */
  write(path: string, text: string): void {
    const problem = problemOfPath(path, this.#mayWrite);
    if (problem !== undefined) throw new ToolRefusal(`Cannot write "${path}": ${problem}`);
    if (this.#isInTheWay(path))
      throw new ToolRefusal(`Cannot write "${path}": a file or folder is in its way`);
    const content = Buffer.from(text);
    const others = [...this.#changes.values()].flatMap((change) =>
      change.operation === 'write' && change.path !== path ? [change.content.length] : [],
    );
    const bytes = others.reduce((sum, length) => sum + length, content.length);
    if (bytes > defaultLimits.artifactBytes || others.length >= defaultLimits.artifactFiles)
      throw new ToolRefusal(`Cannot write "${path}": the step proposes more than it may`);
    const sha256 = digestOf(content);
    const earlier = this.#changes.get(path);
    const mode = earlier?.operation === 'write' ? earlier.mode : 0o644;
    this.#changes.set(path, { operation: 'write', path, content, sha256, mode });
  }

  /** Puts files beside the workspace that can be read and not changed. */
  addReadOnly(files: ReadonlyMap<string, string>): void {
    for (const [path, text] of files) this.#extra.set(path, text);
  }

  /** What changed until now, for the folder that scripts see. */
  get changes(): ViewChanges {
    return new Map(
      [...this.#changes.values()].map((change) => [
        change.path,
        change.operation === 'write' ? { content: change.content, sha256: change.sha256 } : null,
      ]),
    );
  }

  /** A file where a folder would have to be, or the other way round. */
  #isInTheWay(path: string): boolean {
    return this.paths().some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  }

  get staged(): StagedView {
    return this.#staged;
  }
}
