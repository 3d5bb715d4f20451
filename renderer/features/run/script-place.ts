import type { StepFailure } from '#shared/model/run.ts';
import type { ScriptPlace } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';

/** The script that failed, at the line its interpreter complained about. */
export function scriptPlace(tab: Tab, skillId: string, error: StepFailure): ScriptPlace | undefined {
  const skill = tab.drawing?.skills.find(
    (drawn) => drawn.skill.id === skillId || drawn.key === skillId,
  )?.skill;
  const script = skill?.scripts.find(({ name }) => name === error.scriptName);
  if (!skill || !script) return undefined;
  const line = lineIn(error.stderr ?? '');
  return { name: script.name, file: script.file, line, origin: skill.origin };
}

/** The innermost line of the script in what Python, Node or bash printed; in the sandbox every script has the same path. */
export function lineIn(stderr: string): number | undefined {
  const script = String.raw`/sunwell/script\.\w+`;
  const python = [...stderr.matchAll(new RegExp(`${script}", line (\\d+)`, 'g'))].at(-1);
  const other = new RegExp(`${script}:(?: line )?(\\d+)`).exec(stderr);
  const found = python ?? other;
  return found ? Number(found[1]) : undefined;
}

/** The last line of what an interpreter printed that says why; undefined where the message says as much. */
export function lastWord({
  message,
  stderr = '',
}: Pick<StepFailure, 'message' | 'stderr'>): string | undefined {
  const lines = stderr.split('\n').map((line) => line.trim());
  const said = lines.findLast((line) => !saysNothing.test(line));
  return said === undefined || message.includes(said) ? undefined : said.slice(0, longestWord);
}

const longestWord = 300;
/** What Node prints behind an error: where it came from, the rest of its fields, and which Node it was. */
const saysNothing = /^(?:$|[{}\]),;^]+$|at .*[\w>)]:\d+|at .*\(|Node\.js v\d)/;
