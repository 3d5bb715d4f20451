import { z } from 'zod';
import type { LibraryReference, SkillReference } from '../lens/reference.ts';
import type { Location } from './diagnostic.ts';

export const skillTypes = ['inline', 'reference', 'local'] as const;
export type SkillType = (typeof skillTypes)[number];

export const trustLevels = ['full', 'sandboxed', 'none'] as const;
export type TrustLevel = (typeof trustLevels)[number];

export const scriptLanguages = ['python', 'node', 'bash'] as const;
export type ScriptLanguage = (typeof scriptLanguages)[number];

/** What a skill gets where the file says nothing. */
export const skillDefaults = {
  trust: 'sandboxed',
  timeoutSeconds: 30,
  cache: true,
  minConfidence: 0.7,
} as const;

const texts = z.union([z.string(), z.array(z.string())]);

export const ScriptEntry = z
  .looseObject({
    name: z.string().describe('Plain file name, such as "check.py"; no folders'),
    language: z.enum(scriptLanguages).optional().describe('Interpreter; inferred from the extension'),
    content: z.string().optional().describe('The script itself'),
    path: z.string().optional().describe('A script file, relative to this file'),
    args: texts.optional().describe('Arguments; ${variables} are filled in, each as one argument'),
    description: z.string().optional().describe('What the script does'),
  })
  .meta({ id: 'Script' });

export const TemplateEntry = z
  .looseObject({ name: z.string(), content: z.string().describe('Text with ${variables}') })
  .meta({ id: 'Template' });

export const ResourceEntry = z
  .looseObject({
    name: z.string(),
    url: z.string().optional().describe('Shown to the model; never fetched by the studio'),
    path: z.string().optional().describe('A file, relative to this file'),
  })
  .meta({ id: 'Resource' });

export const EnabledEntry = z
  .looseObject({
    env: z.string().optional().describe('Environment variable that must be set'),
    param: z.string().optional().describe('Run parameter that must be given'),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional().describe('The value it must have'),
  })
  .meta({ id: 'Enabled' });

export const ValidateWithEntry = z
  .looseObject({
    validators: texts.optional().describe('Validators of the lens that judge the result'),
    personas: texts.optional().describe('Personas of the lens that judge the result'),
    min_confidence: z.number().min(0).max(1).optional().describe('Confidence the result needs (0.7)'),
  })
  .meta({ id: 'ValidateWith' });

const dependency = z.union([z.string(), z.looseObject({ source: z.string() })]);

/** A skill as it is written in a lens or a library. */
export const SkillEntry = z
  .looseObject({
    name: z
      .string()
      .max(64)
      .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      .describe('Lower-case letters, digits and single hyphens, at most 64'),
    description: z.string().max(1024).optional().describe('What the skill does and when to use it'),
    type: z.enum(skillTypes).optional().describe('Inferred from "source" or "path" when left out'),
    instructions: z.string().optional().describe('What a model is told to do'),
    scripts: z.array(ScriptEntry).optional().describe('Scripts that run in the sandbox, in order'),
    templates: z.array(TemplateEntry).optional(),
    resources: z.array(ResourceEntry).optional(),
    source: z
      .string()
      .optional()
      .describe('Where the definition comes from: "<library>:<name>" or a library'),
    path: z.string().optional().describe('A folder with a SKILL.md, relative to this file'),
    triggers: texts.optional().describe('Words that make the skill a candidate for a task'),
    compatibility: z.string().max(500).optional().describe('What the skill needs to run'),
    allowed_tools: texts.optional().describe('Tools a model may use in this skill'),
    'allowed-tools': texts.optional().describe('Same as "allowed_tools"'),
    preset: z.string().optional().describe('Permission preset to start from'),
    permissions: z.looseObject({}).optional().describe('Laid over the preset'),
    security: z.looseObject({}).optional(),
    parameters_schema: z.looseObject({}).optional().describe('JSON Schema of the parameters'),
    trust: z.enum(trustLevels).optional().describe('How much the scripts may do (sandboxed)'),
    timeout: z.number().min(1).max(300).optional().describe('Seconds each script may take (30)'),
    override: z.boolean().optional().describe('Replacing an inherited skill of this name is meant'),
    validate_with: ValidateWithEntry.optional().describe('What judges the result'),
    depends_on: z
      .union([dependency, z.array(dependency)])
      .optional()
      .describe(
        'Skills that run before: "name", "sunwell/common:name", "./path:name", "fount://pkg@range:name"',
      ),
    produces: texts.optional().describe('Context keys this skill delivers'),
    requires: texts.optional().describe('Context keys this skill reads'),
    files: texts.optional().describe('Globs of workspace files the skill may see; [] means none'),
    cache: z.boolean().optional().describe('false for skills with side effects'),
    enabled: EnabledEntry.optional().describe('The skill exists only under this condition'),
  })
  .meta({ id: 'Skill' });

/** A place of its own and the path by which edits reach it. */
export interface Placed {
  readonly at: Location;
  readonly path: readonly (string | number)[];
}

/** A context key that a skill reads or delivers. */
export interface ContextKey extends Placed {
  readonly key: string;
}

/** One entry of `depends_on`; `reference` is missing where the text is malformed. */
export interface Dependency extends Placed {
  readonly text: string;
  readonly reference?: SkillReference;
}

/** Where a reference skill takes its definition from; both parts are missing where the text is malformed. */
export interface SkillSource extends Placed {
  readonly text: string;
  /** Set where the text names a skill. */
  readonly reference?: SkillReference;
  /** Set where the text names only a library; the skill has the entry's own name there. */
  readonly library?: LibraryReference;
}

export interface Script extends Placed {
  readonly name: string;
  readonly language: ScriptLanguage;
  readonly content?: string;
  readonly file?: string;
  readonly args: readonly string[];
  readonly description?: string;
}

export interface Template extends Placed {
  readonly name: string;
  readonly content: string;
}

export interface Resource extends Placed {
  readonly name: string;
  readonly url?: string;
  readonly file?: string;
}

/** The condition under which a skill exists. */
export type Enabled =
  { readonly env: string; readonly equals?: string } | { readonly param: string; readonly equals?: string };

export interface ValidateWith {
  readonly validators?: readonly string[];
  readonly personas?: readonly string[];
  readonly minConfidence?: number;
}

/** A skill as one file defines it. A missing property was not given: the defaults are not filled in. */
export interface Skill extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly type: SkillType;
  readonly instructions?: string;
  readonly scripts?: readonly Script[];
  readonly templates?: readonly Template[];
  readonly resources?: readonly Resource[];
  readonly source?: SkillSource;
  /** The folder of a local skill, as written. */
  readonly folder?: string;
  readonly triggers?: readonly string[];
  readonly compatibility?: string;
  readonly allowedTools?: readonly string[];
  readonly preset?: string;
  readonly permissions?: unknown;
  readonly security?: unknown;
  readonly parametersSchema?: unknown;
  readonly trust?: TrustLevel;
  readonly timeoutSeconds?: number;
  readonly override?: boolean;
  readonly validateWith?: ValidateWith;
  readonly dependsOn?: readonly Dependency[];
  readonly produces?: readonly ContextKey[];
  readonly requires?: readonly ContextKey[];
  readonly files?: readonly string[];
  readonly cache?: boolean;
  readonly enabled?: Enabled;
  /** Keys the studio does not know, kept as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
}
