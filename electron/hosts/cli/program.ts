import { requireHome } from '#engine/require-home.ts';
import { Command, InvalidArgumentError } from 'commander';
import { describeCommands } from './describe-commands.ts';
import { describeCompletion } from './describe-completion.ts';
import { describePlan } from './describe-plan.ts';
import { describeApply } from './describe-runs.ts';
import { ExitCode } from './exit-code.ts';
import { failureOf } from './failure.ts';
import type { StudioWords } from './commands/studio.ts';
import type { Invocation } from './invocation.ts';
import { Output } from './terminal.ts';
import type { Terminal } from './terminal.ts';

declare const __VERSION__: string;

interface GlobalOptions {
  readonly json?: true;
  readonly color: boolean;
  readonly frozen?: true;
  readonly workspace?: string;
}

/** Runs one command line to its end; never throws and never exits the process. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = ExitCode.ok;
  const program = describeProgram(words, terminal, (code) => (exitCode = code));
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    const failure = await failureOf(thrown, terminal);
    if (!failure) return ExitCode.ok;
    const output = new Output(terminal, { isJson: words.includes('--json'), mayColor: false });
    output.note(failure.error.message);
    if (output.isJson) output.document({ error: failure.error });
    return failure.exitCode;
  }
}

/** Every command with its words. What a command does is loaded only when it is called: starting up must stay quick. */
function describeProgram(
  words: readonly string[],
  terminal: Terminal,
  finish: (code: ExitCode) => void,
): Command {
  const program = new Command('sunwell')
    .description('Lists, checks and runs lenses and their skills, and opens Sunwell Studio')
    .version(__VERSION__, '-V, --version', 'print the version')
    .option(
      '--workspace <dir>',
      'folder of lenses (default: the nearest with .sunwell, sunwell.lock or .git)',
    )
    .option('--json', 'print one JSON document')
    .option('--no-color', 'print without colours')
    .option('--frozen', 'refuse to change sunwell.lock')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: () => undefined,
    });

  /** Registers what to do with the words of a command, and hands its exit code on. */
  const does = <Words extends unknown[]>(
    command: Command,
    run: (invocation: Invocation, ...words: Words) => Promise<ExitCode>,
  ): Command =>
    command.action(async (...words: unknown[]) => {
      const { json, color, workspace, frozen = false } = command.optsWithGlobals<GlobalOptions>();
      const output = new Output(terminal, { isJson: json === true, mayColor: color });
      requireHome(terminal.machine.environment);
      // Commander ends the words with the command itself.
      finish(await run({ terminal, output, workspace, frozen }, ...(words.slice(0, -1) as Words)));
    });

  if (words[0] === 'apply') {
    // Nothing else can be meant, and to describe all commands takes longer than to find out what this one is asked.
    describeApply(program, does);
    return program;
  }
  does(
    program
      .command('studio')
      .description('open the studio: in a window, or in a browser where there is none')
      .argument('[dir]', 'folder to open')
      .option('--sample', 'open the sample workspace when no folder is named')
      .option('--web', 'serve it to a browser on this machine')
      .option('--port <number>', 'serve on this port instead of a free one', parsePort)
      .option('--host <address>', 'serve on this address instead of 127.0.0.1')
      .option('--i-know-this-is-exposed', 'allow an address that other machines can reach')
      .option('--no-open', 'only print the address, do not open a browser'),
    async (invocation, directory: string | undefined, options: StudioWords) =>
      (await import('./commands/studio.ts')).studio(invocation, { directory, ...options }),
  );

  const lens = program.command('lens').description('what is in the lenses of a workspace');
  does(lens.command('list').description('list the lenses of the workspace'), async (invocation) =>
    (await import('./commands/lens-list.ts')).lensList(invocation),
  );
  describeCommands(program, lens, does);
  describePlan(lens, does);
  describeCompletion(program, does);
  return program;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535');
}
