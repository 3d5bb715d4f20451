import { z } from 'zod';
import type { Parsed } from '../lens/reference.ts';
import { isPlainFileName } from '../lens/read/scripts.ts';
import { scriptLanguages, trustLevels } from '../model/skill.ts';

/** Says whether a path stays inside the skill's folder on every system. */
export function isInnerPath(path: string): boolean {
  return path !== '' && path.split('/').every((part) => part !== '' && isPlainFileName(part));
}

const texts = z.array(z.string()).optional();
const tree = z.record(z.string(), z.json()).optional();
const innerPath = z.string().refine(isInnerPath, 'must be a path inside the folder of the skill');

const ScriptFile = z.strictObject({
  name: z.string().refine(isPlainFileName, 'must be a plain file name'),
  language: z.enum(scriptLanguages),
  path: innerPath,
  args: texts,
  description: z.string().optional(),
});
const TemplateFile = z.strictObject({ name: z.string(), path: innerPath });
const ResourceFile = z.strictObject({
  name: z.string(),
  url: z.string().optional(),
  path: innerPath.optional(),
});

/** What the frontmatter of a SKILL.md cannot say about a skill of a lens; kept as one JSON text in `metadata.sunwell`. */
export const SunwellMetadata = z.strictObject({
  depends_on: texts,
  produces: texts,
  requires: texts,
  files: texts,
  triggers: texts,
  /** Only where the frontmatter's `allowed-tools` would read differently. */
  allowed_tools: texts,
  trust: z.enum(trustLevels).optional(),
  timeout: z.number().min(1).max(300).optional(),
  cache: z.boolean().optional(),
  override: z.boolean().optional(),
  preset: z.string().optional(),
  permissions: tree,
  security: tree,
  parameters_schema: tree,
  validate_with: z
    .strictObject({ validators: texts, personas: texts, min_confidence: z.number().min(0).max(1).optional() })
    .optional(),
  enabled: z
    .union([
      z.strictObject({ env: z.string(), equals: z.string().optional() }),
      z.strictObject({ param: z.string(), equals: z.string().optional() }),
    ])
    .optional(),
  scripts: z.array(ScriptFile).optional(),
  templates: z.array(TemplateFile).optional(),
  resources: z.array(ResourceFile).optional(),
  /** False for a skill without instructions; else the blanks before and after them. */
  instructions: z.union([z.literal(false), z.tuple([z.string(), z.string()])]).optional(),
  extra: tree,
});
export type SunwellMetadata = z.infer<typeof SunwellMetadata>;

/** The key under `metadata` that is ours. */
export const sunwellKey = 'sunwell';

export function encodeSunwell(metadata: SunwellMetadata): string {
  return JSON.stringify(metadata);
}

/** Reads the text of `metadata.sunwell`; a mistake in it is told, never half believed. */
export function decodeSunwell(text: string): Parsed<SunwellMetadata> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
  const parsed = SunwellMetadata.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  return {
    ok: false,
    problem: `${where === '' ? '' : `"${where}": `}${issue?.message ?? 'it is no metadata'}`,
  };
}
