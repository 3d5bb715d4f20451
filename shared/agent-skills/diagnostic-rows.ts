/** Every problem of an Agent Skill; the severity is the one of the strict profile, lenient reading turns most into warnings. */
export const agentSkillRows = {
  'agent-skill.no-frontmatter': {
    severity: 'error',
    explanation: 'The first line of SKILL.md is not "---".',
    wayOut: 'Start the file with "---", the name and description, and "---", without a blank line before.',
  },
  'agent-skill.unclosed-frontmatter': {
    severity: 'error',
    explanation: 'No line of SKILL.md after the first is "---", so the frontmatter never ends.',
    wayOut: 'Put a line "---" between the fields and the instructions.',
  },
  'agent-skill.not-a-map': {
    severity: 'error',
    explanation: 'The frontmatter is empty, a list or a single text.',
    wayOut: 'Write one "key: value" a line.',
  },
  'agent-skill.bad-yaml': {
    severity: 'error',
    explanation: 'The frontmatter is no YAML that can be read.',
    wayOut: 'Quote values that hold ": " or start with a special character; indent with spaces.',
  },
  'agent-skill.needs-quotes': {
    severity: 'warning',
    explanation:
      'The value is plain text that YAML takes for something else; it was read as if it were quoted.',
    wayOut: 'Put quotes around it: other clients may refuse the file.',
  },
  'agent-skill.duplicate-key': {
    severity: 'error',
    explanation: 'The same field is given twice, so one of the two values would be lost.',
    wayOut: 'Remove one of them; lenient reading takes the first.',
  },
  'agent-skill.byte-order-mark': {
    severity: 'error',
    explanation: 'The file starts with a byte order mark, so many clients do not see its first line.',
    wayOut: 'Save the file as UTF-8 without a byte order mark.',
  },
  'agent-skill.not-utf8': {
    severity: 'error',
    explanation: 'SKILL.md is not UTF-8 text.',
    wayOut: 'Save the file as UTF-8.',
  },
  'agent-skill.too-large': {
    severity: 'error',
    explanation: 'SKILL.md is larger than 1 MiB and is not read.',
    wayOut: 'Move parts into files under "references".',
  },
  'agent-skill.unexpected-fields': {
    severity: 'error',
    explanation: 'The frontmatter has fields that the Agent Skills specification does not define.',
    wayOut: 'Move them under "metadata", as texts; lenient reading keeps them.',
  },
  'agent-skill.missing-name': {
    severity: 'error',
    explanation: 'The skill has no name.',
    wayOut: 'Add "name" with the name of the folder; lenient reading takes that.',
  },
  'agent-skill.bad-name': {
    severity: 'error',
    explanation:
      'A name is made of lower-case letters, digits and single hyphens, with no hyphen at its ends.',
    wayOut: 'Rename the skill and its folder, for example "pdf-reader".',
  },
  'agent-skill.name-too-long': {
    severity: 'error',
    explanation: 'A name has at most 64 characters.',
    wayOut: 'Shorten the name of the skill and of its folder.',
  },
  'agent-skill.directory-mismatch': {
    severity: 'error',
    explanation: 'The skill and the folder that holds it have different names.',
    wayOut: 'Rename one of them.',
  },
  'agent-skill.missing-description': {
    severity: 'error',
    explanation: 'The skill has no description, so no model can choose it; clients leave such skills out.',
    wayOut: 'Add "description" with a sentence that says what the skill does and when to use it.',
  },
  'agent-skill.description-too-long': {
    severity: 'error',
    explanation: 'A description has at most 1,024 characters.',
    wayOut: 'Shorten it, and move details into the instructions.',
  },
  'agent-skill.bad-compatibility': {
    severity: 'error',
    explanation: 'What the skill needs is told in 1 to 500 characters, or not at all.',
    wayOut: 'Shorten or remove "compatibility".',
  },
  'agent-skill.bad-metadata': {
    severity: 'error',
    explanation:
      'The metadata is not a map from texts to texts; what does not fit is kept in the file and not used.',
    wayOut: 'Write one "key: value" a line under "metadata".',
  },
  'agent-skill.not-text': {
    severity: 'error',
    explanation: 'The field holds a list or map where the specification wants one text.',
    wayOut: 'Write the value on one line.',
  },
  'agent-skill.not-portable': {
    severity: 'warning',
    explanation: 'The studio reads this, but other clients may not.',
    wayOut: 'Write it in the plainer way that the message names.',
  },
  'agent-skill.file-name': {
    severity: 'warning',
    explanation: 'The file is named "skill.md"; clients look for exactly "SKILL.md".',
    wayOut: 'Rename the file to "SKILL.md".',
  },
  'agent-skill.vague-description': {
    severity: 'info',
    explanation: 'A model chooses skills by their description, and this one gives it little to go by.',
    wayOut: 'Say what the skill does and, with "Use when …", when to use it.',
  },
  'agent-skill.angle-brackets': {
    severity: 'warning',
    explanation: 'Some clients put descriptions into prompts unescaped, where "<" and ">" look like tags.',
    wayOut: 'Name the tag without brackets.',
  },
  'agent-skill.cut-by-comment': {
    severity: 'info',
    explanation: 'In YAML " #" starts a comment, so the rest of the line is no part of the value.',
    wayOut: 'Put quotes around the whole value.',
  },
  'agent-skill.long-body': {
    severity: 'info',
    explanation:
      'The instructions are longer than 500 lines or about 5,000 tokens, which every use pays for.',
    wayOut: 'Move details into files under "references", and name them in the instructions.',
  },
  'agent-skill.broken-reference': {
    severity: 'warning',
    explanation: 'The instructions name a file of the skill that does not exist.',
    wayOut: 'Correct the path, which counts from the skill’s folder, or add the file.',
  },
  'agent-skill.script-start': {
    severity: 'info',
    explanation:
      'A script without a "#!" line or the right to execute runs only where its interpreter is named.',
    wayOut: 'Add a line such as "#!/usr/bin/env python3", and make the file executable.',
  },
  'agent-skill.interactive-script': {
    severity: 'warning',
    explanation: 'The script asks for input, and nobody answers when an agent runs it.',
    wayOut: 'Take the value from an argument or from standard input.',
  },
  'agent-skill.hidden-characters': {
    severity: 'warning',
    explanation:
      'Characters that no editor shows can hide instructions from a person that a model still reads.',
    wayOut: 'Remove them, or find out who put them there.',
  },
} as const;
