import { Sandbox } from '../../sandbox/sandbox.ts';
import { openRuns } from './open-runs.ts';

/** Runs a lens in a process of its own, which a test kills at any moment; prints every event as a line. */
const parts = JSON.parse(process.argv[2]!) as {
  root: string;
  home: string;
  resources: string;
  lens: string;
  folder: string;
};
using sandbox = new Sandbox({ folder: parts.folder });
const { runs, close } = openRuns({ ...parts, sandbox });
const run = await runs.start(
  parts.lens,
  {},
  {
    onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
  },
);
const record = await run.done;
await close();
process.stdout.write(`${JSON.stringify({ status: record.status, warnings: record.warnings })}\n`);
