import { ExitCode } from './exit-code.ts';
import { writeNow } from './write-now.ts';

/** Ends the process without a failure when a reader that has seen enough, such as `head`, closes the pipe. */
export function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(ExitCode.ok);
    writeNow(2, Buffer.from(`Cannot write to standard output: ${error.message}\n`));
    process.exit(ExitCode.failed);
  });
}

/** Goes on where nobody reads how the work goes, or its log is full: the work itself would be lost with it. */
export function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', () => undefined);
}
