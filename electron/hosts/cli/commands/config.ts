import { parse, stringify } from 'yaml';
import { defaultHome } from '#engine/home.ts';
import { editUserConfig } from '#engine/store/edit-user-config.ts';
import { readConfigText } from '#engine/store/user-config.ts';
import { StudioError } from '#shared/errors.ts';
import type { Plain } from '#shared/lens/edit/tree.ts';
import { didYouMean } from '#shared/lens/names.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import { configKeys } from '#shared/model/config.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { inert } from '../terminal.ts';

/** Settings whose value is more than a text. */
const structured =
  /^(?:models\..+\.(?:params(?:\..+)?|command)|telemetry\.(?:skill_execution|include_output))$/;

/** Prints one setting of the user's configuration, or the whole file. */
export async function configGet(
  { terminal, output }: Invocation,
  key: string | undefined,
): Promise<ExitCode> {
  const text = readConfigText(defaultHome(terminal.machine.environment));
  const { source } = openYaml(text, 'config.yaml');
  if (source.isBroken)
    throw new StudioError('config.broken', 'Cannot read "config.yaml": correct its syntax first');
  const path = key === undefined ? [] : configPath(key);
  const node = path.length === 0 ? source.root : (source.find(path) ?? null);
  const value: unknown = node === null ? null : source.plain(node);
  if (output.isJson) output.document(value);
  else if (value === null) output.note(`Not set: ${inert(key ?? 'your config.yaml is empty')}`);
  else for (const line of lines(value)) output.line(inert(line));
  return value === null && key !== undefined ? ExitCode.failed : ExitCode.ok;
}

/** Changes one setting of the user's configuration; comments and order stay. */
export async function configSet(
  { terminal, output }: Invocation,
  key: string,
  written: string | undefined,
): Promise<ExitCode> {
  const path = configPath(key);
  const value = written === undefined ? undefined : valueOf(key, path, written);
  const change = { path, ...(value !== undefined && { value }) };
  await editUserConfig(defaultHome(terminal.machine.environment), [change]);
  if (output.isJson) output.document({ key, value: value ?? null });
  else output.line(inert(value === undefined ? `Removed ${key}` : `Set ${key}`));
  return ExitCode.ok;
}

/** The places of a setting; the name of a model may hold dots, as in "models.gpt-4.1.model". */
function configPath(key: string): string[] {
  const [first = '', ...rest] = key.split('.');
  requireKnown(first, configKeys.config, key);
  if (rest.length === 0) return [first];
  if (first === 'models') return modelPath(rest, key);
  if (first === 'founts') return [first, rest.join('.')];
  const [second = '', ...more] = rest;
  if (first !== 'telemetry' && first !== 'cache') throw unknownKey(key, undefined);
  requireKnown(second, configKeys[first], key);
  if (more.length > 0) throw unknownKey(key, undefined);
  return [first, second];
}

function modelPath(rest: readonly string[], key: string): string[] {
  const params = rest.indexOf('params', 1);
  if (params > 0) return ['models', rest.slice(0, params).join('.'), ...rest.slice(params)];
  const field = rest.at(-1) ?? '';
  if (rest.length === 1 || !configKeys.model.includes(field)) {
    const meant = rest.length === 1 ? undefined : didYouMean(field, configKeys.model);
    if (meant === undefined) return ['models', rest.join('.')];
    throw unknownKey(key, meant);
  }
  return ['models', rest.slice(0, -1).join('.'), field];
}

function requireKnown(name: string, known: readonly string[], key: string): void {
  if (!known.includes(name)) throw unknownKey(key, didYouMean(name, known));
}

function unknownKey(key: string, meant: string | undefined): StudioError {
  const hint =
    meant === undefined ? '"sunwell schema config" describes the settings' : `did you mean "${meant}"?`;
  return new StudioError('config.unknown-key', `Cannot find setting "${key}": ${hint}`, { key });
}

function valueOf(key: string, path: readonly string[], written: string): Plain {
  // Never repeated in the message: what was typed may be the key itself.
  if (path.at(-1) === 'api_key_env' && !/^[A-Za-z_][A-Za-z0-9_]{0,100}$/.test(written))
    throw new StudioError(
      'config.bad-value',
      `Cannot set "${key}": it is the name of an environment variable, never the key itself`,
    );
  const isWhole =
    path.length === 1
      ? ['models', 'founts', 'telemetry', 'cache'].includes(path[0]!)
      : path[0] === 'models' && path.length === 2;
  if (!structured.test(key) && !isWhole) return written;
  try {
    return parse(written, { schema: 'core' }) as Plain;
  } catch {
    throw new StudioError('config.bad-value', `Cannot set "${key}": its value is not YAML or JSON`);
  }
}

function lines(value: unknown): string[] {
  const text = typeof value === 'object' ? stringify(value) : String(value);
  return text.trimEnd().split('\n');
}
