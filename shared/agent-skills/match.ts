import MiniSearch from 'minisearch';

/** What a skill is found by. */
export interface MatchableSkill {
  /** How the skill is called in the answer. */
  readonly skill: string;
  readonly name: string;
  readonly description?: string;
  readonly triggers?: readonly string[];
}

/** A skill that fits a task, how well, and what of the task it was found by. */
export interface SkillMatch {
  readonly skill: string;
  readonly score: number;
  readonly reason: string;
}

const fields = ['name', 'description', 'triggers'] as const;
type Field = (typeof fields)[number];

/** Words that every task and every description has: alone they say nothing. */
const commonWords = new Set(
  (
    'a about all an and any are as at be by can could do does for from get give has have how i if in into is it its let ' +
    'make me my need new of on or our out please should skill so some task that the their them then these this those to up use ' +
    'used user using want was we what when where which will with without would you your'
  ).split(' '),
);

/**
 * Ranks skills for a task by BM25 over name, description and triggers; best first, equal ones by their order.
 * A task that shares no telling word with any skill has no matches.
 */
export function matchSkills(task: string, skills: readonly MatchableSkill[]): SkillMatch[] {
  const search = new MiniSearch<Record<'id', number> & Record<Field, string>>({
    fields: [...fields],
    tokenize: wordsOf,
    processTerm: termOf,
    searchOptions: { boost: { name: 2, triggers: 3 }, combineWith: 'OR' },
  });
  search.addAll(
    skills.map(({ name, description = '', triggers = [] }, id) => ({
      id,
      name,
      description,
      triggers: triggers.join('\n'),
    })),
  );
  const asked = new Map(
    wordsOf(task).flatMap((word): [string, string][] => {
      const term = termOf(word);
      return term === null ? [] : [[term, word.toLowerCase()]];
    }),
  );
  return search
    .search(task)
    .map(({ id, score, match }) => ({ id: id as number, score, match: match as Record<string, Field[]> }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id, score, match }) => {
      const { skill, triggers = [] } = skills[id]!;
      return { skill, score: Math.round(score * 1000) / 1000, reason: reasonOf(match, triggers, asked) };
    });
}

function reasonOf(
  match: Readonly<Record<string, readonly Field[]>>,
  triggers: readonly string[],
  asked: ReadonlyMap<string, string>,
): string {
  const fired = triggers.filter((trigger) => {
    const terms = wordsOf(trigger).flatMap((word) => termOf(word) ?? []);
    return terms.length > 0 && terms.every((term) => asked.has(term));
  });
  const parts = fired.map((trigger) => `trigger "${trigger}"`);
  for (const field of fields) {
    const words = Object.entries(match).flatMap(([term, found]) =>
      found.includes(field) ? [`"${asked.get(term) ?? term}"`] : [],
    );
    const isTold = field === 'triggers' && fired.length > 0;
    if (words.length > 0 && !isTold) parts.push(`${words.join(', ')} in its ${field}`);
  }
  return parts.join('; ');
}

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word as it is compared: in lower case, the same for one and many; null for one that says nothing. */
function termOf(word: string): string | null {
  const lower = word.toLowerCase();
  if (commonWords.has(lower) || /^[a-z]$/.test(lower)) return null;
  if (!/^[a-z]{4,}$/.test(lower)) return lower;
  const one = lower.endsWith('ies') ? `${lower.slice(0, -3)}y` : lower.replace(/(?<=[^isu])s$/, '');
  // "matches" and "caches" leave "matche" and "cache": without the last letter both meet their singular.
  return one.replace(/e$/, '');
}
