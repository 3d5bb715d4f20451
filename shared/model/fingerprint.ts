import { z } from 'zod';
import { scriptLanguages, trustLevels } from './skill.ts';

/** SHA-256 in hex, never shortened. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/);
export type Digest = z.infer<typeof Digest>;

const digests = z.record(z.string(), Digest);

/**
 * Everything that may change what a step produces, by named part. Texts and values stand as digests, so that a record
 * stays small; what is shown to people (names, places, versions of the lens) is not in it.
 */
export const Fingerprint = z.object({
  /** Version of the script protocol: a new one makes every entry a miss. */
  engine: z.int(),
  definition: z.object({
    instructions: Digest.nullable(),
    /** In the order they run. */
    scripts: z.array(
      z.object({
        name: z.string(),
        language: z.enum(scriptLanguages),
        /** As the script gets them: variables that do not come from inputs are filled in. */
        args: z.array(z.string()),
        content: Digest,
      }),
    ),
    templates: z.array(z.object({ name: z.string(), content: Digest })),
    /** A file by the name that scripts find it under, or an address that is only shown. */
    resources: z.array(
      z.object({
        name: z.string(),
        file: z.string().nullable(),
        url: z.string().nullable(),
        content: Digest.nullable(),
      }),
    ),
    parameters: Digest.nullable(),
    tools: z.array(z.string()).nullable(),
    permissions: Digest.nullable(),
    produces: z.array(z.string()),
    requires: z.array(z.string()),
    /** Globs; null where the skill sees everything. */
    files: z.array(z.string()).nullable(),
  }),
  trust: z.enum(trustLevels),
  limits: z.record(z.string(), z.number()),
  /** Language → version. */
  interpreters: z.record(z.string(), z.string()),
  /** Required key → digest of its value; a key that is absent differs from one that is empty. */
  inputs: digests,
  /** Parameter → digest of its value. */
  params: digests,
  /** Dependency that passes no key → digest of its result. */
  upstream: digests,
  /** Digest of the list of files the skill can see, each with its own digest; the list is kept beside the entry. */
  files: Digest,
  /** For steps that read it: a task is part of what scripts get as well. */
  task: Digest.nullable(),
  model: z.unknown().optional(),
  lens: Digest.optional(),
});
export type Fingerprint = z.infer<typeof Fingerprint>;
