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
