import type { Language } from './language-client.ts';
import { spotOf } from './spots.ts';

/** Opens the text at the cursor in an editor of its own language. */
export const editBlockAction = 'sunwell.edit-block-here';

const none = { actions: [], dispose: (): undefined => undefined };

/** Offers to edit a script, a template or a prose text in an editor of its own language. */
export function registerActions({ monaco, studio, client }: Language): void {
  const command = 'sunwell.edit-block';
  monaco.editor.registerCommand(command, (_, file: string, path: readonly (string | number)[]) => {
    void studio.blocks.open(file, path);
  });
  monaco.editor.addEditorAction({
    id: editBlockAction,
    label: 'Edit block in its own language',
    run: async (editor) => {
      const [model, at] = [editor.getModel(), editor.getPosition()];
      const spot = model && at ? spotOf(model, at) : undefined;
      if (!spot) return;
      const { answer: block } = await client.ask('block', spot);
      if (block) await studio.blocks.open(spot.file, block.path);
      else studio.notices.tell('No script, template or prose text is at the cursor: put it into one first');
    },
  });
  monaco.languages.registerCodeActionProvider('yaml', {
    provideCodeActions: async (model, range, { trigger }) => {
      // Asked at every move of the cursor only to show a bulb, which every line of prose would have.
      if (trigger === monaco.languages.CodeActionTriggerType.Auto) return none;
      const spot = spotOf(model, { lineNumber: range.startLineNumber, column: range.startColumn });
      const block = spot && (await client.ask('block', spot)).answer;
      if (!block) return none;
      const title = `Edit "${block.title}" in an editor of its own`;
      const action = {
        ...{ title, kind: 'refactor.edit-block' },
        command: { id: command, title, arguments: [spot.file, block.path] },
      };
      return { actions: [action], dispose: () => undefined };
    },
  });
}
