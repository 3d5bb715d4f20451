// Says its mark and stays until it is killed.
import { importSource } from '../../../testing/import-source.mjs';

const root = new URL('../../../../', import.meta.url).pathname;
const { module } = await importSource(`${root}electron/engine/store/process-mark.ts`, { root });
process.stdout.write(`${module.ownMark()}\n`);
