import { Sandbox } from '../../sandbox.ts';

// A studio that is killed while the sandboxes of its scripts are built: `starting-host <folder> <home> <token>`.
const [folder = '', home = '', token = ''] = process.argv.slice(2);
const sandbox = new Sandbox({ folder, home });
const run = (content: string) => {
  const script = { name: 'x.sh', language: 'bash', source: { content }, args: [token] } as const;
  return sandbox.run({ script, input: {} });
};
await sandbox.report();
const { durationMs } = await run(':');
for (let i = 0; i < 8; i++) run('sleep 60').catch((error: Error) => console.error(error.message));
// Eight share the processors.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 4 * durationMs);
