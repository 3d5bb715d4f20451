/** What each kind of file is called on the screen. */
export const kindTitles = {
  lens: 'Lens',
  library: 'Library',
  'agent-skill': 'Agent Skill',
  file: 'File',
} as const;
