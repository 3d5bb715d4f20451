/** The tools that a model step can be offered, in the order they are told. */
export const toolNames = [
  'Read',
  'Write',
  'Edit',
  'Glob',
  'Grep',
  'Bash',
  'RunScript',
  'activate_skill',
  'open_sections',
] as const;
export type ToolName = (typeof toolNames)[number];
