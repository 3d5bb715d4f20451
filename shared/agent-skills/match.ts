import MiniSearch from 'minisearch';
import { signsOf } from './match-signs.ts';
import type { MatchableSkill, Sign } from './match-signs.ts';

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

/** What a sure sign adds to the score of the words, which stays below one such step. */
const steps: Readonly<Record<Sign['kind'] | 'trigger', number>> = {
  name: 400,
  shortcut: 300,
  trigger: 200,
  file: 100,
};
const step = 100;

/**
 * Ranks skills for a task: those it names, then by shortcut, by trigger, by the files it mentions, then by BM25 over
 * name, description and triggers; best first, equal ones by their order. A task that shares no telling word with any
 * skill has no matches.
 */
export function matchSkills(task: string, skills: readonly MatchableSkill[]): SkillMatch[] {
  const asked = new Map(
    wordsOf(task).flatMap((word): [string, string][] => {
      const term = termOf(word);
      return term === null ? [] : [[term, word.toLowerCase()]];
    }),
  );
  const found = searchWords(task, skills);
  return skills
    .map((matched, id) => {
      const signs = signsOf(task, matched);
      const fired = (matched.triggers ?? []).filter((trigger) => isFired(trigger, asked));
      const { score = 0, match = {} } = found.get(id) ?? {};
      const kinds = [...signs.map(({ kind }) => kind), ...(fired.length > 0 ? (['trigger'] as const) : [])];
      const sure = Math.max(0, ...kinds.map((kind) => steps[kind]));
      const words = Math.min(step - 0.001, Math.round(score * 1000) / 1000);
      const reasons = [...signs.map(({ reason }) => reason), ...reasonsOf(match, fired, asked)];
      return {
        skill: matched.skill,
        score: Math.round((sure + words) * 1000) / 1000,
        reason: reasons.join('; '),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** The match that clearly fits best: by a surer sign than the next one, or by far more words; undefined where it would be a guess. */
export function clearMatch([best, second]: readonly SkillMatch[]): SkillMatch | undefined {
  if (!best || !second) return best;
  const sure = best.score - (best.score % step);
  if (second.score < sure) return best;
  // Who writes two names or two shortcuts means both: the words around them do not choose.
  if (sure >= steps.shortcut) return undefined;
  const words = best.score - sure;
  return words > 0 && words >= 1.5 * (second.score - sure) ? best : undefined;
}

interface FoundWords {
  readonly score: number;
  /** Where each word was found. */
  readonly match: Readonly<Record<string, readonly Field[]>>;
}

function searchWords(task: string, skills: readonly MatchableSkill[]): Map<number, FoundWords> {
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
  return new Map(
    search
      .search(task)
      .map(({ id, score, match }) => [id as number, { score, match: match as Record<string, Field[]> }]),
  );
}

function isFired(trigger: string, asked: ReadonlyMap<string, string>): boolean {
  const terms = wordsOf(trigger).flatMap((word) => termOf(word) ?? []);
  return terms.length > 0 && terms.every((term) => asked.has(term));
}

function reasonsOf(
  match: FoundWords['match'],
  fired: readonly string[],
  asked: ReadonlyMap<string, string>,
): string[] {
  const parts = fired.map((trigger) => `trigger "${trigger}"`);
  for (const field of fields) {
    const words = Object.entries(match).flatMap(([term, found]) =>
      found.includes(field) ? [`"${asked.get(term) ?? term}"`] : [],
    );
    const isTold = field === 'triggers' && fired.length > 0;
    if (words.length > 0 && !isTold) parts.push(`${words.join(', ')} in its ${field}`);
  }
  return parts;
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
