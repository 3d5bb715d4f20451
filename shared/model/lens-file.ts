import { z } from 'zod';
import { successConditions, validatorMethods } from './lens-terms.ts';
import { SkillEntry } from './skill-entry.ts';

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

/** The parts of a lens as they are written, with what each field may hold. */
export const lensParts = {
  lens: LensBody,
  metadata: MetadataEntry,
  lensLink: LensLinkEntry,
  heuristic: HeuristicEntry,
  antiHeuristic: AntiHeuristicEntry,
  persona: PersonaEntry,
  deterministicValidator: DeterministicValidatorEntry,
  heuristicValidator: HeuristicValidatorEntry,
  qualityPolicy: QualityPolicyEntry,
  router: RouterEntry,
  input: InputEntry,
  skillRetry: SkillRetryEntry,
} as const;
