import { isPlainMap } from '#shared/plain-map.ts';
import { withInexactAsInfinite } from '../store/exact-numbers.ts';
import { unfitnessOf } from '../store/fit-value.ts';
import type { ScriptOutcome } from './run-script.ts';

/** What a script delivered by the script protocol. */
export interface Delivered {
  /** A value for every key the skill produces. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly content: string;
  /** Paths of the workspace that the script proposes to delete. */
  readonly deleted: readonly string[];
}

/** Delivered, or why not. */
export type Delivery =
  | { readonly delivered: Delivered }
  | {
      readonly problem:
        'output-not-an-object' | 'missing-keys' | 'bad-deletions' | NonNullable<ReturnType<typeof unfitOf>>;
      readonly missing: readonly string[];
    };

const maxDeletions = { count: 2000, characters: 4096 };

/**
 * Reads the produced context: $SUNWELL_OUTPUT if it was written, else standard output if it is an object with every
 * produced key, else the whole of it as the one produced key.
 */
export function readDelivery(
  produces: readonly string[],
  { stdout, output }: Pick<ScriptOutcome, 'stdout' | 'output'>,
): Delivery {
  const written = output === undefined ? undefined : parseObject(output);
  if (output !== undefined && !written) return { problem: 'output-not-an-object', missing: [] };
  const printed = written ? undefined : parseObject(stdout);
  const isWhole = printed && produces.every((key) => Object.hasOwn(printed, key));
  const only = produces.length === 1 ? { [produces[0]!]: stdout } : {};
  const values = written ?? (isWhole ? printed : only);
  const missing = produces.filter((key) => !Object.hasOwn(values, key));
  if (missing.length > 0) return { problem: 'missing-keys', missing };
  const unfit = unfitOf(produces, values, output ?? stdout);
  if (unfit) return { problem: unfit, missing: [] };
  const source = written ?? (isWhole ? printed : {});
  const deleted = Object.hasOwn(source, 'deleted') ? source['deleted'] : [];
  if (!areDeletions(deleted)) return { problem: 'bad-deletions', missing: [] };
  const content = Object.hasOwn(source, 'content') ? source['content'] : stdout;
  return {
    delivered: {
      outputs: Object.fromEntries(produces.map((key) => [key, values[key]])),
      content: typeof content === 'string' ? content : JSON.stringify(content),
      deleted,
    },
  };
}

/** What keeps produced values of a JSON text from being handed on as they are. What else is in the text may be anything. */
function unfitOf(
  produces: readonly string[],
  values: Readonly<Record<string, unknown>>,
  text: string,
): 'endless-number' | 'inexact-number' | 'nested-too-deeply' | undefined {
  const found = produces.map((key) => unfitnessOf(values[key]));
  if (found.includes('endless')) return 'endless-number';
  if (found.includes('too-deep')) return 'nested-too-deeply';
  const marked = withInexactAsInfinite(text);
  const document = marked === undefined ? undefined : parseObject(marked);
  const isInexact = (key: string) => typeof values[key] !== 'string' && unfitnessOf(document?.[key]);
  return produces.some(isInexact) ? 'inexact-number' : undefined;
}

function areDeletions(value: unknown): value is string[] {
  const isPath = (item: unknown) => typeof item === 'string' && item.length <= maxDeletions.characters;
  return Array.isArray(value) && value.length <= maxDeletions.count && value.every(isPath);
}

/** The JSON object that a text is. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  // Most scripts print plain text, and to say by an error that it is no JSON takes longer than all else that is done with it.
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainMap(value) ? value : undefined;
  } catch {
    return undefined; // Plain text: the caller takes it as such.
  }
}
