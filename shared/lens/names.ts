/** The form under which personas, validators and heuristics are looked up: case does not matter. */
export function lookupName(name: string): string {
  return name.trim().toLowerCase();
}

/** The form under which skills are looked up: case does not matter, and "_" equals "-". */
export function lookupSkillName(name: string): string {
  return lookupName(name).replaceAll('_', '-');
}

const skillNamePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Says whether a name follows the rule for skill names. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && skillNamePattern.test(name);
}

/** The nearest allowed skill name, or undefined where nothing usable is left. */
export function toSkillName(name: string): string | undefined {
  const words = name
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words.join('-').replace(/^[0-9-]+/, '');
  const candidate = joined.slice(0, 64).replace(/-+$/, '');
  return isSkillName(candidate) ? candidate : undefined;
}

const longestCompared = 64;

/** Edits (insert, delete, replace, swap neighbours) that turn one word into the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}

/** The candidate a person most likely meant, or undefined where none is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestCompared) return undefined;
  const wanted = lookupSkillName(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(wanted, lookupSkillName(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A name that is not taken yet: the wish itself, or with a number behind it. */
export function freeName(wish: string, taken: ReadonlySet<string | undefined>): string {
  if (!taken.has(wish)) return wish;
  for (let n = 2; ; n++) if (!taken.has(`${wish}-${n}`)) return `${wish}-${n}`;
}
