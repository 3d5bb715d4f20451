import { readdirSync } from 'node:fs';
import { importSource } from '../electron/testing/import-source.mjs';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));

if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0)
    console.error(`Cannot find benchmark ${unknown.map((name) => `"${name}"`).join(', ')}`);
  console.log(`Usage: npm run bench -- <name>...\nBenchmarks: ${names.join(', ')}`);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  for (const name of wanted) {
    const { module, close } = await importSource(`${import.meta.dirname}/${name}.ts`, {
      root: `${import.meta.dirname}/..`,
      // Kept resolutions belong to a build, and every benchmark is one.
      define: { __BUILD__: JSON.stringify(`bench-${process.pid}`) },
    });
    await module.run();
    await close();
  }
}
