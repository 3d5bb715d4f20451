import { StudioError } from '#shared/errors.ts';
import type { MergedLens } from '../resolve/merge.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { validatorsOf } from './judges.ts';
import { refuseGaps } from './lens-gaps.ts';

/** The same skills, with their results judged by another lens in place of their own; refuses what `judgingLens` does. */
export function judgedBy(resolution: Resolution, judge: Resolution): Resolution {
  return { ...resolution, judgedBy: judgingLens(judge) };
}

/** The lens of a resolution as one that judges what others made; refuses one that has nobody to judge, or may lack somebody. */
export function judgingLens({ lens, source: { file } }: Resolution): MergedLens {
  if (lens) refuseGaps(lens, 'judge');
  if (!lens || validatorsOf(lens).length === 0) {
    throw new StudioError('lens.judges-nothing', `Cannot judge by "${file}": it has no validators`, { file });
  }
  return lens;
}
