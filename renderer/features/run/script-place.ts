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
  const line = lineIn(error.stderr ?? '', script.name);
  return { name: script.name, file: script.file, line, origin: skill.origin };
}

/** The innermost line of the script in what Python, Node or bash printed. */
export function lineIn(stderr: string, script: string): number | undefined {
  const name = script.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const python = [...stderr.matchAll(new RegExp(`${name}", line (\\d+)`, 'g'))].at(-1);
  const node = new RegExp(`${name}:(\\d+)`).exec(stderr);
  const bash = new RegExp(`${name}: line (\\d+)`).exec(stderr);
  const found = python ?? node ?? bash;
  return found ? Number(found[1]) : undefined;
}
