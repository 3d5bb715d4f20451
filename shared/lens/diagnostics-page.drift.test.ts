import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnosticsPage } from './diagnostics-page.ts';

test('docs/diagnostics.md is what the table says', () => {
  const folder = join(import.meta.dirname, '../../docs');
  const path = join(folder, 'diagnostics.md');
  if (process.env['UPDATE'] === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, diagnosticsPage());
  }
  expect(readFileSync(path, 'utf8'), 'Run UPDATE=1 npm run drift').toBe(diagnosticsPage());
});
