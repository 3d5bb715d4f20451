import { toolNames } from '#shared/model/tool-names.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import { filesFor, LanguageClient } from './language-client.ts';
import { OtherLibraries } from './other-libraries.ts';

let opened: LanguageClient | undefined;

/** The one worker of this window that reads names; started when somebody first needs it, with the code editor or before. */
export function openLanguageClient(studio: Studio): LanguageClient {
  if (opened) return opened;
  const others = new OtherLibraries(studio);
  // Asked now, they are mostly known when somebody types the first name.
  others.all();
  opened = new LanguageClient(async (asked) => ({
    files: await filesFor(asked, studio),
    libraries: others.all(),
    tools: toolNames,
  }));
  return opened;
}
