import { execFile } from 'node:child_process';
import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CliRig } from '../testing/cli-rig.ts';

const good = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Reads files. Use when asked to.\n${more}---\n# Steps\n`;

describe('sunwell validate-skill', () => {
  test('case 1: a valid skill', async () => {
    await using rig = await CliRig.make({ 'work/my-skill/SKILL.md': good('my-skill') });
    const valid = { exitCode: 0, stdout: 'Valid skill: my-skill\n', stderr: '' };
    expect(await rig.run(['validate-skill', 'my-skill'])).toEqual(valid);
    expect(await rig.run(['validate-skill', './my-skill//', '--strict'])).toEqual(valid);
    expect(await rig.run(['validate-skill', 'my-skill/SKILL.md', '--lint'])).toEqual(valid);
  });

  test('case 2: a path that does not exist, or none, is a wrong command line', async () => {
    await using rig = await CliRig.make();
    expect(await rig.run(['validate-skill', 'gone'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'Path does not exist: gone\n',
    });
    expect((await rig.run(['validate-skill'])).exitCode).toBe(2);
    expect((await rig.run(['validate-skill', '.', '--strict', '--lenient'])).exitCode).toBe(2);
  });

  test('cases 3 and 4: a file, and a folder without SKILL.md', async () => {
    await using rig = await CliRig.make({ 'work/notes.txt': '', 'work/empty/Skill.md': '' });
    expect(await rig.run(['validate-skill', 'notes.txt'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Validation failed for notes.txt:\n  - Not a directory: notes.txt\n',
    });
    expect(await rig.run(['validate-skill', 'empty'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Validation failed for empty:\n  - Missing required file: SKILL.md\n',
    });
  });

  test('all errors at once in the reference’s order, and what is more than that below', async () => {
    const text = `---\nfoo: [x]\ncompatibility: ${'c'.repeat(501)}\nname: Bad_Name\n---\n`;
    await using rig = await CliRig.make({ 'work/s/SKILL.md': text });
    expect(await rig.run(['validate-skill', 's'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Validation failed for s:
  - Unexpected fields in frontmatter: foo. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.
  - Skill name 'Bad_Name' must be lowercase
  - Skill name 'Bad_Name' contains invalid characters. Only letters, digits, and hyphens are allowed.
  - Directory name 's' must match skill name 'Bad_Name'
  - Missing required field in frontmatter: description
  - Compatibility exceeds 500 character limit (501 chars)
Also noticed in s:
  - line 2: warning: Other clients may refuse YAML with brackets: write the value out over indented lines
`,
    });
  });

  test('--lenient fails only for what no client loads, and tells the rest', async () => {
    await using rig = await CliRig.make({
      'work/a/SKILL.md': '---\nname: b\ndescription: Use when: asked\n---\n',
      'work/b/SKILL.md': '---\nname: b\n---\n',
    });
    expect(await rig.run(['validate-skill', 'a', '--lenient'])).toEqual({
      exitCode: 0,
      stdout: 'Valid skill: a\n',
      stderr: `Also noticed in a:
  - line 3: warning: The value of "description" is no YAML without quotes: it is read as if it had them
  - line 2: warning: Directory name 'a' must match skill name 'b'
`,
    });
    expect((await rig.run(['validate-skill', 'b', '--lenient'])).exitCode).toBe(1);
  });

  test('cases 19 and 20: SKILL.md wins; skill.md alone is taken with a warning', async () => {
    await using rig = await CliRig.make({
      'work/a/SKILL.md': good('a'),
      'work/a/skill.md': 'nothing',
      'work/b/skill.md': good('b'),
    });
    expect(await rig.run(['validate-skill', 'a'])).toEqual({
      exitCode: 0,
      stdout: 'Valid skill: a\n',
      stderr:
        'Also noticed in a:\n  - line 1: warning: Cannot use "a": "skill.md": it is the same as "SKILL.md" on other systems\n',
    });
    expect(await rig.run(['validate-skill', 'b'])).toEqual({
      exitCode: 0,
      stdout: 'Valid skill: b\n',
      stderr:
        'Also noticed in b:\n  - line 1: warning: The file is named "skill.md": agents find only "SKILL.md"\n',
    });
  });

  test('case 30: "." inside a skill, and a link to it, are the skill', async () => {
    await using rig = await CliRig.make({ 'work/my-skill/SKILL.md': good('my-skill') });
    await symlink('my-skill', join(rig.folder, 'work/alias'));
    expect(await rig.run(['validate-skill', '.'], 'work/my-skill')).toEqual({
      exitCode: 0,
      stdout: 'Valid skill: .\n',
      stderr: '',
    });
    expect(await rig.run(['validate-skill', 'SKILL.md'], 'work/my-skill')).toMatchObject({
      stdout: 'Valid skill: .\n',
    });
    expect(await rig.run(['validate-skill', 'alias'])).toMatchObject({
      exitCode: 0,
      stdout: 'Valid skill: alias\n',
    });
  });

  test('a SKILL.md that is a folder, a pipe, no UTF-8 or too large is told, never waited for: attacks 78 and 79', async () => {
    await using rig = await CliRig.make();
    const skill = async (name: string): Promise<string> => {
      await mkdir(join(rig.folder, 'work', name), { recursive: true });
      return join(rig.folder, 'work', name, 'SKILL.md');
    };
    await mkdir(await skill('folder'));
    await promisify(execFile)('mkfifo', [await skill('pipe')]);
    await writeFile(await skill('latin'), Buffer.from([0x2d, 0xe9]));
    await writeFile(await skill('large'), Buffer.alloc(2 * 1024 * 1024, 'x'));
    const told = async (name: string) => (await rig.run(['validate-skill', name])).stderr.split('\n')[1];
    expect([await told('folder'), await told('pipe'), await told('latin'), await told('large')]).toEqual([
      '  - Cannot read SKILL.md: it is not a regular file',
      '  - Cannot read SKILL.md: it is not a regular file',
      '  - Cannot read SKILL.md: it is not UTF-8 text',
      '  - Cannot read SKILL.md: it is larger than 1 MiB',
    ]);
  });

  test('--lint looks at all files of the skill', async () => {
    await using rig = await CliRig.make({
      'work/a/SKILL.md': `${good('a')}Run scripts/run.py and [more](references/more.md).\n`,
      'work/a/scripts/run.py': 'print(input())\n',
    });
    await chmod(join(rig.folder, 'work/a/scripts/run.py'), 0o644);
    const ran = await rig.run(['validate-skill', 'a', '--lint']);
    expect([ran.exitCode, ran.stderr]).toEqual([
      0,
      `Also noticed in a:
  - line 6: warning: The instructions name "references/more.md", which does not exist
  - line 1: info: Script "scripts/run.py" has no "#!" line and no execute bit
  - line 1: warning: Script "scripts/run.py" asks for input with "input(", and nobody answers an agent’s scripts
`,
    ]);
  });

  test('--json is one document', async () => {
    await using rig = await CliRig.make({ 'work/a/SKILL.md': '---\nname: b\ndescription: Use this.\n---\n' });
    const ran = await rig.run(['validate-skill', 'a', '--json']);
    expect([ran.exitCode, ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      1,
      '',
      {
        path: 'a',
        name: 'b',
        profile: 'strict',
        isValid: false,
        problems: [
          {
            code: 'agent-skill.directory-mismatch',
            severity: 'error',
            message: "Directory name 'a' must match skill name 'b'",
            line: 2,
            column: 7,
            endLine: 2,
            endColumn: 8,
          },
        ],
      },
    ]);
  });
});

describe('sunwell read-properties', () => {
  test('case 12: all fields in the reference’s order, in ASCII', async () => {
    const text =
      '---\nmetadata:\n  version: 1.0\n  "é": x\nallowed-tools: Bash(git:*) Read\ncompatibility: git\nlicense: MIT\ndescription: " Été 🙂 "\nname: my-skill\nother: y\n---\n';
    await using rig = await CliRig.make({ 'work/elsewhere/SKILL.md': text });
    expect(await rig.run(['read-properties', 'elsewhere'])).toEqual({
      exitCode: 0,
      stdout: `{
  "name": "my-skill",
  "description": "\\u00c9t\\u00e9 \\ud83d\\ude42",
  "license": "MIT",
  "compatibility": "git",
  "allowed-tools": "Bash(git:*) Read",
  "metadata": {
    "version": "1.0",
    "\\u00e9": "x"
  }
}
`,
      stderr: '',
    });
  });

  test('what is absent is left out, and names are not judged', async () => {
    await using rig = await CliRig.make({ 'work/a/SKILL.md': '---\nname: No Good\ndescription: d\n---\n' });
    expect(JSON.parse((await rig.run(['read-properties', 'a/SKILL.md', '--json'])).stdout)).toEqual({
      name: 'No Good',
      description: 'd',
    });
  });

  test.each([
    ['# no', 'SKILL.md must start with YAML frontmatter (---)'],
    ['---\nname: a\n---\n', 'Missing required field in frontmatter: description'],
    ['---\nx: y\ndescription: ""\n---\n', 'Missing required field in frontmatter: name'],
    ['---\nname: a\ndescription: ""\n---\n', "Field 'description' must be a non-empty string"],
  ])('%j is refused', async (text, message) => {
    await using rig = await CliRig.make({ 'work/a/SKILL.md': text });
    expect(await rig.run(['read-properties', 'a'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Error: ${message}\n`,
    });
  });

  test('no SKILL.md is an error, no path a wrong command line', async () => {
    await using rig = await CliRig.make({ 'work/a/x': '' });
    expect(await rig.run(['read-properties', 'a'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Error: SKILL.md not found in a\n',
    });
    expect((await rig.run(['read-properties', 'gone'])).exitCode).toBe(2);
  });
});

describe('sunwell to-prompt', () => {
  const files = {
    'work/my-skill/SKILL.md': `---\nname: my-skill\ndescription: Use <b> & "q" 'a'\n---\n`,
    'work/o&o/SKILL.md': good('other'),
  };

  test('cases 32 and 33: the reference’s bytes, with real locations, in the given order', async () => {
    await using rig = await CliRig.make(files);
    await symlink('my-skill', join(rig.folder, 'work/alias'));
    const real = await realpath(join(rig.folder, 'work'));
    const ran = await rig.run(['to-prompt', 'alias', 'o&o']);
    expect(ran).toEqual({
      exitCode: 0,
      stdout: `<available_skills>
<skill>
<name>
my-skill
</name>
<description>
Use &lt;b&gt; &amp; &quot;q&quot; &#x27;a&#x27;
</description>
<location>
${real}/my-skill/SKILL.md
</location>
</skill>
<skill>
<name>
other
</name>
<description>
Reads files. Use when asked to.
</description>
<location>
${real}/o&amp;o/SKILL.md
</location>
</skill>
</available_skills>
`,
      stderr: '',
    });
  });

  test('--style and --root', async () => {
    await using rig = await CliRig.make(files);
    const inline = await rig.run(['to-prompt', 'o&o', '--style', 'inline', '--root', '.']);
    expect(inline.stdout).toBe(
      '<available_skills>\n<skill name="other" location="o&amp;o/SKILL.md">Reads files. Use when asked to.</skill>\n</available_skills>\n',
    );
    const compact = await rig.run(['to-prompt', 'o&o', 'o&o', '--style', 'compact']);
    expect(compact.stdout).toBe(
      '<available_skills>\n<skill name="other"/>\n<skill name="other"/>\n</available_skills>\n',
    );
    expect((await rig.run(['to-prompt', 'o&o', '--style', 'huge'])).exitCode).toBe(2);
    expect((await rig.run(['to-prompt', 'o&o', '--root', 'gone'])).exitCode).toBe(2);
    expect((await rig.run(['to-prompt'])).exitCode).toBe(2);
  });

  test('one bad skill, and nothing is printed', async () => {
    await using rig = await CliRig.make({ ...files, 'work/bad/SKILL.md': 'x' });
    expect(await rig.run(['to-prompt', 'my-skill', 'bad'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Error: SKILL.md must start with YAML frontmatter (---)\n',
    });
  });

  test('--json also has the skills one by one; a terminal is not made to obey a description', async () => {
    const evil = '---\nname: a\ndescription: "x\\e[2Jy"\n---\n';
    await using rig = await CliRig.make({ 'work/a/SKILL.md': evil });
    const ran = await rig.run(['to-prompt', 'a', '--root', '.', '--style', 'compact', '--json']);
    expect(JSON.parse(ran.stdout)).toEqual({
      prompt: '<available_skills>\n<skill name="a"/>\n</available_skills>',
      skills: [{ name: 'a', description: 'x\u001b[2Jy', location: 'a/SKILL.md' }],
    });
    expect((await rig.run(['to-prompt', 'a'])).stdout).toContain('\u001b');
    rig.actAsTerminal();
    expect((await rig.run(['to-prompt', 'a'])).stdout).not.toContain('\u001b');
  });
});
