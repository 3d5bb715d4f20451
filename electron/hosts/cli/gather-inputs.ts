import { givenValues } from '#engine/plan/given-values.ts';
import type { GivenValues } from '#engine/plan/given-values.ts';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import { InvalidArgumentError } from 'commander';
import type { Invocation } from './invocation.ts';
import { readInputText, readJson } from './read-json.ts';

/** Reads `--input key=value` and `--input-file key=path`; a later one replaces an earlier one of its key. */
export async function gatherInputs(
  invocation: Invocation,
  skills: readonly ResolvedSkill[],
  { input = [], inputFile = [] }: { input?: readonly string[]; inputFile?: readonly string[] },
): Promise<GivenValues> {
  const values = new Map<string, unknown>();
  for (const word of input) values.set(...split('--input', word));
  for (const word of inputFile) {
    const [key, file] = split('--input-file', word);
    const isJson = file.toLowerCase().endsWith('.json');
    values.set(key, isJson ? await readJson(invocation, file) : await readInputText(invocation, file));
  }
  return givenValues(skills, values);
}

function split(option: string, word: string): [string, string] {
  const at = word.indexOf('=');
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new InvalidArgumentError(`"${word}" after ${option} has no key: write ${option} key=value`);
}
