import { StudioError } from '#shared/errors.ts';
import { parseLibraryReference, type LibraryReference } from '#shared/lens/reference.ts';

/** A fount as a lens names it: `fount://package@range` or `agentskills://package@range`. */
export type FountReference = Extract<LibraryReference, { kind: 'fount' | 'agentskills' }>;

/** The reference as it is written in a lens and in the lock. */
export function requestOf(reference: FountReference): string {
  return `${reference.kind}://${reference.package}@${reference.range}`;
}

/** Reads `fount://pkg@range`, `agentskills://pkg@range` or, as on a command line, `pkg@range` and `pkg`. */
export function parseFount(text: string): FountReference {
  const [, scheme = 'fount', rest = ''] = /^(?:(fount|agentskills):\/\/)?(.*)$/s.exec(text)!;
  const hasRange = rest.lastIndexOf('@') > 0;
  const parsed = parseLibraryReference(`${scheme}://${rest}${hasRange ? '' : '@latest'}`);
  if (!parsed.ok) throw badReference(text, parsed.problem);
  if (parsed.value.kind !== 'fount' && parsed.value.kind !== 'agentskills') {
    throw badReference(text, 'write "fount://package@range"');
  }
  return parsed.value;
}

export function badReference(text: string, problem: string): StudioError {
  return new StudioError('fount.bad-reference', `Cannot read the fount "${text}": ${problem}`, { text });
}
