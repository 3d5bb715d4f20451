import type { ElectronApplication } from '@playwright/test';

/** A question the app asked the user, as far as specs look at it. */
export interface Question {
  readonly message: string;
  readonly detail: string | undefined;
  readonly buttons: readonly string[] | undefined;
  readonly defaultId: number | undefined;
}

declare global {
  /** In Electron's main process: what was asked so far. */
  var askedQuestions: Question[];
}

/** Answers every message box of the app with the button of this name, and writes down what was asked. */
export async function answerDialogs(app: ElectronApplication, button: string): Promise<void> {
  await app.evaluate(({ dialog }, button) => {
    globalThis.askedQuestions = [];
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, detail, buttons, defaultId } = args.at(-1) as Electron.MessageBoxOptions;
      globalThis.askedQuestions.push({ message, detail, buttons, defaultId });
      return Promise.resolve({ response: buttons?.indexOf(button) ?? 0, checkboxChecked: false });
    };
  }, button);
}

export function questions(app: ElectronApplication): Promise<Question[]> {
  return app.evaluate(() => globalThis.askedQuestions);
}
