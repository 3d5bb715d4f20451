import { toolNames } from '#shared/model/tool-names.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Monaco } from '../monaco.ts';
import { registerActions } from './actions.ts';
import { completionProvider } from './completion-provider.ts';
import { filesFor, LanguageClient } from './language-client.ts';
import type { Language } from './language-client.ts';
import { registerNavigation } from './navigation-providers.ts';
import { OtherLibraries } from './other-libraries.ts';
import { renameProvider } from './rename-provider.ts';
import { registerShape } from './shape-providers.ts';

let started = false;

/** Teaches the editor the language of lenses and libraries, once for the life of the window. */
export function startLanguage(monaco: typeof Monaco, studio: Studio): void {
  if (started) return;
  started = true;
  const others = new OtherLibraries(studio);
  // Asked now, they are mostly known when somebody types the first name.
  others.all();
  const client = new LanguageClient(async (call) => ({
    files: await filesFor(call, studio),
    libraries: others.all(),
    tools: toolNames,
  }));
  const language: Language = { monaco, studio, client };
  monaco.languages.registerCompletionItemProvider('yaml', completionProvider(language));
  monaco.languages.registerRenameProvider('yaml', renameProvider(language));
  registerNavigation(language);
  registerShape(language);
  registerActions(language);
}
