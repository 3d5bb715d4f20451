import { Argument } from 'commander';
import type { Command } from 'commander';
import type { Shell } from './commands/completion.ts';
import type { Does } from './does.ts';

/** `completion`, which is told everything that the program describes by then and later. */
export function describeCompletion(program: Command, does: Does): void {
  does(
    program
      .command('completion')
      .description('print a script with which a shell completes these words')
      // Where it is missing, its name is all that is said.
      .addArgument(new Argument('<bash|zsh|fish>', 'the shell').choices(['bash', 'zsh', 'fish'])),
    async (invocation, shell: Shell) =>
      (await import('./commands/completion.ts')).completion(invocation, program, shell),
  );
}
