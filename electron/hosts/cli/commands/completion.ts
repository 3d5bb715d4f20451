import type { Command } from 'commander';
import { commandWords } from '../completion/command-words.ts';
import { toBash } from '../completion/to-bash.ts';
import { toFish } from '../completion/to-fish.ts';
import { toZsh } from '../completion/to-zsh.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';

const scripts = { bash: toBash, zsh: toZsh, fish: toFish } as const;

export type Shell = keyof typeof scripts;

/** Prints the script with which a shell completes all that the program describes. */
export async function completion({ output }: Invocation, program: Command, shell: Shell): Promise<ExitCode> {
  const script = scripts[shell](commandWords(program));
  if (output.isJson) output.document({ shell, script });
  else output.line(script.trimEnd());
  return Promise.resolve(ExitCode.ok);
}
