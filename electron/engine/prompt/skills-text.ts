import type { Disclosure } from '#shared/agent-skills/disclosure.ts';

/** The skills that can be opened, as a prompt tells of them; undefined where there are none. */
export function skillsText(disclosure: Disclosure): string | undefined {
  return [disclosure.catalog(), disclosure.render()].filter((text) => text !== '').join('\n\n') || undefined;
}
