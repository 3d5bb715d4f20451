import { Sandbox } from '../../sandbox/sandbox.ts';

/** Whether tests can run scripts on this machine; says why not, for then they are skipped. */
export async function canRunScripts(): Promise<boolean> {
  using sandbox = new Sandbox();
  const { available, problem } = await sandbox.report();
  if (!available) console.warn(`Tests that run scripts are skipped: ${problem}`);
  return available;
}
