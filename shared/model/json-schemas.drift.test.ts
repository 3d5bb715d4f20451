import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSchemas, jsonSchema } from './json-schemas.ts';
import type { SchemaName } from './json-schemas.ts';

const folder = join(import.meta.dirname, '../../resources/schemas');

test.each(Object.keys(fileSchemas) as SchemaName[])(
  'resources/schemas/%s.schema.json is what the model says',
  (name) => {
    const path = join(folder, `${name}.schema.json`);
    const text = `${JSON.stringify(jsonSchema(name), null, 2)}\n`;
    if (process.env['UPDATE'] === '1') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
    }
    expect(readFileSync(path, 'utf8'), 'Run UPDATE=1 npm run drift').toBe(text);
  },
);
