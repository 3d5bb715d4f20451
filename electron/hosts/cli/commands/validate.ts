import { StudioError } from '#shared/errors.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { readText } from '../read-text.ts';
import { inert } from '../terminal.ts';
import { Checker } from '../validate/check-files.ts';
import { findFiles } from '../validate/find-files.ts';
import { openJudge } from '../validate/judge-words.ts';
import type { JudgeWords } from '../validate/judge-words.ts';
import { countOf } from '../validate/report.ts';
import type { ReportedFile } from '../validate/report.ts';
import { toValidateDocument } from '../validate/to-json.ts';
import { toSarif } from '../validate/to-sarif.ts';
import { printReport } from '../validate/to-text.ts';

declare const __VERSION__: string;

export interface ValidateOptions extends JudgeWords {
  readonly format?: 'text' | 'json' | 'sarif';
}

/** Checks files and prints every problem; what cannot be read is told on standard error and does not stop the rest. */
export async function validate(
  invocation: Invocation,
  words: readonly string[],
  options: ValidateOptions,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  using judge = await openJudge(invocation, options);
  const checker = new Checker(invocation, judge);
  const unreadable: StudioError[] = [];
  const orTell = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      // Without a sandbox no other file could be judged either.
      if (!(error instanceof StudioError) || error.code === 'sandbox.unavailable') throw error;
      unreadable.push(error);
    }
  };
  for (const word of words) {
    await orTell(
      findFiles(word, terminal.workingDirectory).then(async (files) => {
        for (const file of files) await orTell(checker.check(file));
      }),
    );
  }
  const { files } = checker.finish();
  for (const { message } of unreadable) output.note(inert(message));
  const format = options.format ?? (output.isJson ? 'json' : 'text');
  if (format === 'json') output.document(toValidateDocument(files));
  else if (format === 'sarif') output.document(toSarif(files, unreadable, __VERSION__));
  else if (files.length > 0)
    printReport(output, files, terminal.stdout.isTTY ? await textsOf(files) : new Map());
  if (unreadable.length > 0) return ExitCode.usage;
  return countOf(files, 'error') > 0 ? ExitCode.failed : ExitCode.ok;
}

async function textsOf(files: readonly ReportedFile[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { file, path, diagnostics } of files) {
    if (path === undefined || diagnostics.length === 0) continue;
    // A file that went away meanwhile is shown without its lines.
    const text = await readText(path, file).catch(() => undefined);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}
