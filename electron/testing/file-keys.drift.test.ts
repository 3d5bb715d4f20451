import { test } from 'vitest';
import { lensParts } from '#shared/model/lens-file.ts';
import { LibraryFile, PresetEntry } from '#shared/model/library.ts';
import { ResourceEntry, ScriptEntry, SkillEntry, TemplateEntry } from '#shared/model/skill-entry.ts';
import { expectGenerated } from './drift.ts';

const keysOf = ({ shape }: { readonly shape: object }) => JSON.stringify(Object.keys(shape));
const listOf = (name: string, schema: { readonly shape: object }) =>
  `export const ${name}: readonly string[] = ${keysOf(schema)};`;

test('shared/model/file-keys.ts has the keys of the schemas', async () => {
  const parts = Object.entries(lensParts).map(([part, schema]) => `${part}: ${keysOf(schema)},`);
  const text = `
    // Made from the schemas by "UPDATE=1 npm run drift". Whoever reads a file asks only for its keys, and to build the schemas
    // takes longer than to read most files.

    /** The keys that each part of a lens may have; others are reported and kept. */
    export const lensKeys = {${parts.join('')}} satisfies Readonly<Record<string, readonly string[]>>;

    ${listOf('skillKeys', SkillEntry)}
    ${listOf('scriptKeys', ScriptEntry)}
    ${listOf('templateKeys', TemplateEntry)}
    ${listOf('resourceKeys', ResourceEntry)}
    ${listOf('libraryKeys', LibraryFile)}
    ${listOf('presetKeys', PresetEntry)}
  `;
  await expectGenerated('shared/model/file-keys.ts', text);
});
