import { spawnSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLibrary } from '#shared/lens/read/library.ts';
import type { Skill } from '#shared/model/skill.ts';
import { ResolveRig, line, problems, waveNames } from './testing/resolve-rig.ts';

const folder = join(import.meta.dirname, '../../../resources/library');
const rig = new ResolveRig();
let skills: ReadonlyMap<string, Skill>;

beforeAll(async () => {
  const read = readLibrary(await readFile(join(folder, 'common.skills.yaml'), 'utf8'), 'common.skills.yaml');
  expect(read.diagnostics.map(line)).toEqual([]);
  skills = new Map(read.value.skills.map((skill) => [skill.name, skill]));
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Any value of a kind: the interpreter's own words and columns differ from version to version. */
const some = (kind: unknown): unknown => expect.any(kind);

const interpreters = { python: ['python3', '-I', '-B'], node: ['node'], bash: ['bash', '-p'] } as const;

interface Outcome {
  readonly outputs: Record<string, unknown>;
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs a skill's script as the sandbox does: the workspace is where it is, the request comes on standard input. */
function run(name: string, workspace: string, request: { inputs?: object; params?: object } = {}): Outcome {
  const skill = skills.get(name)!;
  const [script] = skill.scripts!;
  const [command, ...args] = [...interpreters[script!.language], join(folder, script!.file!)];
  const input = JSON.stringify({ task: 'test', inputs: {}, params: {}, ...request });
  const child = spawnSync(command, args, { cwd: workspace, input, encoding: 'utf8' });
  const produced = skill.produces!.map(({ key }) => key);
  const isJson = child.stdout.startsWith('{');
  const all = isJson ? (JSON.parse(child.stdout) as Record<string, unknown>) : {};
  if (isJson) expect(Object.keys(all)).toEqual(expect.arrayContaining(produced));
  return { outputs: all, stdout: child.stdout, stderr: child.stderr, code: child.status };
}

async function runOn(name: string, files: Record<string, string>, params: object = {}): Promise<Outcome> {
  const workspace = await rig.world.makeWorkspace(files);
  return run(name, workspace, { inputs: { file_list: Object.keys(files) }, params });
}

test('sunwell/common resolves to one graph without problems', async () => {
  const resolution = await rig.resolveIn(folder, 'common.skills.yaml');
  expect(problems(resolution)).toEqual([]);
  expect(waveNames(resolution)).toEqual([
    ['count-lines', 'diff-texts', 'list-files', 'read-text'],
    [
      'check-links',
      'count-words',
      'extract-python-api',
      'find-todos',
      'outline-markdown',
      'review-diff',
      'search-text',
      'summarize',
      'summarize-tree',
      'validate-json',
    ],
    ['explain-code', 'report-docs', 'write-changelog-entry'],
  ]);
});

test('a lens reaches a skill of sunwell/common and all that it depends on', async () => {
  const resolution = await rig.resolve({
    'a.lens': [
      'metadata: {name: A, version: 1.0.0}',
      'skills:',
      '  - name: publish',
      '    description: Publish the report',
      '    instructions: Publish it',
      '    depends_on: ["sunwell/common:report-docs"]',
      '    requires: [docs_report]',
    ].join('\n'),
  });
  expect(waveNames(resolution)).toEqual([
    ['list-files'],
    ['check-links', 'count-words', 'find-todos', 'outline-markdown'],
    ['report-docs'],
    ['publish'],
  ]);
  expect(problems(resolution)).toEqual([]);
});

test('every script file belongs to a skill that is sandboxed, described and triggered', async () => {
  const used = [...skills.values()].flatMap((skill) => (skill.scripts ?? []).map((script) => script.name));
  expect(await readdir(join(folder, 'scripts'))).toEqual(used.sort());
  for (const skill of skills.values()) {
    expect([skill.name, skill.trust, skill.type]).toEqual([skill.name, 'sandboxed', 'inline']);
    expect(skill.triggers?.length).toBeGreaterThan(1);
  }
});

test('list-files lists every file, sorted', async () => {
  const workspace = await rig.world.makeWorkspace({ 'b/c.md': '', 'a b.txt': '', 'b/ä.py': '', '.x': '' });
  expect(run('list-files', workspace).outputs).toEqual({ file_list: ['.x', 'a b.txt', 'b/c.md', 'b/ä.py'] });
});

test('count-lines counts lines, whatever the files are called', async () => {
  const { stdout, code } = await runOn('count-lines', { 'b/c.md': '1\n2\n', 'a b $(x).txt': '1\n', e: '' });
  expect({ stdout, code }).toEqual({ stdout: '1 a b $(x).txt\n2 b/c.md\n0 e\n', code: 0 });
});

test('summarize-tree counts by folder and by extension', async () => {
  const { outputs } = await runOn('summarize-tree', {
    'a/x.md': '',
    'a/y.py': '',
    'b/z.py': '',
    LICENSE: '',
  });
  expect(outputs).toEqual({
    tree_summary: {
      files: 4,
      folders: [
        { name: 'a', files: 2 },
        { name: '.', files: 1 },
        { name: 'b', files: 1 },
      ],
      extensions: [
        { name: '.py', files: 2 },
        { name: '(none)', files: 1 },
        { name: '.md', files: 1 },
      ],
    },
  });
});

test('read-text reads a file of the workspace and no other', async () => {
  const read = (path?: string) => runOn('read-text', { 'a/x.md': 'ä\n' }, { path });
  expect((await read('a/x.md')).outputs).toEqual({ text: 'ä\n', content: 'ä\n' });
  expect((await read('../x')).stderr).toBe('Cannot read "../x": only files of the workspace can be read\n');
  expect((await read('/etc/hosts')).code).toBe(1);
  expect((await read('none')).stderr).toBe('Cannot read "none": No such file or directory\n');
  expect((await read()).stderr).toContain('The parameter "path" is missing');
});

test('diff-texts gives a unified diff', async () => {
  const files = { 'a.txt': '1\n2\n', 'b.txt': '1\n3\n' };
  const { outputs } = await runOn('diff-texts', files, { before: 'a.txt', after: 'b.txt' });
  const diff = '--- a.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3';
  expect(outputs).toEqual({ text_diff: diff, content: diff });
  expect((await runOn('diff-texts', files, { before: 'a.txt' })).stderr).toContain('"after" is missing');
});

test('search-text finds plain text and regular expressions', async () => {
  const files = { 'a.md': 'One (x)\ntwo\n', 'b.bin': '\0(x)', 'c.md': 'ONE' };
  const search = async (params: object) => (await runOn('search-text', files, params)).outputs['matches'];
  expect(await search({ query: '(x)' })).toEqual({
    query: '(x)',
    total: 1,
    shown: [{ path: 'a.md', line: 1, text: 'One (x)' }],
  });
  expect(await search({ query: '^one', regex: true, ignore_case: true })).toMatchObject({ total: 2 });
  expect((await runOn('search-text', files, { query: '(', regex: true })).code).toBe(1);
  expect((await runOn('search-text', files)).stderr).toContain('The parameter "query" is missing');
});

test('find-todos finds notes with their owner', async () => {
  const files = {
    'a.py': 'x = 1  # TODO(ada): tidy\n',
    'b.html': '\n<!-- FIXME later -->',
    'c.md': 'Todoist',
  };
  expect((await runOn('find-todos', files)).outputs).toEqual({
    todos: [
      { path: 'a.py', line: 1, kind: 'TODO', owner: 'ada', text: 'tidy' },
      { path: 'b.html', line: 2, kind: 'FIXME', owner: null, text: 'later' },
    ],
  });
});

test('count-words counts prose and leaves code blocks out', async () => {
  const files = {
    'a.md': "It's well-known\n\n```\nnot counted here\n```\n\n[yes](no.md)\n",
    'b.py': 'no no',
    'c.txt': 'eins zwei',
  };
  expect((await runOn('count-words', files)).outputs).toEqual({
    word_counts: {
      pages: [
        { page: 'a.md', words: 3 },
        { page: 'c.txt', words: 2 },
      ],
      total: 5,
      minutes: 1,
    },
  });
});

test('outline-markdown lists headings outside code and skipped levels', async () => {
  const files = { 'a.md': '# One\n~~~\n# code\n~~~\n### Three ###\n#no\n', 'b.txt': '# no' };
  expect((await runOn('outline-markdown', files)).outputs).toEqual({
    outlines: [
      {
        page: 'a.md',
        headings: [
          { level: 1, text: 'One', line: 1 },
          { level: 3, text: 'Three', line: 5 },
        ],
        skipped_levels: [5],
      },
    ],
  });
});

test('check-links finds files and headings that are not there', async () => {
  const files = {
    'docs/a.md': [
      '# A page: `x`, really!',
      '[ok](b.md) [ok](../src/) ![ok](b%20c.png) [ok](#a-page-x-really) [ok](b.md#two-1) [ok](/docs/b.md)',
      '[ok](https://127.0.0.1/none) [ok](mailto:a@b) `[code](none.md)` [ok](<b c.png> "title")',
      '[bad](none.md) [bad](b.md#three) ![bad](none.png)',
      '```',
      '[code](none.md)',
      '```',
      '[ref]: gone.md',
      '[ok](b.md#pinned) [bad](../../outside.md)',
    ].join('\n'),
    'docs/b.md': '## Two\n## Two\n<a id="pinned"></a>\n',
    'docs/b c.png': '',
    'src/x.py': '',
  };
  const { outputs, stderr } = await runOn('check-links', files);
  expect(outputs).toEqual({
    dead_links: [
      { page: 'docs/a.md', line: 4, target: 'none.md', problem: 'no such file' },
      { page: 'docs/a.md', line: 4, target: 'b.md#three', problem: 'no such heading' },
      { page: 'docs/a.md', line: 4, target: 'none.png', problem: 'no such file' },
      { page: 'docs/a.md', line: 8, target: 'gone.md', problem: 'no such file' },
      { page: 'docs/a.md', line: 9, target: '../../outside.md', problem: 'no such file' },
    ],
  });
  expect(stderr).toContain('docs/a.md:4: no such heading: b.md#three');
});

test('validate-json names the place of a mistake, and keys that are there twice', async () => {
  const files = {
    'bad.json': '{\n  "a": 1,\n}',
    'deep.json': '['.repeat(100_000),
    'good.json': '{"a": [1]}',
    'nan.json': '[NaN]',
    'twice.json': '{"a": 1, "a": 2}',
  };
  const nowhere = { line: null, column: null };
  expect((await runOn('validate-json', files)).outputs).toEqual({
    json_problems: [
      { path: 'bad.json', line: some(Number), column: some(Number), problem: some(String) },
      { path: 'deep.json', ...nowhere, problem: 'it is nested too deeply' },
      { path: 'nan.json', ...nowhere, problem: 'NaN is no JSON value' },
      { path: 'twice.json', ...nowhere, problem: "the key 'a' is there twice" },
    ],
  });
});

test('extract-python-api reads public names and goes on after a module that cannot be read', async () => {
  const files = {
    'a.py': [
      'raise SystemExit("run")',
      'class Boat:',
      '    """A boat.\n\n    More."""',
      '    def sail(self, to: str = "x") -> int: ...',
      '    def _hide(self): ...',
      'async def moor(*, fast=False): ...',
    ].join('\n'),
    'b.py': 'def broken(:',
  };
  const { outputs } = await runOn('extract-python-api', files);
  expect(outputs).toEqual({
    python_api: [
      { module: 'a.py', name: 'Boat', kind: 'class', line: 2, signature: '', about: 'A boat.' },
      {
        module: 'a.py',
        name: 'Boat.sail',
        kind: 'method',
        line: 6,
        signature: "(self, to: str='x')",
        about: '',
      },
      { module: 'a.py', name: 'moor', kind: 'function', line: 8, signature: '(*, fast=False)', about: '' },
    ],
    python_problems: [{ module: 'b.py', line: 1, problem: some(String) }],
  });
});

test('report-docs runs on what the skills it depends on deliver', async () => {
  const files = { 'a.md': '# A\n### B\n[x](none.md)\nTODO: more\n' };
  const workspace = await rig.world.makeWorkspace(files);
  const inputs: Record<string, unknown> = { ...run('list-files', workspace).outputs };
  for (const name of skills.get('report-docs')!.dependsOn!.map(({ text }) => text)) {
    Object.assign(inputs, run(name, workspace, { inputs }).outputs);
  }
  expect(run('report-docs', workspace, { inputs }).outputs['docs_report']).toBe(
    [
      '# How the documentation stands',
      '',
      'Pages: 1, words: 5, minutes to read: 1.',
      '',
      '## Links that lead nowhere',
      '',
      '- a.md:3: none.md (no such file)',
      '',
      '## Headings that skip a level',
      '',
      '- a.md:2',
      '',
      '## Open notes',
      '',
      '- a.md:4: TODO more',
      '',
    ].join('\n'),
  );
});
