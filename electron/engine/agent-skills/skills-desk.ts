import { randomUUID } from 'node:crypto';
import { dirname, isAbsolute, join } from 'node:path';
import { matchSkills } from '#shared/agent-skills/match.ts';
import { StudioError } from '#shared/errors.ts';
import type {
  ImportOrigin,
  PlanId,
  SkillDetail,
  SkillList,
  SkillMatch,
  SkillOrigin,
  SkillPreview,
  UploadId,
  UploadPart,
} from '#shared/model/agent-skills.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { readTextFile } from '../workspace/text-file.ts';
import { discoverSkills } from './discover-skills.ts';
import type { SkillDiscovery, SkillScope } from './discover-skills.ts';
import { exportJudgment, exportSkills } from './export-skills.ts';
import type { ExportedSkill } from './export-skills.ts';
import { foundSources } from './found-sources.ts';
import type { Environment } from './home-layouts.ts';
import { importSkill, planImport } from './import-skill.ts';
import type { ImportSource } from './import-source.ts';
import { install, planInstall } from './install.ts';
import { lensSources } from './lens-sources.ts';
import type { InstalledLens } from './lens-sources.ts';
import { matchLens } from './match-lens.ts';
import type { MatchedLens } from './match-lens.ts';
import type { SkillSource } from './prepare-skill.ts';
import { skillDetail } from './skill-detail.ts';
import { SkillMountError, SkillNotFoundError } from './skill-errors.ts';
import { SkillUploads } from './skill-uploads.ts';
import { exportFolder, requireInside } from './workspace-bounds.ts';
import { executeWrite, planWrite, previewOf } from './write-trees.ts';

/** A resolved lens or library as far as pages take skills out of it. */
interface ResolvedLens extends InstalledLens, Pick<MatchedLens, 'shortcuts'> {
  readonly diagnostics: readonly Diagnostic[];
}

export interface SkillsDeskOptions {
  /** The workspace. */
  readonly root: string;
  /** The home of the user and where parts of it are; its skills are the user's own. */
  readonly environment: Environment;
  /** Folders of skills that the user named. */
  readonly configured: () => readonly string[];
  /** Refuses what is no file of the workspace that the studio opens. */
  readonly requireEntry: (file: FileId) => void;
  /** A lens or library of the workspace; refuses any other file. */
  readonly resolve: (file: FileId) => Promise<ResolvedLens>;
}

type Preview = SkillPreview extends infer P ? (P extends SkillPreview ? Omit<P, 'plan'> : never) : never;
type Note = SkillPreview['notes'][number];

/** Plans hold every byte that will be written. */
const mostPlans = 8;

/** What a page does with the Agent Skills of one workspace: it sees before it agrees, and never names a path. */
export class SkillsDesk {
  readonly #options: SkillsDeskOptions;
  readonly #uploads = new SkillUploads();
  readonly #plans = new Map<PlanId, { readonly files: number; readonly carryOut: () => Promise<void> }>();
  #found: SkillDiscovery | undefined;

  constructor(options: SkillsDeskOptions) {
    this.#options = options;
  }

