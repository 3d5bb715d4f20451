import { ExitCode } from './exit-code.ts';
import { writeNow } from './write-now.ts';

/**
 * Goes on where a reader that has seen enough, such as `head`, closes the pipe: ending here would leave a run in the middle and
 * say that it went well. Output that finds no room is told once, and a command that did all else well ends as failed.
 */
export function outliveOutput(stream: NodeJS.WriteStream): void {
  stream.once('error', (error: NodeJS.ErrnoException) => {
    // What is written after the first failure fails again, with words about the stream instead of the cause.
    stream.on('error', () => undefined);
    if (error.code === 'EPIPE') return;
    writeNow(2, Buffer.from(`Cannot write to standard output: ${error.message}\n`));
    process.once('exit', (code) => {
      if (code === ExitCode.ok) process.exitCode = ExitCode.failed;
    });
  });
}

/** Goes on where nobody reads how the work goes, or its log is full: the work itself would be lost with it. */
export function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', () => undefined);
}
