import { expect, test } from 'vitest';
import { tokenizeTools } from './allowed-tools.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { lintSkill } from './lint.ts';
import { readSkillText } from './read-skill.ts';
import { renameInFrontmatter } from './rename-skill.ts';
import { fileReferences, suggestDependencies } from './references.ts';

/** Work that grows with the square of this would outlast the test by hours. */
const size = 256 * 1024;
const fill = (piece: string): string => piece.repeat(Math.floor(size / piece.length));

test.each([
  ['letters', 'a'],
  ['letters of another script', '技'],
  ['blanks', ' '],
  ['opened links', ']('],
  ['an opened link', `](${'a'.repeat(1000)} `],
  ['paths', 'scripts/.'],
  ['skills', 'skill '],
  ['backticks', '`a'],
  ['hyphens', 'a-'],
  ['slashes', ' /a'],
  ['joined emoji', '👩‍'],
  ['brackets', '(['],
])('a long body of %s is read, linted and searched at once', (_, piece) => {
  const text = `---\nname: a\ndescription: d\n---\n${fill(piece)}`;
  const reading = readSkillText(text, { directoryName: 'a', profile: 'lenient' });
  lintSkill(reading, []);
  suggestDependencies([
    { name: 'a', body: reading.body },
    { name: 'b', body: fill(piece) },
  ]);
  fileReferences(`](${reading.body}`);
  hiddenCharacters(reading.body);
  tokenizeTools(reading.body);
  expect(reading.isUsable).toBe(true);
});

test.each([
  ['an endless key', 'a'],
  ['closing lines that are none', '\n--- x'],
  ['blank closing lines', '\n---\t x'],
  ['keys', 'a: b\n'],
  ['keys that need quotes', 'a: b: c\n'],
  ['lines of one value', 'description: a: b\n  c: d\n  e'],
  ['brackets', '['],
  ['quotes', '"a" '],
  ['anchors', 'a: &a *a\n'],
])('long frontmatter of %s is refused or read at once', (_, piece) => {
  const text = `---\nname: a\ndescription: d\n${fill(piece)}\n---\n`;
  for (const profile of ['strict', 'lenient'] as const) {
    expect(readSkillText(text, { directoryName: 'a', profile }).problems.length).toBeGreaterThan(0);
  }
  renameInFrontmatter(text, 'b');
});
