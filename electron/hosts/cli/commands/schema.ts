import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';

const ending = '.schema.json';

/** Prints the JSON Schema of one kind of file, as it is shipped. */
export async function schema({ terminal, output }: Invocation, name: string): Promise<ExitCode> {
  const folder = join(terminal.appRoot, 'resources', 'schemas');
  const names = (await readdir(folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
  if (!names.includes(name)) {
    throw new InvalidArgumentError(`there is no schema "${name}", choose one of ${names.join(', ')}`);
  }
  output.line((await readFile(join(folder, name + ending), 'utf8')).trimEnd());
  return ExitCode.ok;
}
