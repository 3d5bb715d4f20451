import { parameterNames } from '#engine/fingerprint/fill-variables.ts';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import { InvalidArgumentError } from 'commander';
import type { Invocation } from './invocation.ts';
import { readInputText, readJson } from './read-json.ts';

/** Values for skills: those they have parameters for, and those they require as context, with what none of them asks for. */
export interface GatheredInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Keys that no skill requires or has a parameter for. */
  readonly unused: readonly string[];
}

/** Reads `--input key=value` and `--input-file key=path`; a later one replaces an earlier one of its key. */
export async function gatherInputs(
  invocation: Invocation,
  skills: readonly ResolvedSkill[],
  { input = [], inputFile = [] }: { input?: readonly string[]; inputFile?: readonly string[] },
): Promise<GatheredInputs> {
  const values = new Map<string, unknown>();
  for (const word of input) values.set(...split('--input', word));
  for (const word of inputFile) {
    const [key, file] = split('--input-file', word);
    const isJson = file.toLowerCase().endsWith('.json');
    values.set(key, isJson ? await readJson(invocation, file) : await readInputText(invocation, file));
  }
  const names = new Set(skills.flatMap(({ skill }) => parameterNames(skill.parametersSchema)));
  const required = new Set(skills.flatMap(({ skill }) => (skill.requires ?? []).map(({ key }) => key)));
  const all = [...values];
  return {
    inputs: Object.fromEntries(all.filter(([key]) => required.has(key) || !names.has(key))),
    params: Object.fromEntries(all.filter(([key]) => names.has(key))),
    unused: [...values.keys()].filter((key) => !names.has(key) && !required.has(key)),
  };
}

function split(option: string, word: string): [string, string] {
  const at = word.indexOf('=');
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new InvalidArgumentError(`"${word}" after ${option} has no key: write ${option} key=value`);
}
