import { StudioError } from '#shared/errors.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import { countText } from '#shared/quantities.ts';
import type { MergedLens } from '../resolve/merge.ts';

/** Why a lens may have lost judges: its first such error with its place, and how many more there are; undefined for none. */
export function gapsText({ gaps }: MergedLens): string | undefined {
  const [first, ...others] = gaps;
  if (!first) return undefined;
  const more = others.length > 0 ? `, and ${countText(others.length, 'more error')}` : '';
  return `${first.message} (${first.location.file}:${first.location.line})${more}`;
}

/** Refuses a lens that may have lost judges: what they would refuse could pass. */
export function refuseGaps(lens: MergedLens, what: 'judge' | 'run'): void {
  const text = gapsText(lens);
  if (text === undefined) return;
  const { file } = lens.source;
  throw new StudioError(
    'lens.lacks-judges',
    `Cannot ${what} by "${file}", which may lack judges: ${text}; correct that first`,
    { file },
  );
}

/** Says whether an error is one of those by which a lens may have lost judges, which are told of the lens. */
export function isGap({ gaps }: MergedLens, { code, location }: Diagnostic): boolean {
  return gaps.some(
    ({ code: known, location: { file, line, column } }) =>
      known === code && file === location.file && line === location.line && column === location.column,
  );
}
