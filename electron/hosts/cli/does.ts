import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { Invocation } from './invocation.ts';

/** Registers what to do with the words of a command. */
export type Does = <Words extends unknown[]>(
  command: Command,
  run: (invocation: Invocation, ...words: Words) => Promise<ExitCode>,
) => Command;
