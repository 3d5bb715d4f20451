import { z } from 'zod';
import { ConfigFile } from './config.ts';
import { FixturesFile } from './fixtures.ts';
import { LensFile } from './lens-file.ts';
import { LibraryFile } from './library.ts';
import { LockFile } from './lock.ts';

/** The files that have a JSON Schema, by the name `sunwell schema` takes. */
export const fileSchemas = {
  lens: LensFile,
  library: LibraryFile,
  fixtures: FixturesFile,
  config: ConfigFile,
  lock: LockFile,
} as const;

export type SchemaName = keyof typeof fileSchemas;

/** The JSON Schema (draft 7) of a file, for completion and hover in editors. */
export function jsonSchema(name: SchemaName): unknown {
  return z.toJSONSchema(fileSchemas[name], { target: 'draft-7', io: 'input', reused: 'inline' });
}
