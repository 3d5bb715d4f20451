// @ts-check
import path from 'node:path';
import { importSource } from '../electron/testing/import-source.mjs';

// `npm run sandbox:mutation [-- word...]`: takes each part of the sandbox away and shows which attack notices.
const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'electron/engine/sandbox/attacks/mutation.ts');
const { module, close } = await importSource(file, { root });
await module.run(process.argv.slice(2));
await close();
