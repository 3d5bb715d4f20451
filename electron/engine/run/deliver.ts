import { parseObject, readDelivery, type Delivered } from '../sandbox/protocol.ts';
import type { ScriptOutcome } from '../sandbox/run-script.ts';
import { maxNesting } from '../store/fit-value.ts';
import type { StepError } from './step-result.ts';

/** What one script of several delivered, or the words that say why it does not count. */
export type ScriptDelivery =
  Delivered | { readonly problem: string; readonly details?: Pick<StepError, 'missingKeys'> };

/** Reads one script's delivery: an early script may deliver some of the keys, after the last one all must be there. */
export function deliver(options: {
  readonly produces: readonly string[];
  readonly earlier: Readonly<Record<string, unknown>>;
  readonly outcome: Pick<ScriptOutcome, 'stdout' | 'output' | 'isStdoutTruncated'>;
  readonly isLast: boolean;
}): ScriptDelivery {
  const { produces, earlier, outcome, isLast } = options;
  const { stdout, output, isStdoutTruncated } = outcome;
  if (output === undefined && isStdoutTruncated) {
    return { problem: 'printed more than is kept: write the result to the file $SUNWELL_OUTPUT' };
  }
  const document = parseObject(output ?? stdout) ?? {}; // Plain text offers no keys.
  const offered = produces.filter((key) => Object.hasOwn(document, key));
  const missing = isLast ? produces.filter((key) => !Object.hasOwn(earlier, key)) : [];
  const wanted = produces.filter((key) => offered.includes(key) || missing.includes(key));
  const delivery = readDelivery(wanted, outcome);
  if ('delivered' in delivery) return delivery.delivered;
  switch (delivery.problem) {
    case 'output-not-an-object':
      return { problem: 'wrote something other than a JSON object to $SUNWELL_OUTPUT' };
    case 'endless-number':
      return { problem: 'delivered a number that is too large to be one: write it as a text' };
    case 'inexact-number':
      return { problem: 'delivered a whole number that is too large to be exact: write it as a text' };
    case 'nested-too-deeply': {
      const depth = maxNesting.toLocaleString('en');
      return { problem: `delivered a value nested more than ${depth} levels deep: write it as a text` };
    }
    case 'bad-deletions':
      return { problem: 'has a "deleted" in its output that is not a list of paths' };
    case 'missing-keys': {
      const missingKeys = missing.filter((key) => !offered.includes(key));
      const listed = missingKeys.map((key) => `"${key}"`).join(', ');
      return { problem: `did not deliver ${listed}, which the skill produces`, details: { missingKeys } };
    }
  }
}
