import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';

/** Prints the JSON Schema of one kind of file, as it is shipped. */
export async function schema({ terminal, output }: Invocation, name: string): Promise<ExitCode> {
  const file = join(terminal.appRoot, 'resources', 'schemas', `${name}.schema.json`);
  output.line((await readFile(file, 'utf8')).trimEnd());
  return ExitCode.ok;
}
