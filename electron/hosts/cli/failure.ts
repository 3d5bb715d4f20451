import { join } from 'node:path';
import { CommanderError } from 'commander';
import { StudioError } from '#shared/errors.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import { inert } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** How a command ended that did not end well. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly error: { readonly code: string; readonly message: string; readonly details: object };
}

/** Turns whatever a command threw into one line and an exit code; undefined when it was only help that was asked for. */
export async function failureOf(thrown: unknown, terminal: Terminal): Promise<Failure | undefined> {
  if (thrown instanceof CommanderError) return usageFailure(thrown);
  if (thrown instanceof StudioError) {
    const { code, message, details } = thrown;
    return { exitCode: exitCodeOf(code), error: { code, message: inert(message), details } };
  }
  if (terminal.interrupted.aborted)
    return { exitCode: ExitCode.cancelled, error: { code: 'cancelled', message: 'Cancelled', details: {} } };
  // Loaded only for a bug: help and usage errors must not wait for the engine.
  const { defaultHome } = await import('#engine/home.ts');
  const { Log } = await import('#engine/store/log.ts');
  const log = new Log(join(defaultHome(terminal.machine.environment), 'logs'));
  const reference = log.report(thrown);
  const message = `Something went wrong inside the studio: see "${reference}" in "${log.file}"`;
  return { exitCode: ExitCode.failed, error: { code: 'internal', message, details: { reference } } };
}

function usageFailure(thrown: CommanderError): Failure | undefined {
  if (thrown.exitCode === 0) return undefined;
  // Commander shows the help of a command that needs another word, and throws its name instead of a message.
  const isHelp = thrown.code === 'commander.help';
  const said = thrown.message
    .replace(/^error: /, '')
    .replace(/^command-argument value/, 'value')
    .replace(/\.$/, '')
    .replace(/\n/g, ' ')
    .replaceAll("'", '"');
  const text = isHelp ? 'a command is missing' : inert(said);
  const message = `Cannot read the command line: ${text}, see "sunwell --help"`;
  return { exitCode: ExitCode.usage, error: { code: 'usage', message, details: {} } };
}
