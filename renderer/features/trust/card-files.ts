import type { TrustCard } from '#shared/model/trust.ts';
import { diffLines } from '#renderer/ui/diff-lines.ts';
import type { DiffLine } from '#renderer/ui/diff-lines.ts';
import { hiddenCount, visibleText } from './visible-text.ts';

/** One part of a skill as the card shows it. */
export interface ShownFile {
  readonly path: string;
  readonly title: string;
  /** Undefined for a file that is gone. */
  readonly bytes?: number;
  /** Undefined where it is no text or too long to show. */
  readonly text?: string;
  readonly hidden: number;
  readonly change?: 'added' | 'removed' | 'changed';
  /** What changed since the last grant; undefined where that cannot be shown. */
  readonly diff?: readonly DiffLine[];
}

const definitionPath = '(definition)';

/** The files of a card in reading order: what changed since the last grant, then scripts and texts, the definition last. */
export function shownFiles({ files, changedSince }: TrustCard): ShownFile[] {
  const changes = new Map(changedSince?.changes.map((change) => [change.path, change]));
  const present = files.map((file): ShownFile => {
    const change = changes.get(file.path);
    return { ...described(file), ...(change && changed(change)) };
  });
  const gone = [...changes.values()]
    .filter(({ change }) => change === 'removed')
    .map((change): ShownFile => ({ ...titled(change.path), hidden: 0, ...changed(change) }));
  return [...present, ...gone].toSorted((a, b) => rank(a) - rank(b));
}

function described({ path, bytes, text }: TrustCard['files'][number]): ShownFile {
  if (text === undefined) return { ...titled(path), bytes, hidden: 0 };
  return { ...titled(path), bytes, text: readable(path, text), hidden: hiddenCount(text) };
}

function titled(path: string): { path: string; title: string } {
  return { path, title: path === definitionPath ? 'Definition' : visibleText(path) };
}

function changed({
  path,
  change,
  before,
  after,
}: NonNullable<TrustCard['changedSince']>['changes'][number]): Partial<ShownFile> {
  const [from, to] = [
    change === 'added' ? '' : before && readable(path, before),
    change === 'removed' ? '' : after && readable(path, after),
  ];
  return from === undefined || to === undefined ? { change } : { change, diff: diffLines(from, to) };
}

/** The definition is kept as one line of JSON, in which no change can be seen. */
function readable(path: string, text: string): string {
  if (path !== definitionPath) return visibleText(text);
  return visibleText(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
}

function rank({ path, change }: ShownFile): number {
  return (change ? 0 : 2) + (path === definitionPath ? 1 : 0);
}
