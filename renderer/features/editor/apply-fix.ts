import type { QuickFix, TextEdit } from '#shared/model/diagnostic.ts';
import type { OpenDocument } from '#renderer/state/document.svelte.ts';
import type { Problem } from '#renderer/state/problems.svelte.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import { placeOf } from './text-change.ts';

/** What a fix needs of its problem: to find it again where the text has moved on. */
type FixedProblem = Pick<Problem, 'resolution' | 'code' | 'message'>;

/** Takes a problem's way out: edits the texts as one undo step, and shows where. */
export async function applyFix(studio: Studio, problem: FixedProblem, fix: QuickFix): Promise<void> {
  const tabs = studio.edits.open([...new Set(fix.edits.map(({ file }) => file))]);
  if (!tabs) return;
  const documents = tabs.map(({ document }) => document);
  await Promise.all(documents.map((document) => document.atRest()));
  const edits = await fittingEdits(problem, fix, documents);
  if (!edits) {
    studio.notices.tell(`Not applied: the text has changed. ${fix.title}`);
    return;
  }
  if (!(await studio.edits.apply({ label: fix.title, edits }))) return;
  const [first] = tabs;
  if (first && !tabs.includes(studio.tabs.active!)) studio.tabs.activate(first);
  for (const tab of tabs) {
    const own = edits.find(({ file }) => file === tab.document.file);
    if (tab.view === 'yaml' && own) showEdit(tab, own);
  }
  studio.notices.speak(`Applied: ${fix.title}`);
}

/** Edits whose offsets fit the texts as they are; where those have moved on, the problem is looked up anew. */
async function fittingEdits(
  { resolution, code, message }: FixedProblem,
  fix: QuickFix,
  documents: readonly OpenDocument[],
): Promise<readonly TextEdit[] | undefined> {
  const fits = (): boolean => documents.every((document) => resolution?.isOf(document));
  if (fits()) return fix.edits;
  await resolution?.ask();
  if (!fits()) return undefined;
  return resolution?.result?.graph.diagnostics
    .filter((known) => known.code === code && known.message === message)
    .flatMap(({ fixes }) => fixes ?? [])
    .find(({ title }) => title === fix.title)?.edits;
}

function showEdit(tab: Tab, { start, text }: TextEdit): void {
  const end = start + text.length;
  tab.showAt(placeOf(tab.document.text, end, end));
}
