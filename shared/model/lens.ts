import { z } from 'zod';
import type { LensReference, LibraryReference } from '../lens/reference.ts';
import { SkillEntry } from './skill.ts';
import type { Placed, Skill } from './skill.ts';

export const validatorSeverities = ['error', 'warning', 'info'] as const;
export const validatorMethods = ['triangulation', 'pattern_match', 'checklist'] as const;
export const successConditions = ['exit-zero', 'exit-nonzero', 'output-empty', 'pattern'] as const;
export const retryCauses = ['timeout', 'validation_failure', 'script_failure', 'security_violation'] as const;

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

const texts = z.union([z.string(), z.array(z.string())]);
const anything = z.unknown();
const share = z.number().min(0).max(1);

const MetadataEntry = z
  .looseObject({
    name: z.string().describe('The name people see'),
    version: z.string().describe('Semantic version, such as "1.0.0"'),
    domain: z.string().optional().describe('Subject, for searching with "domain:"'),
    description: z.string().optional(),
    author: z.string().optional(),
    license: z.string().optional(),
    tags: texts.optional().describe('Words for searching with "tag:"'),
    use_cases: texts.optional(),
    icon: z.string().optional(),
    compatible_schemas: texts.optional(),
  })
  .meta({ id: 'Metadata' });

const LensLinkEntry = z.looseObject({
  lens: z.string().describe('A lens name, a path relative to this file, or "fount://package@range"'),
  version: z.string().optional().describe('Semantic version range'),
  priority: z.number().optional().describe('Among composed lenses the higher priority wins (1)'),
});

const HeuristicEntry = z
  .looseObject({
    name: z.string(),
    rule: z.string().describe('The sentence to follow'),
    test: z.string().optional().describe('How to see whether the rule was followed'),
    always: texts.optional(),
    never: texts.optional(),
    examples: anything.optional().describe('Good and bad examples, in any shape'),
    priority: z.number().optional().describe('1 to 10, or 0 to 1'),
    wisdom: texts.optional(),
    judgment: texts.optional(),
    anti_patterns: texts.optional(),
    override: z.boolean().optional().describe('Replacing an inherited heuristic of this name is meant'),
  })
  .meta({ id: 'Heuristic' });

const AntiHeuristicEntry = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    triggers: texts.optional(),
    correction: z.string().optional(),
    override: z.boolean().optional(),
  })
  .meta({ id: 'AntiHeuristic' });

const CommunicationEntry = z.looseObject({}).meta({ id: 'Communication' });

const PersonaEntry = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    background: z.string().optional(),
    goals: texts.optional(),
    friction_points: texts.optional(),
    attack_vectors: texts.optional(),
    evaluation_prompt: z.string().optional(),
    output_format: z.string().optional(),
    override: z.boolean().optional(),
  })
  .meta({ id: 'Persona' });

const DeterministicValidatorEntry = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    command: z.string().optional().describe('Command line; {output_file} is the result to check'),
    script: z.string().optional().describe('Script that checks the result'),
    success_pattern: z.string().optional().describe('Regular expression the output must match'),
    success_when: z.enum(successConditions).optional(),
    severity: z.string().optional().describe('error, warning or info (error)'),
    timeout: z.number().optional().describe('Seconds'),
    contains: texts.optional().describe('Texts the result must hold'),
    not_contains: texts.optional().describe('Texts the result must not hold'),
    matches: texts.optional().describe('Regular expressions the result must match'),
    max_words: z.number().optional(),
    json_schema: anything.optional().describe('JSON Schema the result must satisfy'),
    override: z.boolean().optional(),
  })
  .meta({ id: 'DeterministicValidator' });

const HeuristicValidatorEntry = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    prompt: z.string().optional().describe('The question the judge answers'),
    check: z.string().optional().describe('Same as "prompt"'),
    method: z
      .string()
      .optional()
      .describe(`One of ${validatorMethods.join(', ')}`),
    severity: z.string().optional().describe('error, warning or info (warning)'),
    confidence_threshold: share.optional().describe('0.8'),
    override: z.boolean().optional(),
  })
  .meta({ id: 'HeuristicValidator' });

const QualityPolicyEntry = z
  .looseObject({
    min_confidence: share.optional().describe('0.7'),
    required_validators: texts.optional(),
    persona_agreement: share.optional().describe('0.5'),
    retry_limit: z.number().optional().describe('3'),
    signals_of_quality: texts.optional(),
    signals_of_problems: texts.optional(),
  })
  .meta({ id: 'QualityPolicy' });

const RouterEntry = z
  .looseObject({
    tiers: anything.optional(),
    intent_categories: anything.optional(),
    signals: anything.optional(),
    shortcuts: z.record(z.string(), z.string()).optional().describe('"::key": skill'),
  })
  .meta({ id: 'Router' });

