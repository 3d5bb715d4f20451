// Says the installation's key of every home it is told.
import { importSource } from '../../../testing/import-source.mjs';

const root = new URL('../../../../', import.meta.url).pathname;
const { module, close } = await importSource(`${root}electron/engine/store/install-key.ts`, { root });
await close();

process.on('message', (/** @type {string} */ home) => process.send(module.installKey(home).toString('hex')));
process.send('ready');
