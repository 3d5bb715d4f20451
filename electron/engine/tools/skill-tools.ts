import { z } from 'zod';
import type { Disclosed, Disclosure } from '#shared/agent-skills/disclosure.ts';
import type { ToolName } from '#shared/model/tool-names.ts';
import type { ModelTool } from '../models/complete.ts';
import { modelTool } from './model-tool.ts';

/** The tools that open what the prompt only names; none where there is nothing to open. */
export function skillTools(
  disclosure: Disclosure,
  onOpened: (opened: Disclosed) => void,
): Partial<Record<ToolName, ModelTool>> {
  const told = (opened: Disclosed): string => {
    onOpened(opened);
    return opened.content;
  };
  const inputs = {
    activate_skill: z.object({ name: z.string() }),
    open_sections: z.object({ sections: z.array(z.string()).min(1) }),
  };
  const offered = disclosure.tools();
  const isOffered = (name: keyof typeof inputs): boolean => offered.some((tool) => tool.name === name);
  // A section that is opened may bring the first skills along.
  const hasSkills = isOffered('activate_skill') || isOffered('open_sections');
  return {
    ...(hasSkills && {
      activate_skill: modelTool(
        'Gives the instructions of a skill and lists its files',
        inputs.activate_skill,
        ({ name }) => told(disclosure.activate(name)),
      ),
    }),
    ...(isOffered('open_sections') && {
      open_sections: modelTool(
        'Gives the whole text of summarised sections, and makes their skills available',
        inputs.open_sections,
        ({ sections }) => told(disclosure.openSections(sections)),
      ),
    }),
  };
}
