import type { LanguageContext } from '#shared/lens/language/completion.ts';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { LanguageFile } from '#shared/lens/language/file-facts.ts';
import { languageCalls } from './language-calls.ts';
import type { LanguageMessage, LanguageReply } from './language-calls.ts';

const files = new Map<string, LanguageFile>();
let others: Omit<LanguageContext, 'files'> = {};

self.addEventListener('message', ({ data }: MessageEvent<LanguageMessage>) => {
  for (const file of data.added) files.set(file.file, file);
  for (const { file, ...change } of data.edited) {
    const known = files.get(file)!;
    files.set(file, { ...known, text: applyEdits(known.text, [change]) });
  }
  for (const file of data.gone) files.delete(file);
  if (data.others) others = data.others;
  self.postMessage(reply(data));
});

function reply({ id, call, params }: LanguageMessage): LanguageReply {
  try {
    const context = { files: [...files.values()], ...others };
    return { id, answer: languageCalls[call](context, params as never) };
  } catch (error) {
    // A bug here must not leave the page waiting for ever: it fails this one question there.
    return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
