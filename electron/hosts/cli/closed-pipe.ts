import { ExitCode } from './exit-code.ts';

/** Ends the process without a failure when a reader that has seen enough, such as `head`, closes the pipe. */
export function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(ExitCode.ok);
    throw error;
  });
}
