import { tick } from 'svelte';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { QuickFix, TextEdit } from '#shared/model/diagnostic.ts';
import type { OpenDocument } from '#renderer/state/document.svelte.ts';
import type { Problem } from '#renderer/state/problems.svelte.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import { documentModel } from './document-models.svelte.ts';
import { loadMonaco } from './monaco.ts';
import { placeOf } from './text-change.ts';

/** Takes a problem's way out: edits the texts, each as one step of its undo history, and shows where. */
export async function applyFix(studio: Studio, problem: Problem, fix: QuickFix): Promise<void> {
  const tabs = await openEdited(studio, fix);
  if (!tabs) return;
  // The editor holds the undo history, so it has to be there before the edit.
  const monaco = await loadMonaco();
  for (const { document } of tabs) documentModel(monaco, document);
  const edits = await fittingEdits(
    problem,
    fix,
    tabs.map(({ document }) => document),
  );
  if (!edits) {
    studio.notices.tell(`Not applied: the text has changed. ${fix.title}`);
    return;
  }
  for (const tab of tabs) {
    const own = edits.filter(({ file }) => file === tab.document.file);
    tab.document.edit(applyEdits(tab.document.text, own));
    await tick(); // The editor has the text by then, and the place is one in it.
    if (tab.view === 'yaml' && own[0]) showEdit(tab, own[0]);
  }
  studio.notices.speak(`Applied: ${fix.title}`);
}

/** The tabs of all files that the fix edits, open and read; undefined where one cannot be. */
async function openEdited(studio: Studio, fix: QuickFix): Promise<Tab[] | undefined> {
  const files = [...new Set(fix.edits.map(({ file }) => file))];
  const entries = files.map((file) => studio.workspace.entry(file));
  const outside = files.find((_, i) => !entries[i]);
  if (outside !== undefined) {
    studio.notices.warn({
      message: `Cannot change "${outside}": it is not one of this workspace’s files`,
      wayOut: 'Open the folder that holds it and change it there.',
    });
    return undefined;
  }
  const tabs = entries.flatMap((entry) => (entry ? [studio.tabs.open(entry)] : []));
  await Promise.all(tabs.map(({ document }) => document.atRest()));
  return tabs.every(({ document }) => document.phase.phase === 'ready') ? tabs : undefined;
}

/** Edits whose offsets fit the texts as they are; where those have moved on, the problem is looked up anew. */
async function fittingEdits(
  { resolution, code, message }: Problem,
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
