import { z } from 'zod';
import { modelProviders } from './config.ts';

/** Why a model gave no usable answer. */
export const modelFailureKinds = [
  'no-key',
  'wrong-key',
  'insecure-address',
  'unreachable',
  'redirected',
  'rate-limited',
  'server-error',
  'refused',
  'malformed',
  'wrong-shape',
  'timed-out',
  'too-large',
  'cut',
  'too-many-steps',
  'budget',
  'cancelled',
  'not-recorded',
  'nobody-to-ask',
  'agent-failed',
  'not-supported',
] as const;

export const ModelFailureKind = z.enum(modelFailureKinds);
export type ModelFailureKind = z.infer<typeof ModelFailureKind>;

/** What a call cost; a provider that does not count leaves zeros. */
export const ModelUsage = z.object({ inputTokens: z.int().min(0), outputTokens: z.int().min(0) });
export type ModelUsage = z.infer<typeof ModelUsage>;

/** What was asked of one model in one step, all calls together. */
export const ModelCost = z.object({
  /** The user's name for it. */
  name: z.string(),
  usage: ModelUsage,
  calls: z.int().min(0),
  durationMs: z.number().min(0),
  /** In US dollars; missing where the price of the model is not known. */
  dollars: z.number().min(0).optional(),
});
export type ModelCost = z.infer<typeof ModelCost>;

/** Where the key of a model comes from; the key itself never leaves the engine. */
export const KeyState = z.enum(['keychain', 'environment', 'missing', 'not-needed']);
export type KeyState = z.infer<typeof KeyState>;

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._:/ -]*$/u);
const address = z.string().max(2000);

/** A model as the user wants it written into `config.yaml`. */
export const ModelDraft = z.object({
  name,
  provider: z.enum(modelProviders),
  model: z.string().max(500).optional(),
  baseUrl: address.optional(),
  apiKeyEnv: z.string().max(200).optional(),
  /** The agent to run, word by word. */
  command: z.array(z.string().min(1).max(4096)).min(1).max(100).optional(),
});
export type ModelDraft = z.infer<typeof ModelDraft>;

/** A configured model as a page may know it. */
export const ModelSummary = z.object({
  name: z.string(),
  provider: z.enum(modelProviders),
  model: z.string().optional(),
  baseUrl: z.string().optional(),
  apiKeyEnv: z.string().optional(),
  command: z.array(z.string()).optional(),
  key: KeyState,
  /** What keeps it from being used, as a sentence. */
  problem: z.string().optional(),
});
export type ModelSummary = z.infer<typeof ModelSummary>;

export const ModelList = z.object({
  models: z.array(ModelSummary),
  defaultModel: z.string().optional(),
  judgeModel: z.string().optional(),
  /** Whether this host has a keychain to keep keys in; otherwise they come from the environment. */
  canKeepKeys: z.boolean(),
  /** What is wrong with `config.yaml`, as sentences with their lines. */
  problems: z.array(z.string()),
});
export type ModelList = z.infer<typeof ModelList>;

/** What came of trying a model once. */
export const ModelTest = z.object({
  name: z.string(),
  outcome: z.enum(['answered', 'nothing-to-connect', ...modelFailureKinds]),
  /** One sentence that says what happened and, where it failed, the way out. */
  message: z.string(),
  durationMs: z.number().min(0),
  usage: ModelUsage,
});
export type ModelTest = z.infer<typeof ModelTest>;
