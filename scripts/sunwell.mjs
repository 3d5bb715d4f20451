// @ts-check
import { ensureBuild } from './lib/build.mjs';
import { runCli } from './lib/run-cli.mjs';

// The command line from a checkout: `npm run -s sunwell -- <command>`.
try {
  ensureBuild();
  process.exitCode = await runCli(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
