import { dirname } from 'node:path';
import { duplicateSkill } from '#engine/resolve/libraries.ts';
import type { SourceFile } from '#engine/resolve/place.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { StudioError, unreachable } from '#shared/errors.ts';
import { compareText } from '#shared/graph/compare-text.ts';
import { lookupSkillName } from '#shared/lens/names.ts';
import { readConfig } from '#shared/lens/read/config.ts';
import { readFixtures } from '#shared/lens/read/fixtures.ts';
import { readLibrary } from '#shared/lens/read/library.ts';
import { readLock } from '#shared/lens/read/lock.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { Skill } from '#shared/model/skill.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { workspaceFolderOf } from '../workspace-folder.ts';
import { fileKind } from '../file-kind.ts';
import type { FileKind } from '../kind-by-name.ts';
import type { Invocation } from '../invocation.ts';
import { readText } from '../read-text.ts';
import { checkAgentSkill } from './check-agent-skill.ts';
import type { FoundFile } from './find-files.ts';
import type { LensJudge } from './lens-judge.ts';
import { Report } from './report.ts';

interface LibraryFile {
  readonly workspace: CommandWorkspace;
  readonly source: SourceFile;
  readonly skills: readonly Skill[];
  /** Libraries of one group are one: those the user named together, or those of one folder. */
  readonly group: string;
}

/** Checks files of every kind; lenses and libraries are resolved, so that problems of their graphs show too. */
export class Checker {
  readonly report: Report;
  readonly #invocation: Invocation;
  readonly #judge: LensJudge | undefined;
  readonly #workspaces = new Map<string, Promise<CommandWorkspace>>();
  readonly #libraries: LibraryFile[] = [];
  readonly #checked = new Set<string>();

  /** With a judge, a file of no known kind is judged where the user means it. */
  constructor(invocation: Invocation, judge?: LensJudge) {
    this.#invocation = invocation;
    this.#judge = judge;
    this.report = new Report(invocation.terminal.workingDirectory);
  }

  /** Checks one file, once however often it is named; refuses what cannot be read or is of no known kind. */
  async check({ path, typed, isMatched }: FoundFile): Promise<void> {
    const { terminal } = this.#invocation;
    terminal.interrupted.throwIfAborted();
    if (this.#checked.has(path)) return;
    this.#checked.add(path);
    const shown = typed ?? this.report.nameOf(path);
    const text = await readText(path, shown);
    const kind = fileKind(path, text);
    if (kind === undefined) {
      if (this.#judge && (typed !== undefined || isMatched)) {
        return this.report.addJudged(path, shown, await this.#judge.judge(text, shown));
      }
      if (typed === undefined) return; // Somebody else's YAML in a `skills` folder.
      const kinds = 'lens, library, SKILL.md, fixtures, config or lock file';
      const message = `Cannot validate "${shown}": it is no ${kinds}, name a lens that judges it with --with-lens`;
      throw new StudioError('file.unknown-kind', message, { file: shown });
    }
    this.report.name(path, shown, kind);
    await this.#checkAs(kind, { path, typed }, text);
  }

  /** Reports what only all files together show. */
  finish(): Report {
    const first = new Map<string, LibraryFile & { skill: Skill }>();
    const inOrder = this.#libraries.toSorted((a, b) => compareText(a.source.path, b.source.path));
    for (const library of inOrder) {
      for (const skill of library.skills) {
        const key = `${library.group}\0${lookupSkillName(skill.name)}`;
        const known = first.get(key);
        if (!known) first.set(key, { ...library, skill });
        // Twice in one file is another problem, which the reader reports.
        else if (known.source.path !== library.source.path) {
          this.report.add(library.workspace, duplicateSkill(known, { ...library, skill }), library.source);
        }
      }
    }
    return this.report;
  }

  async #checkAs(kind: FileKind, { path, typed }: FoundFile, text: string): Promise<void> {
    const workspace = await this.#workspaceOf(path);
    const source = workspace.source(path);
    const add = (diagnostics: readonly Diagnostic[]): void => {
      for (const diagnostic of diagnostics) this.report.add(workspace, diagnostic, source);
    };
    switch (kind) {
      case 'lens':
        return this.#addResolution(workspace, await workspace.resolve('lens', source));
      case 'library': {
        const { skills } = readLibrary(text, source.file).value;
        this.#libraries.push({ workspace, source, skills, group: typed === undefined ? dirname(path) : '' });
        return this.#addResolution(workspace, await workspace.resolve('library', source));
      }
      case 'agent-skill':
        return add(checkAgentSkill(text, source));
      case 'fixtures':
        return add(readFixtures(text, source.file).diagnostics);
      case 'config':
        return add(readConfig(text, source.file).diagnostics);
      case 'lock':
        return add(readLock(text, source.file).diagnostics);
      default:
        return unreachable(kind);
    }
  }

  #addResolution(workspace: CommandWorkspace, resolution: Resolution): void {
    const { lens, skills, diagnostics, source } = resolution;
    const isAlone = lens === undefined;
    for (const diagnostic of diagnostics) this.report.add(workspace, diagnostic, source, { isAlone });
    if (isAlone) return;
    for (const { skill } of skills) {
      for (const { at } of skill.requires ?? []) this.report.judgedByLens(workspace, at);
    }
  }

  #workspaceOf(path: string): Promise<CommandWorkspace> {
    const root = workspaceFolderOf(this.#invocation, path);
    let workspace = this.#workspaces.get(root);
    if (!workspace) {
      workspace = CommandWorkspace.open(this.#invocation, root);
      this.#workspaces.set(root, workspace);
    }
    return workspace;
  }
}
