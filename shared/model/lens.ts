import type { LensReference, LibraryReference } from '../lens/reference.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Placed, Skill } from './skill.ts';

/** What a lens's quality policy says where the file says nothing. */
export const qualityPolicyDefaults = {
  minConfidence: 0.7,
  requiredValidators: [],
  personaAgreement: 0.5,
  retryLimit: 3,
} as const;

/** How a failed skill is retried where the lens says nothing. */
export const skillRetryDefaults = {
  maxAttempts: 3,
  backoffMs: [100, 500, 2000],
  retryOn: ['timeout', 'validation_failure'],
  abortOn: ['security_violation'],
} as const;

/** What a validator gets where the file says nothing. */
export const validatorDefaults = {
  deterministicSeverity: 'error',
  heuristicSeverity: 'warning',
  confidenceThreshold: 0.8,
} as const;

/** The priority of a composed lens where the file says nothing. */
export const composePriorityDefault = 1;
type Extra = Readonly<Record<string, unknown>>;

export interface Metadata {
  readonly name?: string;
  readonly version?: string;
  readonly domain?: string;
  readonly description?: string;
  readonly author?: string;
  readonly license?: string;
  readonly tags?: readonly string[];
  readonly useCases?: readonly string[];
  readonly icon?: string;
  readonly compatibleSchemas?: readonly string[];
  readonly extra?: Extra;
}

/** One entry of `extends` or `compose`; `reference` is missing where the text is malformed. */
export interface LensLink extends Placed {
  readonly text: string;
  readonly reference?: LensReference;
  readonly version?: string;
  readonly priority?: number;
}

export interface Heuristic extends Placed {
  readonly name: string;
  readonly rule?: string;
  readonly test?: string;
  readonly always?: readonly string[];
  readonly never?: readonly string[];
  readonly examples?: unknown;
  /** As written: 1 to 10, or 0 to 1. */
  readonly priority?: number;
  readonly wisdom?: readonly string[];
  readonly judgment?: readonly string[];
  readonly antiPatterns?: readonly string[];
  readonly override?: boolean;
  readonly extra?: Extra;
}

export interface AntiHeuristic extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly triggers?: readonly string[];
  readonly correction?: string;
  readonly override?: boolean;
  readonly extra?: Extra;
}

export interface Persona extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly background?: string;
  readonly goals?: readonly string[];
  readonly frictionPoints?: readonly string[];
  readonly attackVectors?: readonly string[];
  readonly evaluationPrompt?: string;
  readonly outputFormat?: string;
  readonly override?: boolean;
  readonly extra?: Extra;
}

export interface DeterministicValidator extends Placed {
  readonly kind: 'deterministic';
  readonly name: string;
  readonly description?: string;
  readonly command?: string;
  readonly script?: string;
  readonly successPattern?: string;
  readonly successWhen?: string;
  readonly severity?: string;
  readonly timeoutSeconds?: number;
  readonly contains?: readonly string[];
  readonly notContains?: readonly string[];
  readonly matches?: readonly string[];
  readonly maxWords?: number;
  readonly jsonSchema?: unknown;
  readonly override?: boolean;
  readonly extra?: Extra;
}

export interface HeuristicValidator extends Placed {
  readonly kind: 'heuristic';
  readonly name: string;
  readonly description?: string;
  readonly prompt?: string;
  readonly method?: string;
  readonly severity?: string;
  readonly confidenceThreshold?: number;
  readonly override?: boolean;
  readonly extra?: Extra;
}

export interface QualityPolicy {
  readonly minConfidence?: number;
  readonly requiredValidators?: readonly (Placed & { readonly name: string })[];
  readonly personaAgreement?: number;
  readonly retryLimit?: number;
  readonly signalsOfQuality?: readonly string[];
  readonly signalsOfProblems?: readonly string[];
  readonly extra?: Extra;
}

/** `"::key": skill` of the router. */
export interface Shortcut extends Placed {
  readonly key: string;
  readonly skill: string;
}

export interface Router {
  /** Each tier flat: what is nested under `behavior` is lifted. */
  readonly tiers?: readonly Extra[];
  readonly intentCategories?: unknown;
  readonly signals?: unknown;
  readonly shortcuts?: readonly Shortcut[];
  readonly extra?: Extra;
}

export type WorkflowStep =
  | (Placed & { readonly kind: 'skill'; readonly skill: string })
  | (Placed & { readonly kind: 'parallel'; readonly steps: readonly WorkflowStep[] })
  | (Placed & {
      readonly kind: 'action';
      readonly name?: string;
      readonly action: string;
      readonly qualityGates?: readonly string[];
    });

export interface Workflow extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly steps: readonly WorkflowStep[];
  readonly extra?: Extra;
}

/** A framework given as a map, as a bare name, or as a classification. */
export interface Framework extends Placed {
  readonly name?: string;
  readonly description?: string;
  readonly categories: readonly unknown[];
  /** The whole section as written. */
  readonly value: unknown;
}

/** One entry of `skill_sources`; `library` is missing where the text is malformed. */
export interface SkillSourceEntry extends Placed {
  readonly text: string;
  readonly library?: LibraryReference;
}

/** `include: file.yaml` or `include: "file.yaml::a, b"` in the list of skills. */
export interface Include extends Placed {
  readonly file: string;
  /** The skills asked for; undefined means all. */
  readonly names?: readonly string[];
}

/** A value that a run must be given. */
export interface RunInput extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly hasDefault: boolean;
  readonly extra?: Extra;
}

export interface SkillRetry {
  readonly maxAttempts?: number;
  readonly backoffMs?: readonly number[];
  readonly retryOn?: readonly string[];
  readonly abortOn?: readonly string[];
  readonly extra?: Extra;
}

/**
 * A lens as one file defines it, before `extends` and `compose` are followed.
 * A missing property was not given: defaults are not filled in, so that merging knows what is explicit.
 */
export interface Lens {
  /** The path of the lens's own map: `['lens']` with the wrapper, `[]` without. */
  readonly path: readonly (string | number)[];
  readonly metadata: Metadata;
  readonly extends?: LensLink;
  readonly compose: readonly LensLink[];
  readonly heuristics: readonly Heuristic[];
  readonly antiHeuristics: readonly AntiHeuristic[];
  readonly communication?: Extra;
  readonly framework?: Framework;
  readonly personas: readonly Persona[];
  readonly validators: {
    readonly deterministic: readonly DeterministicValidator[];
    readonly heuristic: readonly HeuristicValidator[];
  };
  readonly qualityPolicy?: QualityPolicy;
  readonly router?: Router;
  readonly workflows: readonly Workflow[];
  readonly skillSources: readonly SkillSourceEntry[];
  readonly skills: readonly Skill[];
  readonly includes: readonly Include[];
  readonly inputs: readonly RunInput[];
  readonly skillRetry?: SkillRetry;
  /** Sections that are kept and shown but not interpreted, known and unknown. */
  readonly other: Extra;
  /** Errors that may have cost it judges: text that is no YAML, or what could not be read of the lenses it builds on and of who judges. */
  readonly gaps?: readonly Diagnostic[];
}
