import { StudioError } from '../errors.ts';
import { didYouMean } from '../lens/names.ts';
import { compareText } from './compare-text.ts';
import { labels } from './labels.ts';
import type { SkillGraph } from './skill-graph.ts';

/** The skills these names or qualified ids mean; all that mean none, or several, are refused at once. */
export function findSkills(graph: SkillGraph, names: readonly string[]): number[] {
  const byText = new Map<string, number[]>();
  graph.names.forEach((name, i) => {
    const found = byText.get(name);
    if (found) found.push(i);
    else byText.set(name, [i]);
  });
  const unknown: string[] = [];
  const ambiguous: string[] = [];
  const found = new Set<number>();
  for (const name of names) {
    const byId = graph.indexOf.get(name);
    const matches = byId === undefined ? (byText.get(name) ?? []) : [byId];
    if (matches.length === 0) unknown.push(name);
    else if (matches.length > 1) ambiguous.push(name);
    else found.add(matches[0]!);
  }
  if (unknown.length > 0) {
    const known = labels(graph).sort(compareText);
    const near = unknown.flatMap((name) => didYouMean(name, [...known, ...graph.ids]) ?? []);
    const meant = [...new Set(near)];
    const hint =
      meant.length > 0
        ? `did you mean ${quoteAll(meant)}?`
        : `use the name or the qualified id of one of its ${known.length} skills`;
    throw new StudioError('graph.unknown-skill', `Cannot find ${quoteAll(unknown)} in the graph: ${hint}`, {
      unknown,
      known,
    });
  }
  if (ambiguous.length > 0) {
    const candidates = ambiguous
      .flatMap((name) => byText.get(name)!.map((i) => graph.ids[i]!))
      .sort(compareText);
    throw new StudioError(
      'graph.ambiguous-skill',
      `Cannot tell which skill ${quoteAll(ambiguous)} means: use one of ${quoteAll(candidates)}`,
      { ambiguous, candidates },
    );
  }
  return [...found];
}

function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ');
}
