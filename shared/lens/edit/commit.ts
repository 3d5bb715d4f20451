import type { TextEdit } from '../../model/diagnostic.ts';
import { openYaml } from '../yaml/open.ts';
import type { YamlSource } from '../yaml/source.ts';
import { refuse } from './place.ts';
import type { EditResult } from './place.ts';
import { applyEdits, minimize } from './text-lines.ts';
import type { Change } from './text-lines.ts';
import { sameTree, treeOf } from './tree.ts';
import type { Tree } from './tree.ts';

/**
 * Tries ways to write an edit until one reads back as exactly what was asked for.
 * A way that would turn a comment into text, or break what follows, is found out here and never reaches the file.
 */
export function commit(source: YamlSource, expected: Tree, ways: Iterable<readonly Change[]>): EditResult {
  for (const changes of ways) {
    const edits = minimize(
      source.text,
      join(changes).map((change) => ({ file: source.file, ...change }) satisfies TextEdit),
    );
    const text = applyEdits(source.text, edits);
    const after = openYaml(text, source.file).source;
    if (!after.isBroken && sameTree(treeOf(after), expected)) return { ok: true, edits, source: after };
  }
  return refuse('not-editable', 'Cannot make this edit without touching other parts: edit the text instead');
}

/** Joins changes that touch, because editors may apply two insertions at one place in either order. */
function join(changes: readonly Change[]): Change[] {
  const joined: Change[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last !== undefined && last.end === change.start) {
      joined[joined.length - 1] = { start: last.start, end: change.end, text: last.text + change.text };
    } else {
      joined.push(change);
    }
  }
  return joined;
}
