/** Calls within calls write, copy and check values, and the system gives them room for little more than this. */
export const maxNesting = 2000;

/** What keeps a value that was read as JSON from being handed on: a number such as 1e400, which JSON may hold and nothing that is made of it can, or its depth. */
export function unfitnessOf(root: unknown): 'endless' | 'too-deep' | undefined {
  // Level by level, with a list of what is left: calls within calls would end at the depth they are to find.
  let level = [root];
  let isTooDeep = false;
  for (let depth = 0; level.length > 0; depth++) {
    const inner: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) return 'endless';
      if (typeof value !== 'object' || value === null) continue;
      isTooDeep ||= depth === maxNesting;
      for (const member of Object.values(value)) inner.push(member);
    }
    level = inner;
  }
  return isTooDeep ? 'too-deep' : undefined;
}
