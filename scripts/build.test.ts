import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stampOf } from './lib/build.mjs';

test('stampOf() changes with the name, time and size of a source, and not with a test', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunwell-build-'));
  const file = path.join(folder, 'shared', 'model', 'skill.ts');
  mkdirSync(path.dirname(file), { recursive: true });
  const stampAfter = (change: () => void) => {
    change();
    return stampOf(folder);
  };
  try {
    const stamps = [
      stampAfter(() => {
        writeFileSync(file, 'one');
        utimesSync(file, 1, 1);
      }),
      stampAfter(() => writeFileSync(path.join(folder, 'shared', 'skill.test.ts'), '')),
      stampAfter(() => utimesSync(file, 2, 2)),
      stampAfter(() => {
        writeFileSync(file, 'longer');
        utimesSync(file, 2, 2);
      }),
      stampAfter(() => writeFileSync(path.join(folder, 'vite.config.ts'), '')),
    ];
    const [first, afterTest, ...changed] = stamps;
    expect(afterTest).toBe(first);
    expect(new Set([first, ...changed]).size).toBe(4);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