  async discover(): Promise<SkillList> {
    const { root, environment, configured } = this.#options;
    const home = this.#home;
    this.#found = await discoverSkills({
      project: root,
      ...(home === undefined ? {} : { home }),
      environment,
      // Relative to where the studio was started, a folder would be another one every time.
      configured: configured()
        .map((folder) => this.#expanded(folder))
        .filter(isAbsolute),
      suggest: true,
    });
    const { skills, shadowed, skipped, suggestions, leftOut } = this.#found;
    return {
      skills: skills.map(({ folder: _folder, problems, ...skill }) => ({
        ...skill,
        problems: [...problems],
      })),
      shadowed: [...shadowed],
      skipped: skipped.map(({ problems, ...skill }) => ({ ...skill, problems: [...problems] })),
      suggestions: [...suggestions],
      ...(leftOut === undefined ? {} : { leftOut }),
    };
  }

  async show(file: string): Promise<SkillDetail> {
    return skillDetail(await this.#folderOf(file), file);
  }

  /** Ranks the skills of a lens, or those that were discovered. */
  async match(task: string, lens: FileId | undefined): Promise<SkillMatch[]> {
    if (lens === undefined) {
      const { skills } = await this.#discovery();
      return matchSkills(
        task,
        skills.map(({ name, description }) => ({ skill: name, name, description })),
      );
    }
    return matchLens(await this.#options.resolve(lens), task);
  }

  upload(upload: UploadId | undefined, parts: readonly UploadPart[]): UploadId {
    return this.#uploads.add(upload, parts);
  }

  async planImport(lens: FileId, origin: ImportOrigin, name: string | undefined): Promise<SkillPreview> {
    const { root, requireEntry } = this.#options;
    requireEntry(lens);
    const source: ImportSource =
      origin.from === 'upload'
        ? this.#uploads.source(origin.upload)
        : { kind: 'path', path: await this.#folderOf(origin.file) };
    const plan = await planImport({ root, lens, source, ...(name === undefined ? {} : { name }) });
    const { text: before, revision } = await readTextFile(root, lens);
    // The comparison must be of what the plan replaces.
    if (revision !== plan.revision) throw changed(lens);
    const notes =
      source.kind === 'tree' && plan.files.some(({ isExecutable }) => isExecutable)
        ? [{ what: 'modes', why: 'a page is not told them; files that start with "#!" become executable' }]
        : [];
    const { folder, files, lensText: after } = plan;
    return this.#keep(
      {
        ...{ kind: 'import', name: plan.name, lens, folder, before, after },
        files: files.map((file) => ({ ...file, operation: plan.isInPlace ? 'same' : file.operation })),
        notes: [...notes, ...plan.notes],
      },
      () => importSkill(plan),
    );
  }

  async planExport(lens: FileId, skill: string | undefined, folder: string): Promise<SkillPreview> {
    const inside = folder.replace(/\/+$/, '');
    const target = await exportFolder(this.#options.root, inside);
    const resolution = await this.#options.resolve(lens);
    const made = await exportSkills(
      resolution,
      skill === undefined ? undefined : [find(resolution, lens, skill)],
    );
    const judgment =
      skill === undefined
        ? exportJudgment(
            resolution,
            made.map(({ name }) => name),
          )
        : undefined;
    const trees = judgment ? [judgment, ...made] : made;
    if (trees.length === 0) throw nothing(lens);
    const write = await planWrite(target, trees);
    const files = previewOf(write);
    const taken = files.find(({ operation }) => operation === 'changed');
    if (taken) {
      const message = `Cannot export to "${inside}": "${inside}/${taken.path}" is there and differs; choose another folder, or remove it`;
      throw new SkillMountError('duplicate', message, { path: taken.path });
    }
    const skills = trees.map(({ name }) => name);
    return this.#keep({ kind: 'export', folder: inside, files, notes: [], skills }, async () => {
      await exportFolder(this.#options.root, inside);
      await executeWrite(write);
    });
  }

  async planInstall(
    origin: SkillOrigin,
    target: { readonly agent: string; readonly scope: 'project' | 'user' },
  ): Promise<SkillPreview> {
    const root = target.scope === 'project' ? this.#options.root : this.#home;
    if (root === undefined) {
      const message = `Cannot install for "${target.agent}": your home is not known here; install into the workspace`;
      throw new SkillMountError('no_home', message, { agent: target.agent });
    }
    const { sources, notes } = await this.#sources(origin);
    if (sources.length === 0) throw nothing(origin.file);
    const plan = await planInstall({ ...target, root }, sources);
    const checkPlace = async (): Promise<void> => {
      // A home is the user's own to link; a workspace may be a stranger's.
      if (target.scope === 'project') await requireInside(root, plan.write.folder, plan.dir);
    };
    await checkPlace();
    for (const { name, renamedFrom, leftOut, warnings } of plan.skills) {
      if (renamedFrom !== undefined) notes.push({ what: name, why: `"${renamedFrom}" is called so there` });
      for (const { path, why } of leftOut) notes.push({ what: `${name}/${path}`, why: `left out: ${why}` });
      for (const why of warnings) notes.push({ what: name, why });
    }
    const { dir: folder, files, agent } = plan;
    const skills = plan.skills.map(({ name }) => name);
    return this.#keep({ kind: 'install', agent, folder, files: [...files], notes, skills }, async () => {
      await checkPlace();
      await install(plan);
    });
  }

  /** Carries a plan out as it was shown and says how many files it wrote; one that failed is gone, for it is no longer true. */
  async write(id: PlanId): Promise<number> {
    const plan = this.#plans.get(id);
    if (!plan) {
      const message = 'Cannot write: the preview is no longer kept; look at it again';
      throw new StudioError('agent-skill.preview-gone', message, { plan: id });
    }
    this.#plans.delete(id);
    await plan.carryOut();
    return plan.files;
  }

  #keep(preview: Preview, carryOut: () => Promise<void>): SkillPreview {
    const plan = randomUUID() as string as PlanId;
    const files = preview.files.filter(({ operation }) => operation !== 'same').length;
    this.#plans.set(plan, { files, carryOut });
    for (const oldest of this.#plans.keys()) if (this.#plans.size > mostPlans) this.#plans.delete(oldest);
    return { ...preview, plan };
  }

  async #sources(origin: SkillOrigin): Promise<{ sources: readonly SkillSource[]; notes: Note[] }> {
    if (origin.from === 'found') {
      const { skills } = await this.#discovery();
      const folderOf = (name: string) => skills.find((skill) => skill.name === name)?.folder;
      const { sources, missing } = await foundSources(await this.#folderOf(origin.file), folderOf);
      const notes = missing.map(({ skill, dependency }) => ({
        what: skill,
        why: `depends on "${dependency}", which was not found`,
      }));
      return { sources, notes };
    }
    const resolution = await this.#options.resolve(origin.file);
    const ids = origin.skill === undefined ? undefined : [find(resolution, origin.file, origin.skill).id];
    const notes = resolution.diagnostics
      .filter(({ code }) => code === 'graph.missing-dependency' || code === 'library.not-found')
      .map(({ message, location }) => ({ what: location.file, why: message }));
    return { sources: await lensSources(resolution, ids), notes };
  }

  async #discovery(): Promise<SkillDiscovery> {
    if (!this.#found) await this.discover();
    return this.#found!;
  }

  /** The folder behind a SKILL.md as discovery named it; any other name leads nowhere. */
  async #folderOf(file: string): Promise<string> {
    const { skills, skipped, shadowed } = await this.#discovery();
    const known = skills.find((skill) => skill.file === file);
    if (known) return known.folder;
    const other = [...skipped, ...shadowed].find((skill) => skill.file === file);
    if (other) return dirname(this.#placeOf(other));
    const message = `Cannot find "${file}": it is not among the skills that were found; look again`;
    throw new SkillNotFoundError(message, { file });
  }

  #placeOf({ scope, file }: { readonly scope: SkillScope; readonly file: string }): string {
    if (scope === 'project') return join(this.#options.root, file);
    const variable = /^\$(\w+)\//.exec(file)?.[1];
    if (variable === undefined) return this.#expanded(file);
    return join(this.#options.environment[variable] ?? '', file.slice(variable.length + 2));
  }

  #expanded(path: string): string {
    return /^~($|\/)/.test(path) && this.#home !== undefined ? join(this.#home, path.slice(1)) : path;
  }

  get #home(): string | undefined {
    const { HOME, USERPROFILE } = this.#options.environment;
    return HOME || USERPROFILE || undefined;
  }
}

function find({ skills }: ResolvedLens, file: FileId, skill: string): ExportedSkill {
  const found = skills.find(({ id, name }) => id === skill || name === skill);
  if (found) return found;
  throw new StudioError('graph.unknown-skill', `Cannot find skill "${skill}" in "${file}"`, { skill });
}

function nothing(file: string): SkillNotFoundError {
  return new SkillNotFoundError(`Cannot find a skill in "${file}": it has none; add one first`, { file });
}

function changed(file: FileId): StudioError {
  return new StudioError('file.changed', `Cannot import into "${file}": it changed just now; look again`, {
    file,
  });
}
