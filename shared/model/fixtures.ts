import { z } from 'zod';
import type { Placed } from './skill.ts';

const texts = z.union([z.string(), z.array(z.string())]);

const FixtureInputEntry = z.looseObject({
  task: z.string().optional().describe('What is asked for'),
  files: z
    .union([z.array(z.string()), z.record(z.string(), z.string())])
    .optional()
    .describe('Workspace files: paths, or a map from path to content'),
  context: z.record(z.string(), z.unknown()).optional().describe('Context keys and their values'),
});

const ExpectedEntry = z.looseObject({
  contains: texts.optional().describe('Texts the result must hold'),
  not_contains: texts.optional().describe('Texts the result must not hold'),
  outputs: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Context keys and the values they must have'),
  artifacts: texts.optional().describe('Paths that must be proposed'),
  validators_pass: z.union([z.boolean(), texts]).optional().describe('All validators, or these'),
  error: z.union([z.boolean(), z.string()]).optional().describe('The run must fail, with this text'),
});

const FixtureEntry = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    skill: z.string().optional().describe('Only this skill and what it needs'),
    input: FixtureInputEntry.optional(),
    expected: ExpectedEntry.optional(),
  })
  .meta({ id: 'Fixture' });

/** A file of fixtures: a bare list, or a list under `fixtures:`. */
export const FixturesFile = z
  .union([z.array(FixtureEntry), z.looseObject({ fixtures: z.array(FixtureEntry) })])
  .meta({ title: 'Sunwell fixtures', description: 'Inputs for skills and what must come out' });

export const fixtureKeys = {
  fixture: Object.keys(FixtureEntry.shape),
  input: Object.keys(FixtureInputEntry.shape),
  expected: Object.keys(ExpectedEntry.shape),
} as const;

/** One test of a lens: what goes in and what must come out. */
export interface Fixture extends Placed {
  readonly name: string;
  readonly description?: string;
  readonly skill?: string;
  readonly input: {
    readonly task?: string;
    /** Path to content; null where only the path is given and the file is the workspace's own. */
    readonly files: Readonly<Record<string, string | null>>;
    readonly context: Readonly<Record<string, unknown>>;
  };
  readonly expected: {
    readonly contains: readonly string[];
    readonly notContains: readonly string[];
    readonly outputs: Readonly<Record<string, unknown>>;
    readonly artifacts: readonly string[];
    readonly validatorsPass?: true | false | readonly string[];
    readonly error?: boolean | string;
  };
}
