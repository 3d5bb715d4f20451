// Takes a lock and dies in it, over and over until the given time; says how often, and how often the lock was not its alone.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { importSource } from '../../../testing/import-source.mjs';

const root = new URL('../../../../', import.meta.url).pathname;
const { module, close } = await importSource(`${root}electron/engine/store/try-lock.ts`, { root });
await close();

// A slow disk, so that processes meet between any two of their steps however busy the machine is.
const pause = new Int32Array(new SharedArrayBuffer(4));
const { existsSync, readFileSync, rmSync, writeFileSync } = fs;
for (const name of /** @type {const} */ (['linkSync', 'readFileSync', 'renameSync', 'rmSync'])) {
  const quick = /** @type {(...all: unknown[]) => unknown} */ (fs[name]);
  Object.assign(fs, {
    [name]: (/** @type {unknown[]} */ ...all) => {
      Atomics.wait(pause, 0, 0, Math.random());
      return quick(...all);
    },
  });
}
syncBuiltinESMExports();

process.on('message', (/** @type {{ path: string, inside: string, dead: string, until: number }} */ work) => {
  const { path, inside, dead, until } = work;
  const said = { taken: 0, lost: 0 };
  while (Date.now() < until) {
    if (!module.tryLock(path)) continue;
    said.taken++;
    if (!isAlone(path, inside)) said.lost++;
    // As a process leaves it that is killed: the lock is there, and names nobody who lives.
    if (existsSync(path)) writeFileSync(path, dead, { flag: 'r+' });
  }
  process.send(said);
});

function isAlone(/** @type {string} */ path, /** @type {string} */ inside) {
  try {
    writeFileSync(inside, '', { flag: 'wx' });
    for (let i = 0; i < 5; i++)
      if (!fs.readFileSync(path, 'utf8').startsWith(`${process.pid}-`)) return false;
    return true;
  } catch {
    return false; // Another one is in it, or took the lock away.
  } finally {
    rmSync(inside, { force: true });
  }
}
process.send('ready');
