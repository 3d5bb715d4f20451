import { isatty } from 'node:tty';
import { findAppRoot } from '#engine/store/app-root.ts';
import { StudioError } from '#shared/errors.ts';
import { Interrupt } from '../common/interrupt.ts';
import { outliveOutput, outliveReader } from './closed-pipe.ts';
import { GatheredWrites } from './gathered-writes.ts';
import { runProgram } from './program.ts';
import { standardStream } from './standard-stream.ts';

/** Runs the command line on this process: its streams, its signals, its exit code. */
export async function start(words: readonly string[]): Promise<void> {
  using interrupt = new Interrupt();
  const writes = new GatheredWrites();
  process.once('exit', writes.flush);
  // A process without work ends; that V8 takes its heap down piece by piece before is nobody's gain.
  process.once('beforeExit', () => process.exit());
  const isTyped = isatty(0);
  process.exitCode = await runProgram(words, {
    stdout: writes.sinkOf(standardStream(1, () => process.stdout, outliveOutput)),
    stderr: writes.sinkOf(standardStream(2, () => process.stderr, outliveReader)),
    machine: { platform: process.platform, environment: process.env },
    get workingDirectory() {
      return currentFolder();
    },
    appRoot: findAppRoot(import.meta.url),
    interrupted: interrupt.signal,
    // A pipe must never answer a question, and the question must be seen by whoever answers.
    ...(isTyped &&
      isatty(2) && {
        ask: (question) => ask(question, interrupt.signal),
        typeText: () => typeText(interrupt.signal),
      }),
    ...(!isTyped && { readInput }),
  });
}

/** The system knows no name for a folder that was removed, as by a checkout in another terminal. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    const message = 'Cannot work in this folder: it was removed, change to another one';
    throw new StudioError('workspace.not-found', message);
  }
}

/** A second question gets what is left of the pipe, which is nothing. */
async function readInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return process.stdin.readableEnded ? '' : text(process.stdin);
}

/** One reader for all lines: what is pasted comes in one piece, of which a reader of one line loses the rest. */
async function typeText(signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  signal.addEventListener('abort', () => reader.close(), { once: true });
  const lines: string[] = [];
  let isEnded = false;
  reader.on('line', (line) => {
    // The rest of a piece still comes after the reader is closed.
    isEnded ||= line === '.';
    if (isEnded) reader.close();
    else lines.push(line);
  });
  return new Promise((resolve) => reader.once('close', () => resolve(lines.join('\n'))));
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // While a line is read the terminal hands Ctrl+C and Ctrl+D to us instead of to the process.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal }), closed]);
  } finally {
    lines.close();
  }
}
