import { readFile } from 'node:fs/promises';

/** Registries and credentials in npm's own spelling: `registry`, `@scope:registry`, `//host/:_authToken`. */
export type NpmConfig = Readonly<Record<string, string>>;

const wanted =
  /^(?:registry|@[^:/]+:registry|\/\/.+:(?:_authToken|_auth|username|_password|certfile|keyfile))$/;

/** Reads the user's `.npmrc`; only registries and credentials are taken, a file that is not there is empty. */
export async function readNpmConfig(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<NpmConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  return parseNpmConfig(text, env);
}

/** Parses the lines of an `.npmrc`; `${NAME}` is taken from the environment as npm does. */
export function parseNpmConfig(text: string, env: Readonly<Record<string, string | undefined>>): NpmConfig {
  const entries: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^=;#\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (match === null) continue;
    const key = expand(match[1]!, env);
    if (wanted.test(key)) entries.push([key, expand(unquote(match[2]!), env)]);
  }
  return Object.fromEntries(entries);
}

function unquote(value: string): string {
  return /^"(.*)"$/.exec(value)?.[1] ?? /^'(.*)'$/.exec(value)?.[1] ?? value;
}

/** An unset `${NAME}` stays as it is, so that the registry refuses it; an unset `${NAME?}` is empty. */
function expand(value: string, env: Readonly<Record<string, string | undefined>>): string {
  return value.replace(/\$\{([^}?]+)(\?)?\}/g, (whole, name: string, optional: string | undefined) => {
    return env[name] ?? (optional ? '' : whole);
  });
}
