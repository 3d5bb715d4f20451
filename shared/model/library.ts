import { z } from 'zod';
import { SkillEntry } from './skill-entry.ts';
import type { Placed, Skill } from './skill.ts';

const globs = z.union([z.string(), z.array(z.string())]);
const allowDeny = z.looseObject({ allow: globs.optional(), deny: globs.optional() });
const readWrite = z.looseObject({ read: globs.optional(), write: globs.optional() });

export const PresetEntry = z
  .looseObject({
    permissions: z
      .looseObject({
        filesystem: readWrite.optional(),
        network: allowDeny.optional(),
        shell: allowDeny.optional(),
        environment: readWrite.optional(),
      })
      .optional(),
    security: z.looseObject({}).optional(),
  })
  .meta({ id: 'Preset' });

/** A library file: skills, permission presets, or both. */
export const LibraryFile = z
  .looseObject({
    name: z.string().optional().describe('The name people see; the file name otherwise'),
    version: z.string().optional(),
    description: z.string().optional(),
    skills: z.array(SkillEntry).optional(),
    presets: z
      .record(z.string(), PresetEntry)
      .optional()
      .describe('Permissions that skills take over with "preset: name"'),
  })
  .meta({ title: 'Sunwell skill library', description: 'Skills that lenses and other skills can use' });

/** A named set of permissions that a skill can start from. */
export interface Preset extends Placed {
  readonly name: string;
  readonly permissions?: unknown;
  readonly security?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A library as one file defines it. */
export interface Library {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly skills: readonly Skill[];
  readonly presets: readonly Preset[];
  readonly extra?: Readonly<Record<string, unknown>>;
}