const InputEntry = z.looseObject({
  description: z.string().optional(),
  default: anything.optional(),
  type: z.string().optional().describe('text, number, boolean, file …'),
});

const SkillRetryEntry = z
  .looseObject({
    max_attempts: z.number().min(1).max(10).optional().describe('3'),
    backoff_ms: z
      .union([z.number(), z.array(z.number())])
      .optional()
      .describe('[100, 500, 2000]'),
    retry_on: texts.optional().describe('[timeout, validation_failure]'),
    abort_on: texts.optional().describe('[security_violation]'),
  })
  .meta({ id: 'SkillRetry' });

const IncludeEntry = z
  .looseObject({ include: z.string().describe('"file.yaml", or "file.yaml::skill-a, skill-b"') })
  .meta({ id: 'Include' });

const LensBody = z
  .looseObject({
    metadata: MetadataEntry,
    extends: z.union([z.string(), LensLinkEntry]).optional().describe('The lens this one builds on'),
    compose: z
      .union([z.string(), LensLinkEntry, z.array(z.union([z.string(), LensLinkEntry]))])
      .optional()
      .describe('Lenses to mix in'),
    heuristics: z
      .union([
        z.array(HeuristicEntry),
        z.looseObject({
          principles: z.array(HeuristicEntry).optional(),
          anti_heuristics: z.array(AntiHeuristicEntry).optional(),
          communication: CommunicationEntry.optional(),
        }),
      ])
      .optional()
      .describe('How the expert thinks'),
    anti_heuristics: z.array(AntiHeuristicEntry).optional().describe('What the expert avoids'),
    communication: CommunicationEntry.optional().describe('Tone, style, identity'),
    framework: anything.optional().describe('A named framework with its categories'),
    classification: anything.optional().describe('Categories, another way to write "framework"'),
    personas: z.array(PersonaEntry).optional().describe('Readers who judge the result'),
    validators: z
      .union([
        z.array(z.union([DeterministicValidatorEntry, HeuristicValidatorEntry])),
        z.looseObject({
          deterministic: z.array(DeterministicValidatorEntry).optional(),
          heuristic: z.array(HeuristicValidatorEntry).optional(),
        }),
      ])
      .optional()
      .describe('What judges the result'),
    quality_policy: QualityPolicyEntry.optional().describe('When a result is good enough'),
    router: RouterEntry.optional(),
    workflows: anything.optional().describe('Named sequences of steps'),
    skill_sources: z
      .union([z.string(), z.array(z.union([z.string(), z.looseObject({ source: z.string() })]))])
      .optional()
      .describe('Libraries to search for skills, in order'),
    skills: z
      .array(z.union([SkillEntry, IncludeEntry]))
      .optional()
      .describe('What the lens can do'),
    inputs: z
      .record(z.string(), z.union([InputEntry, z.null()]))
      .optional()
      .describe('Values a run must be given; they satisfy "requires"'),
    skill_retry: SkillRetryEntry.optional().describe('How a failed skill is retried'),
    refiners: anything.optional(),
    provenance: anything.optional(),
    knowledge_sources: anything.optional(),
    spellbook: anything.optional(),
    affordances: anything.optional(),
    tool_profile: anything.optional(),
    schema_validators: anything.optional(),
    schema_extensions: anything.optional(),
  })
  .meta({ id: 'LensBody' });

/** A lens file: with the `lens:` wrapper or bare. */
export const LensFile = z.union([z.looseObject({ lens: LensBody }), LensBody]).meta({
  title: 'Sunwell lens',
  description: 'Heuristics, validators, personas and policy of an expert, with the skills it is armed with',
});

/** The keys that each part of a lens may have; others are reported and kept. */
export const lensKeys = {
  lens: Object.keys(LensBody.shape),
  metadata: Object.keys(MetadataEntry.shape),
  lensLink: Object.keys(LensLinkEntry.shape),
  heuristic: Object.keys(HeuristicEntry.shape),
  antiHeuristic: Object.keys(AntiHeuristicEntry.shape),
  persona: Object.keys(PersonaEntry.shape),
  deterministicValidator: Object.keys(DeterministicValidatorEntry.shape),
  heuristicValidator: Object.keys(HeuristicValidatorEntry.shape),
  qualityPolicy: Object.keys(QualityPolicyEntry.shape),
  router: Object.keys(RouterEntry.shape),
  input: Object.keys(InputEntry.shape),
  skillRetry: Object.keys(SkillRetryEntry.shape),
} as const;

/** Sections of a lens that are kept and shown but mean nothing to the studio. */
export const opaqueLensKeys = [
  'refiners',
  'provenance',
  'knowledge_sources',
  'spellbook',
  'affordances',
  'tool_profile',
  'schema_validators',
  'schema_extensions',
] as const;

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
}
