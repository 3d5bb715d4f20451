import { findAppRoot } from '#engine/app-root.ts';
import { Interrupt } from '../common/interrupt.ts';
import { ExitCode } from './exit-code.ts';
import { runProgram } from './program.ts';

/** Runs the command line on this process: its streams, its signals, its exit code. */
export async function start(words: readonly string[]): Promise<void> {
  // A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(ExitCode.ok);
    throw error;
  });
  using interrupt = new Interrupt();
  process.exitCode = await runProgram(words, {
    stdout: process.stdout,
    stderr: process.stderr,
    machine: { platform: process.platform, environment: process.env },
    workingDirectory: process.cwd(),
    appRoot: findAppRoot(import.meta.url),
    interrupted: interrupt.signal,
  });
}
