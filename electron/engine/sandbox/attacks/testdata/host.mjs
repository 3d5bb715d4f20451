// A studio that runs one long script: `host.mjs <token> [worker]`. Killed by the test, or run in a worker thread.
import path from 'node:path';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
import { importSource } from '../../../../testing/import-source.mjs';

const [token, mode] = isMainThread ? process.argv.slice(2) : [workerData];
const file = path.join(import.meta.dirname, '../../sandbox.ts');
const root = path.join(import.meta.dirname, '../../../../..');

if (isMainThread && mode === 'worker') {
  new Worker(new URL(import.meta.url), { workerData: token });
} else {
  const { module } = await importSource(file, { root });
  const sandbox = new module.Sandbox();
  const content = 'echo started; (setsid sleep 60 &); sleep 60';
  const running = sandbox.run({
    script: { name: 'long.sh', language: 'bash', source: { content }, args: [token] },
    input: {},
    onOutput: () => console.log('running'),
  });
  await running.catch((error) => console.log(error.message));
}
