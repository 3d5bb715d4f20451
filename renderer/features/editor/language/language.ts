import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Monaco } from '../monaco.ts';
import { registerActions } from './actions.ts';
import { completionProvider } from './completion-provider.ts';
import type { Language } from './language-client.ts';
import { registerNavigation } from './navigation-providers.ts';
import { openLanguageClient } from './open-client.ts';
import { renameProvider } from './rename-provider.ts';
import { registerShape } from './shape-providers.ts';

let started = false;

/** Teaches the editor the language of lenses and libraries, once for the life of the window. */
export function startLanguage(monaco: typeof Monaco, studio: Studio): void {
  if (started) return;
  started = true;
  const language: Language = { monaco, studio, client: openLanguageClient(studio) };
  monaco.languages.registerCompletionItemProvider('yaml', completionProvider(language));
  monaco.languages.registerRenameProvider('yaml', renameProvider(language));
  registerNavigation(language);
  registerShape(language);
  registerActions(language);
}
