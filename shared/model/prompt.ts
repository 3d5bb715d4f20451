import { z } from 'zod';

export const promptPartKinds = [
  'lens',
  'instructions',
  'templates',
  'resources',
  'context',
  'skills',
  'feedback',
  'task',
] as const;

/** One part of a prompt, in the order in which the model reads them. */
export const PromptPart = z.object({
  kind: z.enum(promptPartKinds),
  title: z.string(),
  text: z.string(),
  /** An estimate: providers count by their own tokens. */
  tokens: z.int().min(0),
});
export type PromptPart = z.infer<typeof PromptPart>;

/** What a model would be sent for one step. */
export const PromptPreview = z.object({
  skill: z.string(),
  parts: z.array(PromptPart),
  tokens: z.int().min(0),
  /** The tools it is offered, by name with what they may do. */
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  /** Keys whose answer comes as one field each; empty where the text is the answer. */
  produces: z.array(z.string()),
  /** The model that would be asked, by the user's name. */
  model: z.string().optional(),
  /** What is not known before the run, such as a value that a skill upstream still makes. */
  notes: z.array(z.string()),
});
export type PromptPreview = z.infer<typeof PromptPreview>;
