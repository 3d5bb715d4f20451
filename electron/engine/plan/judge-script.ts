import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { SourceFile } from '../resolve/place.ts';

/** The script of a validator, or why there is none to run. */
export type JudgeScript =
  | { readonly name: string; readonly language: ScriptLanguage; readonly content: string }
  | { readonly problem: string };

const languages: Readonly<Record<string, ScriptLanguage>> = {
  py: 'python',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  sh: 'bash',
  bash: 'bash',
};

const maxBytes = 1_048_576;

/** Reads what a validator's `script` names: a file beside its lens, or, where it is no file name, lines for bash. */
export function readJudgeScript(from: SourceFile, text: string): JudgeScript {
  const language = /^[^\s;|&<>$`'"]+\.(\w+)$/.exec(text)?.[1];
  if (language === undefined) return { name: 'validator.sh', language: 'bash', content: text };
  const known = languages[language.toLowerCase()];
  if (!known) return { problem: `Cannot run "${text}": its ending is none of a script` };
  const path = resolve(dirname(from.path), text);
  try {
    const real = realpathSync(path);
    if (isAbsolute(text) || !isInside(realpathSync(from.place.root), real)) {
      return { problem: `Cannot run "${text}": it leaves the folder of its lens` };
    }
    const stats = statSync(real);
    if (!stats.isFile() || stats.size > maxBytes)
      return { problem: `Cannot run "${text}": it is no script file` };
    return { name: basename(path), language: known, content: readFileSync(real, 'utf8') };
  } catch (error) {
    return { problem: `Cannot read "${text}": ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}` };
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
