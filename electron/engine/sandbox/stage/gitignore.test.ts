import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { walkWorkspace } from './walk.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const hasGit = (() => {
  try {
    return execFileSync('git', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

const paths = [
  'a',
  'a.log',
  'b/a',
  'b/a.log',
  'b/c/a.log',
  'b/c/d/e',
  'build/x',
  'b/build/x',
  'keep/a.log',
  '#x',
  '!y',
  'sp ace',
  'b/foo',
  'foo/bar/z',
  'A.LOG',
  'b/x[1]',
];

const ignoreFiles: Record<string, string>[] = [
  { '.gitignore': '*.log\n!keep/a.log\n' },
  { '.gitignore': '/build\n' },
  { '.gitignore': 'build/\n# comment\n\n\\#x\n\\!y\n' },
  { '.gitignore': 'b/*\n!b/c\n' },
  { '.gitignore': '**/foo\nb/**/e\n' },
  { '.gitignore': 'foo/**\n!foo/bar\n' },
  { '.gitignore': '*\n!*/\n!a\n' },
  { '.gitignore': 'b/\n!b/a\n', 'b/.gitignore': '!a\n' },
  { '.gitignore': '*.log\n', 'b/.gitignore': '!a.log\n/c\n' },
  { '.gitignore': 'sp ace   \n?\nx\\[1\\]\n' },
  { '.gitignore': '[ab]\n*.LOG\n' },
  { '.gitignore': 'b/c/\r\n*.log\r\n' },
];

test.runIf(hasGit).each(ignoreFiles)('walkWorkspace() leaves out what git ignores by %j', async (ignore) => {
  const root = await world.makeFolder();
  for (const [path, text] of [...paths.map((name) => [name, 'x']), ...Object.entries(ignore)] as [
    string,
    string,
  ][]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  execFileSync('git', ['init', '-q', root]);
  const listed = execFileSync('git', ['-C', root, 'ls-files', '-z', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const { files } = await walkWorkspace(root);
  expect(files.map(({ path }) => path)).toEqual(listed.split('\0').filter(Boolean).sort());
});

test('walkWorkspace() obeys the .gitignore above a workspace that is a part of a repository', async () => {
  const root = await world.makeWorkspace({
    '.git/HEAD': '',
    '.gitignore': '*.log\n/app/out\n',
    'app/a.log': '',
    'app/out/x': '',
    'app/src/x': '',
  });
  const { files } = await walkWorkspace(join(root, 'app'));
  expect(files.map(({ path }) => path)).toEqual(['src/x']);
});

test('walkWorkspace() shows ignored files when asked, and blocked ones never', async () => {
  const root = await world.makeWorkspace({
    '.gitignore': 'a\n.env\n',
    a: '',
    '.env': '',
    '.env.example': '',
  });
  const { files, blocked } = await walkWorkspace(root, { withIgnored: true });
  expect(files.map(({ path }) => path)).toEqual(['.env.example', '.gitignore', 'a']);
  expect(blocked).toEqual(['.env']);
});
