import type { Diagnostic, Location, QuickFix, Severity } from '#shared/model/diagnostic.ts';
import type { Notice } from '#shared/model/app.ts';
import type { WorkspaceSnapshot } from '#shared/model/workspace.ts';
import { groupBy } from './group-by.ts';
import type { Resolution } from './resolution.svelte.ts';
import type { Tab } from './tabs.svelte.ts';

/** Something known to be wrong; of a diagnostic also its place and its fixes. */
export interface Problem {
  /** Tells it from every other problem, and is the same while the problem is. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string | undefined;
  readonly code: string | undefined;
  readonly place: Location | undefined;
  readonly fixes: readonly QuickFix[];
  /** Where the fixes come from. */
  readonly resolution: Resolution | undefined;
}

export interface ProblemGroup {
  /** Undefined for what belongs to no file. */
  readonly file: string | undefined;
  readonly problems: readonly Problem[];
}

interface ProblemsOptions {
  readonly snapshot: () => WorkspaceSnapshot | undefined;
  readonly tabs: () => { readonly all: readonly Tab[]; readonly active: Tab | undefined };
  readonly notices: () => readonly Notice[];
}

export const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** All that is known to be wrong: what the open files resolve to, and of the other files what the engine read. */
export class Problems {
  readonly #options: ProblemsOptions;
  #hidden = $state.raw<ReadonlySet<Severity>>(new Set<Severity>(['info']));

  readonly all = $derived.by(() => this.#collect());
  readonly byFile = $derived.by(() => groupBy(this.all, ({ file }) => file));
  readonly counts = $derived.by((): Readonly<Record<Severity, number>> => {
    const counts = { error: 0, warning: 0, info: 0 };
    for (const { severity } of this.all) counts[severity]++;
    return counts;
  });
  /** By file, the one in front first; within a file the worst first, then from top to bottom. */
  readonly groups = $derived.by((): readonly ProblemGroup[] => {
    const front = this.#options.tabs().active?.document.file;
    const rank = (file: string | undefined): string =>
      file === undefined ? '2' : file === front ? '0' : `1${file}`;
    return [...this.byFile]
      .map(([file, problems]) => ({
        file,
        problems: problems.filter(({ severity }) => this.isShown(severity)).sort(byPlace),
      }))
      .filter(({ problems }) => problems.length > 0)
      .sort((a, b) => (rank(a.file) < rank(b.file) ? -1 : 1));
  });

  constructor(options: ProblemsOptions) {
    this.#options = options;
  }

  isShown(severity: Severity): boolean {
    return !this.#hidden.has(severity);
  }

  toggle(severity: Severity): void {
    const hidden = new Set(this.#hidden);
    if (!hidden.delete(severity)) hidden.add(severity);
    this.#hidden = hidden;
  }

  inFile(file: string): readonly Problem[] {
    return this.byFile.get(file) ?? [];
  }

  #collect(): Problem[] {
    const { all, active } = this.#options.tabs();
    // A problem that two open files lead to is one problem: the tab in front is the newest word on it, unless only another
    // knows the way out.
    const found = new Map<string, Problem>();
    for (const { resolution } of active ? [active, ...all] : all) {
      for (const diagnostic of resolution?.result?.graph.diagnostics ?? []) {
        const problem = ofDiagnostic(diagnostic, resolution);
        const known = found.get(problem.id);
        if (!known || known.fixes.length < problem.fixes.length) found.set(problem.id, problem);
      }
    }
    const resolved = new Set(
      all.filter(({ resolution }) => resolution?.result).map((tab) => tab.document.file),
    );
    const snapshot = this.#options.snapshot();
    const ofFiles = (snapshot?.entries ?? []).flatMap(({ file, problem }) =>
      problem === undefined || resolved.has(file) ? [] : [bare('error', problem, file)],
    );
    const said = new Set([...found.values()].map(({ file }) => file));
    const ofWorkspace = [
      ...[snapshot?.leftOut, snapshot?.notWatching, snapshot?.takenBack].filter(
        (message) => message !== undefined,
      ),
      ...this.#options.notices().map(({ message }) => message),
    ].map((message) => bare('warning', message, undefined));
    return [...found.values(), ...ofFiles.filter(({ file }) => !said.has(file)), ...ofWorkspace];
  }
}

function ofDiagnostic(diagnostic: Diagnostic, resolution: Resolution | undefined): Problem {
  const { code, severity, message, location } = diagnostic;
  const { file, line, column } = location;
  return {
    ...{ id: [code, file, line, column, message].join('\n'), severity, message, file, code, resolution },
    ...{ place: location, fixes: diagnostic.fixes ?? [] },
  };
}

function bare(severity: Severity, message: string, file: string | undefined): Problem {
  return {
    ...{ id: `${file ?? ''}\n${message}`, severity, message, file, fixes: [] },
    ...{ code: undefined, place: undefined, resolution: undefined },
  };
}

function byPlace(a: Problem, b: Problem): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0)
  );
}
