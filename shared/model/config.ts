import { z } from 'zod';
import type { Placed } from './skill.ts';

export const modelProviders = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'command',
  'manual',
  'replay',
] as const;

const ModelEntry = z
  .looseObject({
    provider: z.enum(modelProviders),
    model: z.string().optional().describe("The provider's name for the model"),
    base_url: z.string().optional().describe('Address of an OpenAI-compatible server'),
    api_key_env: z
      .string()
      .optional()
      .describe('Environment variable that holds the key; never the key itself'),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Passed to the provider, such as temperature'),
    command: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('The agent to run'),
  })
  .meta({ id: 'Model' });

const TelemetryEntry = z.looseObject({
  skill_execution: z.boolean().optional().describe('Log each skill run to a local file (false)'),
  include_output: z.boolean().optional().describe('Log the output too (false)'),
  log_path: z.string().optional(),
});

const CacheEntry = z.looseObject({
  max_bytes: z.union([z.number(), z.string()]).optional().describe('Size limit, such as 2GB'),
  max_age: z.union([z.number(), z.string()]).optional().describe('Age limit, such as 30d'),
});

/** The user's `config.yaml`. */
export const ConfigFile = z
  .looseObject({
    models: z.record(z.string(), ModelEntry).optional().describe('Models by the name you call them'),
    default_model: z.string().optional().describe('One of "models"'),
    judge_model: z.string().optional().describe('One of "models"; judges results'),
    founts: z
      .record(z.string(), z.string())
      .optional()
      .describe('"default" and "@scope": a registry or a folder'),
    telemetry: TelemetryEntry.optional().describe('Local logs; nothing leaves the machine'),
    cache: CacheEntry.optional(),
  })
  .meta({ title: 'Sunwell configuration', description: 'Models, founts, cache and logs of this user' });

export const configKeys = {
  config: Object.keys(ConfigFile.shape),
  model: Object.keys(ModelEntry.shape),
  telemetry: Object.keys(TelemetryEntry.shape),
  cache: Object.keys(CacheEntry.shape),
} as const;

export interface ModelConfig extends Placed {
  readonly name: string;
  readonly provider: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly command?: readonly string[];
}

/** The user's configuration. A missing property was not given. */
export interface Config {
  readonly models: readonly ModelConfig[];
  readonly defaultModel?: string;
  readonly judgeModel?: string;
  readonly founts: Readonly<Record<string, string>>;
  readonly telemetry: {
    readonly skillExecution: boolean;
    readonly includeOutput: boolean;
    readonly logPath?: string;
  };
  readonly cache: { readonly maxBytes?: number; readonly maxAgeMs?: number };
  readonly extra?: Readonly<Record<string, unknown>>;
}
