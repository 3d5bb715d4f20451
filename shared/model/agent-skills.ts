import { z } from 'zod';
import { Severity } from './diagnostic.ts';
import { FileId } from './workspace.ts';

export const SkillScope = z.enum(['project', 'user', 'configured']);
/** Whose skills: of the workspace, of the user's home, or of a folder that the user named besides. */
export type SkillScope = z.infer<typeof SkillScope>;

/** Something that is wrong with an Agent Skill, with its place in SKILL.md. */
export const FoundProblem = z.object({
  code: z.string(),
  severity: Severity,
  message: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int(),
});
export type FoundProblem = z.infer<typeof FoundProblem>;

/** The SKILL.md of a discovered skill as people write it: from the workspace, from `~`, or from a configured folder. */
const SkillFile = z.string().min(1).max(8192);

export const FoundSkill = z.object({
  name: z.string(),
  description: z.string(),
  scope: SkillScope,
  file: SkillFile,
  sha256: z.string(),
  problems: z.array(FoundProblem),
});
/** One skill that agents would load, pinned by the hash of its folder. */
export type FoundSkill = z.infer<typeof FoundSkill>;

export const SkillList = z.object({
  skills: z.array(FoundSkill),
  /** Skills that another of the same name hides; `by` is the SKILL.md that is used instead. */
  shadowed: z.array(z.object({ name: z.string(), scope: SkillScope, file: SkillFile, by: SkillFile })),
  /** Folders with a SKILL.md that no agent could load, and why. */
  skipped: z.array(z.object({ scope: SkillScope, file: SkillFile, problems: z.array(FoundProblem) })),
  /** Dependencies that instructions speak of and the skill does not declare. */
  suggestions: z.array(z.object({ from: z.string(), to: z.string(), line: z.int(), evidence: z.string() })),
  /** Why not every folder was looked at, where that is so. */
  leftOut: z.string().optional(),
});
/** Every Agent Skill of the workspace and the user. */
export type SkillList = z.infer<typeof SkillList>;

export const SkillDetail = z.object({
  file: SkillFile,
  sha256: z.string(),
  /** What the frontmatter says, in its order, as text. */
  properties: z.array(z.object({ key: z.string(), value: z.string() })),
  /** The whole SKILL.md; empty where it cannot be read. */
  text: z.string(),
  /** The line at which the instructions start. */
  bodyLine: z.int(),
  files: z.array(z.object({ path: z.string(), size: z.int(), isExecutable: z.boolean() })),
  /** Files that no agent is given, such as links. */
  leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
  /** Problems by the letter of the specification, in the reference validator's words and order. */
  validation: z.array(FoundProblem),
  /** What the specification allows and experience advises against. */
  advice: z.array(FoundProblem),
});
/** One Agent Skill as it lies there. */
export type SkillDetail = z.infer<typeof SkillDetail>;

export const PlanId = z.string().min(1).max(64).brand<'SkillPlanId'>();
/** Names a preview that the engine keeps, byte for byte, until it is agreed to or a few newer ones have come. */
export type PlanId = z.infer<typeof PlanId>;

export const UploadId = z.string().min(1).max(64).brand<'SkillUploadId'>();
/** Names files that a page handed over. */
export type UploadId = z.infer<typeof UploadId>;

/** One message stays below what every host takes. */
export const UploadPart = z.object({ path: z.string().min(1).max(1024), base64: z.string().max(1_500_000) });
export type UploadPart = z.infer<typeof UploadPart>;

/** What to import: a discovered skill, or files that the page handed over: a folder's, or one archive. */
export const ImportOrigin = z.discriminatedUnion('from', [
  z.object({ from: z.literal('found'), file: SkillFile }),
  z.object({ from: z.literal('upload'), upload: UploadId }),
]);
export type ImportOrigin = z.infer<typeof ImportOrigin>;

/** What to install or to look through: discovered skills, or a lens with all its skills or some of them. */
export const SkillOrigin = z.discriminatedUnion('from', [
  z.object({ from: z.literal('found'), file: SkillFile }),
  z.object({ from: z.literal('lens'), file: FileId, skill: z.string().max(4096).optional() }),
]);
export type SkillOrigin = z.infer<typeof SkillOrigin>;

/** One file as a preview shows it; the path starts with the skill's folder. */
export const PlannedFile = z.object({
  path: z.string(),
  operation: z.enum(['new', 'changed', 'same']),
  size: z.int(),
  isExecutable: z.boolean(),
});
export type PlannedFile = z.infer<typeof PlannedFile>;

const preview = {
  plan: PlanId,
  /** The folder that gets the skills, as people write it. */
  folder: z.string(),
  files: z.array(PlannedFile),
  /** What does not come along, comes along changed, or is of no use there. */
  notes: z.array(z.object({ what: z.string(), why: z.string() })),
};

/** What an import, an export or an installation will write. Nothing is written before it is agreed to. */
export const SkillPreview = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('import'),
    ...preview,
    name: z.string(),
    lens: FileId,
    /** The lens before and after, as text. */
    before: z.string(),
    after: z.string(),
  }),
  z.object({ kind: z.literal('export'), ...preview, skills: z.array(z.string()) }),
  z.object({ kind: z.literal('install'), ...preview, skills: z.array(z.string()), agent: z.string() }),
]);
export type SkillPreview = z.infer<typeof SkillPreview>;

export const SkillMatch = z.object({ skill: z.string(), score: z.number(), reason: z.string() });
/** A skill that fits a task, how well, and what of the task it was found by. */
export type SkillMatch = z.infer<typeof SkillMatch>;
