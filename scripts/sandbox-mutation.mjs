// @ts-check
import path from 'node:path';
import { runnerImport } from 'vite';

// `npm run sandbox:mutation [-- word...]`: takes each part of the sandbox away and shows which attack notices.
const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'electron/engine/sandbox/attacks/mutation.ts');
const { module } = await runnerImport(file, { configFile: false, root, logLevel: 'error' });
await /** @type {{ run: (words: string[]) => Promise<void> }} */ (module).run(process.argv.slice(2));
