import type { Disclosure, DisclosureEvent } from '#shared/agent-skills/disclosure.ts';
import { toolNames } from '#shared/model/tool-names.ts';
import type { ModelTool } from '../models/complete.ts';
import { fileTools } from './file-tools.ts';
import { scriptTools, type ScriptToolsOptions } from './script-tools.ts';
import { skillTools } from './skill-tools.ts';

export interface StepToolsOptions extends ScriptToolsOptions {
  readonly disclosure: Disclosure;
  readonly onOpened: (event: DisclosureEvent) => void;
  /** Without trust nothing is started. */
  readonly mayRun: boolean;
}

/** The tools of one model step: those that the skill allows, and that can do something here. */
export function stepTools(options: StepToolsOptions): Record<string, ModelTool> {
  const { view, rules, disclosure, onOpened, mayRun } = options;
  const { Grep, ...starting } = scriptTools(options);
  const all = {
    ...fileTools(view, rules),
    ...(Grep && { Grep }),
    ...(mayRun && starting),
    ...skillTools(disclosure, ({ events }) => events.forEach(onOpened)),
  };
  const offered = toolNames.filter((name) => rules.offered.includes(name) && all[name] !== undefined);
  return Object.fromEntries(offered.map((name) => [name, all[name]!]));
}
