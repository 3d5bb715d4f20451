import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { agentTable } from '#shared/agent-skills/agents.ts';
import { CliRig } from '../testing/cli-rig.ts';

const execute = promisify(execFile);
const isMissing = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status !== 0;

/** A command as its own help tells it: the words that lead to it, the commands and the options below it. */
interface Told {
  readonly path: readonly string[];
  readonly commands: readonly string[];
  readonly flags: readonly string[];
}

async function toldByHelp(rig: CliRig, path: readonly string[] = []): Promise<Told[]> {
  const { stdout } = await rig.run([...path, '--help']);
  const terms = (title: string): string[] =>
    (new RegExp(`^${title}:\\n((?: .*\\n)*)`, 'm').exec(stdout)?.[1] ?? '')
      .split('\n')
      .flatMap((line) => /^ {2}(\S.*?)(?: {2}|$)/.exec(line)?.[1] ?? []);
  const commands = terms('Commands').map((term) => term.split(' ', 1)[0] ?? '');
  const flags = terms('Options').flatMap((term) => term.match(/(?<=^|, )-[\w-]+/g) ?? []);
  const told: Told[] = [{ path, commands, flags }];
  for (const name of commands) if (name !== 'help') told.push(...(await toldByHelp(rig, [...path, name])));
  return told;
}

