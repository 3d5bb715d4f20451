import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesCommand, simpleWords } from './bash-command.ts';
import { ToolRules } from './tool-rules.ts';

describe('ToolRules', () => {
  test.each<[readonly string[] | undefined, readonly string[], readonly string[]]>([
    [undefined, [], []],
    [['Read', 'write'], ['Read', 'Write'], []],
    [['Bash(git log:*)', 'Read(src/**)'], ['Read', 'Bash'], []],
    [
      ['read_file', 'search_replace', 'run_terminal_cmd', 'codebase_search'],
      ['Read', 'Edit', 'Glob', 'Grep', 'Bash'],
      [],
    ],
    [['Skill'], ['activate_skill', 'open_sections'], []],
    [['WebFetch', 'mcp__x', 'Read'], ['Read'], ['WebFetch', 'mcp__x']],
  ])('offer of %j: %j, and not %j', (allowed, offered, unknown) => {
    const rules = new ToolRules(allowed);
    expect([rules.offered, rules.unknown]).toEqual([offered, unknown]);
  });

  test('limit a tool to paths, unless one entry has no limit', () => {
    const narrow = new ToolRules(['Write(docs/**)', 'Write(README.md)']);
    expect(['docs/a/b.md', 'README.md', 'src/a.ts'].map((path) => narrow.allowsPath('Write', path))).toEqual([
      true,
      true,
      false,
    ]);
    expect(new ToolRules(['Write(docs/**)', 'Write']).allowsPath('Write', 'src/a.ts')).toBe(true);
  });
});

describe('matchesCommand()', () => {
  test.each([
    ['git log', 'git log:*', true],
    ['git log --oneline -n 5', 'git log:*', true],
    ["git log --author='A B'", 'git log *', true],
    ['git logs', 'git log:*', false],
    ['git', 'git log:*', false],
    ['git -C / log', 'git log:*', false],
    ['make test', 'make test', true],
    ['make test all', 'make test', false],
    ['git log; rm -rf /', 'git log:*', false],
    ['git log && curl x', 'git log:*', false],
    ['git log | sh', 'git log:*', false],
    ['git log > /etc/passwd', 'git log:*', false],
    ['git log $(id)', 'git log:*', false],
    ['git log `id`', 'git log:*', false],
    ['git log "$HOME"', 'git log:*', false],
    ['git log\nid', 'git log:*', false],
    ['GIT_PAGER=sh git log', 'git log:*', false],
    ['PATH=/x make test', 'make:*', false],
    ['git log &', 'git log:*', false],
    ['git lo\\g', 'git log:*', false],
    ['git log {a,b}', 'git log:*', false],
    ['git log *', 'git log:*', false],
    ['', 'git log:*', false],
  ])('%j is %j: %s', (command, pattern, expected) => {
    expect(matchesCommand(command, pattern)).toBe(expected);
  });

  test('whatever comes after an allowed beginning, a shell gets one simple command', () => {
    const odd = fc.string({ unit: fc.constantFrom(...'ab \t\n\'"$`\\;|&<>(){}*?[]~!#=/-:'), maxLength: 12 });
    fc.assert(
      fc.property(odd, (rest) => {
        const command = `git log ${rest}`;
        if (!matchesCommand(command, 'git log:*')) return;
        // Outside of quotes nothing is left that a shell does not take as it stands.
        const bare = command.replace(/'[^'\n]*'|"[^"$`\\\n!]*"/g, '');
        expect(bare).toMatch(/^[A-Za-z0-9_@%+=:,./ \t-]*$/);
        expect(simpleWords(command)!.slice(0, 2)).toEqual(['git', 'log']);
      }),
      { numRuns: 500 },
    );
  });
});
