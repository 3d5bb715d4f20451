import { importSource } from '../../../testing/import-source.mjs';

const root = new URL('../../../../', import.meta.url).pathname;
const load = async (/** @type {string} */ file) => {
  const { module, close } = await importSource(`${root}electron/engine/cache/${file}`, { root });
  await close();
  return module;
};
const { ActionCache } = await load('action-cache.ts');
const { sampleEntry } = await load('testing/sample-entry.ts');

const [home, first, last, maxEntries] = process.argv.slice(2);
const wrong = [];
process.send('ready');
await new Promise((go) => process.once('message', go));
const cache = ActionCache.open(home, { maxEntries: Number(maxEntries) });
for (let number = Number(first); number < Number(last); number++) {
  cache.put(sampleEntry(number));
  // Also what the other process may have stored, or dropped, by now.
  const asked = (number * 7) % 400;
  const hit = cache.find(sampleEntry(asked).key);
  if (hit && JSON.stringify(hit.result) !== JSON.stringify(sampleEntry(asked).result)) wrong.push(asked);
  if (hit) cache.noteHit(hit);
  if (number % 20 === 0) cache.flush();
  if (number % 60 === 0) await cache.verify();
}
cache.flush();
process.send({ wrong, warning: cache.takeWarning() ?? null });
cache[Symbol.dispose]();
process.disconnect();