/** What bash offers for the last word of each command line, as it calls the script. */
async function completeInBash(rig: CliRig, lines: readonly (readonly string[])[]): Promise<string[][]> {
  const { stdout: script } = await rig.run(['completion', 'bash']);
  const calls = lines.map((words) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(sunwell ${quoted}) COMP_CWORD=${words.length}; _sunwell; echo "$(printf '%s|' "\${COMPREPLY[@]}")"`;
  });
  await rig.write({ 'try.bash': [script, ...calls].join('\n') });
  const { stdout } = await execute('bash', ['--norc', '../try.bash'], { cwd: join(rig.folder, 'work') });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|').filter(Boolean).sort());
}

/** The options that every command takes besides its own. */
const shared = ['--workspace', '--json', '--no-color', '--frozen'];

const agentsFromC = agentTable.map(({ id }) => id).filter((id) => id.startsWith('c'));

describe('sunwell completion', () => {
  test.skipIf(isMissing('bash'))('bash: offers every command and every option that help tells', async () => {
    await using rig = await CliRig.make();
    const told = await toldByHelp(rig);
    const expected = told.flatMap(({ path, commands, flags }) => [
      ...(commands.length > 0 ? [{ words: [...path, ''], found: [...commands].sort() }] : []),
      { words: [...path, '-'], found: [...new Set([...flags, ...shared])].sort() },
    ]);
    const found = await completeInBash(
      rig,
      expected.map(({ words }) => words),
    );
    expect(expected.map(({ words }, i) => ({ words, found: found[i] }))).toEqual(expected);
    expect(told.length).toBeGreaterThan(40);
  });

  test.skipIf(isMissing('bash')).each<[string, string[], string[]]>([
    ['what begins with the word', ['lens', 'sk'], ['skill-graph', 'skill-plan']],
    ['a command behind an option with its value', ['--workspace', 'lens', 'doc'], ['doctor']],
    [
      'lenses and folders for a lens',
      ['lens', 'show', ''],
      ['.git', 'a.lens', 'lenses', 'my notes', 'odd:name.lens'],
    ],
    ['other files where no lens fits', ['lens', 'show', 'lib'], ['library.yaml']],
    ['folders for a folder', ['--workspace', 'm'], ['my notes']],
    ['files again and again where many may stand', ['validate', 'a.lens', 'lib'], ['library.yaml']],
    ['nothing for what only people know', ['apply', 'a.lens', ''], []],
    ['nothing behind the last word', ['completion', 'bash', ''], []],
    ['the choices of an argument', ['completion', ''], ['bash', 'fish', 'zsh']],
    ['the kinds of files that have a schema', ['schema', 'l'], ['lens', 'library', 'lock']],
    ['the agents that skills are installed for', ['skills', 'install', 'a', '--into', 'c'], agentsFromC],
    ['the choices of an option', ['validate', '--format', ''], ['json', 'sarif', 'text']],
    ['the choices behind "="', ['validate', '--format', '=', 's'], ['sarif']],
    ['the choices right behind "="', ['validate', '--format', '='], ['json', 'sarif', 'text']],
    ['whole words where "=" does not split', ['validate', '--format=s'], ['--format=sarif']],
    ['files behind a key', ['apply', '--input-file', 'key', '=', 'lib'], ['library.yaml']],
    ['options in place of a value that may be missing', ['apply', '--force', '--fail-'], ['--fail-fast']],
    ['what follows a value that may be missing', ['apply', '--force', 'x', 'a'], ['a.lens']],
    ['the rest of a name with ":"', ['lens', 'show', 'odd', ':', 'na'], ['name.lens']],
    ['no options behind "--"', ['completion', '--', '-'], []],
    ['nothing behind an unknown command', ['lens', 'lits', ''], []],
  ])('bash: offers %s', async (_, words, found) => {
    await using rig = await CliRig.make({
      'work/a.lens': '',
      'work/library.yaml': '',
      'work/odd:name.lens': '',
      'work/lenses/b.lens': '',
      'work/my notes/c.txt': '',
    });
    expect(await completeInBash(rig, [words])).toEqual([found]);
  });

  test('zsh: has every command and every option that help tells', async () => {
    await using rig = await CliRig.make();
    const { stdout } = await rig.run(['completion', 'zsh']);
    const missing = (await toldByHelp(rig)).flatMap(({ path, commands, flags }) => {
      const name = ['_sunwell', ...path].join('_');
      const body = stdout.split(`\n${name}() {\n`)[1]?.split('\n}\n', 1)[0] ?? '';
      return [
        ...commands.filter(
          (each) => !body.includes(`    '${each}:`) || !body.includes(` ${name}_${each} &&`),
        ),
        ...[...flags, ...shared].filter((flag) => !new RegExp(`[' )*]${flag}=?\\[`).test(body)),
      ].map((word) => [...path, word].join(' '));
    });
    expect([missing, stdout.split('\n', 1)]).toEqual([[], ['#compdef sunwell']]);
  });

  test('fish: has every command and every option that help tells', async () => {
    await using rig = await CliRig.make();
    const lines = (await rig.run(['completion', 'fish'])).stdout.split('\n');
    const missing = (await toldByHelp(rig)).flatMap(({ path, commands, flags }) => {
      const at = path.length === 1 ? path.join('') : `\\'${path.join(' ')}\\'`;
      const ours = lines.filter((line) => line.startsWith(`complete -c sunwell -n '__sunwell_at ${at}`));
      const option = (flag: string): string =>
        flag.startsWith('--') ? ` -l ${flag.slice(2)} ` : ` -s ${flag.slice(1)} `;
      return [
        ...commands.filter((each) => !ours.some((line) => line.includes(` 0 0' -a ${each} -d `))),
        ...[...flags, ...shared].filter((flag) => !ours.some((line) => line.includes(option(flag)))),
      ].map((word) => [...path, word].join(' '));
    });
    expect(missing).toEqual([]);
  });

  test.for([
    ['zsh', '-fn'],
    ['fish', '-n'],
  ] as const)(
    '%s: reads the script without an error, where it is installed',
    async ([shell, check], { skip }) => {
      skip(isMissing(shell), `${shell} is not installed`);
      await using rig = await CliRig.make();
      const { stdout } = await rig.run(['completion', shell]);
      await rig.write({ script: stdout });
      expect(await execute(shell, [check, join(rig.folder, 'script')])).toEqual({ stdout: '', stderr: '' });
    },
  );

  test('--json has the script in a document', async () => {
    await using rig = await CliRig.make();
    const { stdout: script } = await rig.run(['completion', 'fish']);
    const { stdout } = await rig.run(['completion', 'fish', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script });
  });

  test.each([
    [[], 'missing required argument "bash|zsh|fish"'],
    [['tcsh'], 'value "tcsh" is invalid for argument "bash|zsh|fish". Allowed choices are bash, zsh, fish'],
  ])('%j is refused with the shells there are', async (words, reason) => {
    await using rig = await CliRig.make();
    expect(await rig.run(['completion', ...words])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `Cannot read the command line: ${reason}, see "sunwell --help"\n`,
    });
  });
});
