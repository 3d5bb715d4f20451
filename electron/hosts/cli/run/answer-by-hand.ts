import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';
import { runEditor } from '../../common/launch.ts';
import type { Invocation } from '../invocation.ts';
import { inert } from '../terminal.ts';

const mark = '===== Write your answer above. All from this line on is the question, and is left out. =====';

/**
 * The answer of the person at the keyboard, or null where there is none: what is piped in, what they write in their editor,
 * or what they type.
 */
export async function answerByHand(
  { terminal, output }: Invocation,
  { skill, prompt }: { readonly skill: string; readonly prompt: string },
): Promise<string | null> {
  const { readInput, typeText, machine, interrupted } = terminal;
  const { VISUAL, EDITOR } = machine.environment;
  const editor = VISUAL || EDITOR;
  if (readInput) {
    terminal.stderr.write(`${cleanTerminalText(prompt)}\n`);
    return wanted(await readInput());
  }
  output.note(inert(`"${skill}" asks you for its answer`));
  if (!typeText) return null;
  if (editor) return wanted(await edited(editor, prompt, { machine, signal: interrupted }));
  terminal.stderr.write(`${cleanTerminalText(prompt)}\n`);
  output.note('Type or paste the answer, then a line with a single dot or Ctrl+D');
  return wanted(await typeText());
}

async function edited(
  editor: string,
  prompt: string,
  { machine, signal }: { machine: Invocation['terminal']['machine']; signal: AbortSignal },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sunwell-answer-'));
  try {
    const file = join(folder, 'answer.md');
    await writeFile(file, `\n\n${mark}\n\n${prompt}\n`, { mode: 0o600 });
    await runEditor(editor, file, { machine, signal });
    const text = await readFile(file, 'utf8');
    return text.split(mark)[0]!;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wanted(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
