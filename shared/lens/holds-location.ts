import type { Location } from '../model/diagnostic.ts';

/** Says whether a place lies within another one of the same file. */
export function holdsLocation(outer: Location, inner: Location): boolean {
  const isAfterStart = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const isBeforeEnd =
    inner.line < outer.endLine || (inner.line === outer.endLine && inner.column <= outer.endColumn);
  return isAfterStart && isBeforeEnd;
}
