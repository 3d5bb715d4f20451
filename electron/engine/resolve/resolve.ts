import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import { StudioError } from '#shared/errors.ts';
import { replaceTextFixes } from '#shared/lens/fixes.ts';
import { didYouMean, lookupName } from '#shared/lens/names.ts';
import { quote } from '#shared/lens/problems.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { WorkflowStep } from '#shared/model/lens.ts';
import type { Candidate } from './candidate.ts';
import { contentHashOf } from './definition-record.ts';
import { Definitions } from './definition.ts';
import { reportFindings } from './findings.ts';
import { collectLayers } from './layers.ts';
import { Libraries } from './libraries.ts';
import type { LibraryResult } from './libraries.ts';
import { mergeLayers } from './merge.ts';
import type { MergedLens } from './merge.ts';
import { Nodes } from './nodes.ts';
import type { ResolvedSkill } from './nodes.ts';
import { Presets } from './permissions.ts';
import type { SourceFile } from './place.ts';
import { graphOf } from './resolved-graph.ts';
import { LensScope } from './scopes.ts';
import { Session, unreadableReasons } from './session.ts';
import type { ResolveOptions } from './session.ts';
import { Suggestions } from './suggestions.ts';

/** One lens and one graph out of many files, with every problem found on the way. A library has a graph and no lens. */
export interface Resolution {
  readonly source: SourceFile;
  readonly lens: MergedLens | undefined;
  /** Judges in place of the lens, where somebody asked for that. */
  readonly judgedBy?: MergedLens;
  /** The graph's skills, by their index in it. */
  readonly skills: readonly ResolvedSkill[];
  readonly graph: SkillGraph;
  readonly contentHash: string;
  /** Shortcut → id of the skill it means, where there is one. */
  readonly shortcuts: ReadonlyMap<string, { readonly skill: string; readonly id: string | undefined }>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Resolves a lens: follows what it extends, composes and includes. Runs nothing; problems are diagnostics. */
export async function resolveLens(source: SourceFile, options: ResolveOptions): Promise<Resolution> {
  const session = new Session(options);
  const read = await session.lens(source);
  if ('problem' in read) throw unreadable(source, read.problem);
  const lens = mergeLayers(session, await collectLayers(session, { lens: read.value, source }));
  const libraries = new Libraries(session);
  const scope = await LensScope.of(session, libraries, lens);
  const named = await namedSkills(session, scope, lens);
  checkJudges(session, lens);
  const inputs = new Set(lens.inputs.map(({ value }) => value.name));
  return finish({
    session,
    libraries,
    scope,
    source,
    lens,
    inputs,
    roots: [...scope.roots, ...named.roots],
    shortcuts: named.shortcuts,
  });
}

/** Resolves a library by itself, as when it is opened: every skill of the file, or of what is loaded instead, is in the graph. */
export async function resolveLibrary(
  source: SourceFile,
  options: ResolveOptions,
  load = (libraries: Libraries): Promise<LibraryResult> => libraries.file(source),
): Promise<Resolution> {
  const session = new Session(options);
  const libraries = new Libraries(session);
  const library = await load(libraries);
  if ('problem' in library) throw unreadable(source, library.problem);
  const scope = LensScope.ofLibrary(session, library);
  const nothing = { lens: undefined, inputs: new Set<string>(), shortcuts: new Map() };
  return finish({ session, libraries, scope, source, roots: scope.roots, ...nothing });
}

async function finish(parts: {
  session: Session;
  libraries: Libraries;
  scope: LensScope;
  source: SourceFile;
  lens: MergedLens | undefined;
  inputs: ReadonlySet<string>;
  roots: readonly Candidate[];
  shortcuts: Resolution['shortcuts'];
}): Promise<Resolution> {
  const { session, libraries, scope, source, lens, inputs, roots, shortcuts } = parts;
  const definitions = new Definitions(session, libraries);
  const presets = new Presets(session, libraries, scope.libraries);
  const suggestions = new Suggestions(session, libraries);
  const skills = await new Nodes({ session, definitions, presets, suggestions }).collect(roots);
  const graph = graphOf(skills);
  await reportFindings({ session, graph, skills, inputs, lens: lens?.source });
  return {
    source,
    lens,
    skills,
    graph,
    contentHash: contentHashOf(skills),
    shortcuts,
    diagnostics: inOrder(session.diagnostics),
  };
}

/** Skills that shortcuts and workflows name: they belong to the graph even where only a searched library has them. */
async function namedSkills(
  session: Session,
  scope: LensScope,
  lens: MergedLens,
): Promise<{ roots: readonly Candidate[]; shortcuts: Resolution['shortcuts'] }> {
  const roots: Candidate[] = [];
  const shortcuts = new Map<string, { skill: string; id: string | undefined }>();
  const find = async (name: string): Promise<Candidate | undefined> => {
    const [only, ...others] = await scope.lookup(name);
    if (!only || others.length > 0) return undefined;
    roots.push(only);
    return only;
  };
  for (const { value, source } of lens.shortcuts) {
    const found = await find(value.skill);
    shortcuts.set(value.key, { skill: value.skill, id: found?.id });
    if (found) continue;
    const message = `Shortcut ${quote(value.key)} names ${quote(value.skill)}, which is not a skill here`;
    const meant = didYouMean(value.skill, scope.names());
    session.report('shortcut.dangling', value.at, message, {
      fixes:
        meant === undefined
          ? []
          : await session.fixes(source, (yaml) => replaceTextFixes(yaml, value.path, [meant])),
    });
  }
  for (const step of lens.workflows.flatMap(({ value }) => skillSteps(value.steps))) {
    if (await find(step.skill)) continue;
    session.report(
      'workflow.missing-skill',
      step.at,
      `The workflow names ${quote(step.skill)}, which is not a skill here`,
    );
  }
  return { roots, shortcuts };
}

function skillSteps(steps: readonly WorkflowStep[]): Extract<WorkflowStep, { kind: 'skill' }>[] {
  return steps.flatMap((step) => {
    if (step.kind === 'parallel') return skillSteps(step.steps);
    return step.kind === 'skill' ? [step] : [];
  });
}

/** Validators and personas that the policy or a skill asks for must be there, or a verdict would silently be missing. */
function checkJudges(session: Session, lens: MergedLens): void {
  const { deterministic, heuristic } = lens.validators;
  const validators = new Set([...deterministic, ...heuristic].map(({ value }) => lookupName(value.name)));
  const personas = new Set(lens.personas.map(({ value }) => lookupName(value.name)));
  for (const { name, at } of lens.qualityPolicy.requiredValidators ?? []) {
    if (!validators.has(lookupName(name))) {
      session.report(
        'validator.not-found',
        at,
        `The quality policy requires validator ${quote(name)}, which the lens does not have`,
      );
    }
  }
  for (const { value: skill } of lens.skills) {
    for (const name of skill.validateWith?.validators ?? []) {
      if (validators.has(lookupName(name))) continue;
      session.report(
        'validator.not-found',
        skill.at,
        `Skill ${quote(skill.name)} asks for validator ${quote(name)}, which the lens does not have`,
      );
    }
    for (const name of skill.validateWith?.personas ?? []) {
      if (personas.has(lookupName(name))) continue;
      session.report(
        'persona.not-found',
        skill.at,
        `Skill ${quote(skill.name)} asks for persona ${quote(name)}, which the lens does not have`,
      );
    }
  }
}

function unreadable(source: SourceFile, said: string): StudioError {
  // A library names the file itself, since it may be one of many.
  const problem = said.replace(`${quote(source.file)}: `, '');
  const code = problem === unreadableReasons.missing ? 'file.not-found' : 'file.unreadable';
  return new StudioError(code, `Cannot read ${quote(source.file)}: ${problem}`, { file: source.file });
}

/** By file and place, so that one text always gives one list. */
function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const order = { error: 0, warning: 1, info: 2 };
  return [...diagnostics].sort(
    (a, b) =>
      (a.location.file < b.location.file ? -1 : a.location.file > b.location.file ? 1 : 0) ||
      a.location.line - b.location.line ||
      a.location.column - b.location.column ||
      order[a.severity] - order[b.severity],
  );
}
