import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './lib/compare.ts';

const cli = join(process.cwd(), 'dist/cli.cjs');

/** How long the command line takes to say its version, against Node doing nothing. */
export async function run(): Promise<void> {
  if (!existsSync(cli)) throw new Error('Cannot measure the command line: run "npm run build" first');
  const [node, version] = await compare({
    title: 'sunwell --version',
    limit: 'node -e 0',
    prepare: () => undefined,
    repetitions: 31,
    contenders: [
      { name: 'node -e 0', work: () => spawnSync(process.execPath, ['-e', '0']) },
      { name: 'sunwell --version', work: () => spawnSync(process.execPath, [cli, '--version']) },
      { name: 'sunwell --help', work: () => spawnSync(process.execPath, [cli, '--help']) },
    ],
  });
  if (!node || !version) throw new Error('Cannot compare: a contender is missing');
  const budgetMs = 1.5 * node.medianMs + 60;
  console.log(`Budget: 1.5 × ${node.medianMs.toFixed(1)} + 60 = ${budgetMs.toFixed(1)} ms`);
  console.log(
    `Took: ${version.medianMs.toFixed(1)} ms, ${version.medianMs <= budgetMs ? 'within' : 'over'} the budget`,
  );
}
