// Lays one graph out with one contender and prints how long it took: `layout-once.mjs <contender> <skills>`.
// In a process of its own, because none of the others can be stopped from inside.
import { importSource } from '../../electron/testing/import-source.mjs';

const [name, count] = process.argv.slice(2);
const { module, close } = await importSource(`${import.meta.dirname}/layout-peers.ts`, {
  root: `${import.meta.dirname}/../..`,
});
process.stdout.write(`${JSON.stringify(await module.timesOf(name, Number(count)))}\n`);
await close();
