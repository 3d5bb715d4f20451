import { afterAll, describe, expect, test } from 'vitest';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { RunsRig } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
afterAll(() => testing[Symbol.dispose]());

interface Case {
  /** The file name says the language. */
  readonly script: string;
  readonly code: string;
  readonly more?: string;
  readonly told: readonly string[];
}

const inputs = 'import json, os\ninputs = json.load(open(os.environ["SUNWELL_INPUT"]))["inputs"]\n';
const hidden =
  '"docs/index.md" is in the workspace, but "{}" sees other files only: add "docs/index.md" to its "files"';
const whole = 'scripts find what is installed for the whole system, nothing from a home or a workspace';
const offline = 'Scripts have no network: give them what they need as an input or as a file of the workspace';
const readOnly = 'Scripts cannot change the workspace: write files below $SUNWELL_FILES to propose them';

const cases: Readonly<Record<string, Case>> = {
  'py-file': { script: 'a.py', code: 'open("docs/index.md")', more: 'files: ["src/**"]', told: [hidden] },
  'js-file': {
    ...{ script: 'a.mjs', more: 'files: ["src/**"]', told: [hidden] },
    code: 'import { readFileSync } from "node:fs"; readFileSync("/workspace/docs/index.md")',
  },
  'sh-file': { script: 'a.sh', code: 'cat ./docs/index.md', more: 'files: ["src/**"]', told: [hidden] },
  'sh-spaces': {
    ...{ script: 'a.sh', code: 'cat "docs/my [first] page.md"', more: 'files: ["src/**"]' },
    told: [
      '"docs/my [first] page.md" is in the workspace, but "{}" sees other files only: add "docs/my ?first? page.md" to its "files"',
    ],
  },
  'py-folder': {
    ...{ script: 'a.py', code: 'import os\nos.listdir("docs/")', more: 'files: []' },
    told: ['"docs" is in the workspace, but "{}" sees no files: add "docs/**" to its "files"'],
  },
  permissions: {
    ...{ script: 'a.sh', code: 'cat docs/index.md', more: 'permissions: {filesystem: {read: ["src/**"]}}' },
    told: ['"docs/index.md" is in the workspace, but the permissions of "{}" do not let it read that'],
  },
  secret: {
    ...{ script: 'a.sh', code: 'cat .env' },
    told: ['".env" is kept from every script, as secrets are: give it what it needs as an input'],
  },
  'own-fault': { script: 'a.sh', code: 'cat docs/nowhere.md', more: 'files: ["docs/**"]', told: [] },
  'says-so': { script: 'a.sh', code: 'echo "docs/index.md is bad" >&2; exit 1', more: 'files: []', told: [] },
  'no-key': {
    ...{ script: 'a.py', code: `${inputs}inputs["pages"]`, more: 'depends_on: [list-pages]' },
    told: ['"{}" does not ask for "pages", which "list-pages" delivers: add it to its "requires"'],
  },
  'no-dependency': {
    ...{ script: 'a.py', code: `${inputs}inputs["pages"]` },
    told: [
      '"{}" does not ask for "pages", which "list-pages" delivers: add it to its "requires", and "list-pages" to its "depends_on"',
    ],
  },
  'no-input': {
    ...{ script: 'a.py', code: `${inputs}inputs["topic"]` },
    told: ['"{}" does not ask for "topic", an input of the lens: add it to its "requires"'],
  },
  'other-key': { script: 'a.py', code: '{}["pagers"]', told: [] },
  'py-writes': { script: 'a.py', code: 'open("docs/new.md", "w")', told: [readOnly] },
  'sh-writes': { script: 'a.sh', code: 'echo x > docs/new.md', told: [readOnly] },
  'py-network': {
    ...{ script: 'a.py', code: 'import urllib.request\nurllib.request.urlopen("http://example.test")' },
    told: [offline],
  },
  'js-network': { script: 'a.mjs', code: 'await fetch("http://127.0.0.1:8099")', told: [offline] },
  'no-program': {
    ...{ script: 'a.sh', code: 'no-such-program --now' },
    told: [`There is no program "no-such-program" in the sandbox: ${whole}`],
  },
  'no-python': {
    ...{ script: 'a.py', code: 'import nosuch.inner' },
    told: [`There is no module "nosuch" in the sandbox: ${whole}`],
  },
  'no-node': {
    ...{ script: 'a.mjs', code: 'import "@own/nosuch"' },
    told: [`There is no module "@own/nosuch" in the sandbox: ${whole}`],
  },
};

function yaml([name, { script, code, more }]: [string, Case]): string {
  const fields = more === undefined ? '' : `      ${more}\n`;
  return `    - name: ${name}\n      description: Fails\n${fields}      scripts: [{name: ${script}, content: ${JSON.stringify(code)}}]\n`;
}

describe.skipIf(!isAvailable)('a script that failed', () => {
  test('says what the sandbox kept from it and what to do, and nothing where it is to blame itself', async () => {
    const lister = `    - name: list-pages\n      description: Lists\n      produces: [pages]\n      scripts: [{name: a.sh, content: "echo []"}]\n`;
    const files = { 'docs/index.md': 'a', 'docs/my [first] page.md': 'b', 'src/a.py': 'c', '.env': 'd' };
    const head = 'inputs: [topic]\nskill_retry: { max_attempts: 1 }\n';
    const skills = lister + Object.entries(cases).map(yaml).join('');
    await using rig = await RunsRig.make(testing.sandbox, skills, files, head);
    const { record, events } = await rig.run({ inputs: { topic: 'tides' } });
    const told = record.steps.flatMap(({ skill, error }) =>
      error ? [[skill, (error.waysOut ?? []).map(({ sentence }) => sentence)]] : [],
    );
    const expected = Object.entries(cases).map(([name, one]) => [
      name,
      one.told.map((sentence) => sentence.replace('{}', name)),
    ]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
    const ended = events.find(
      (event) => event.type === 'skill_execute_complete' && event.skill_name === 'secret',
    );
    expect(ended).toMatchObject({ error: { waysOut: [{ id: 'blocked-file', subject: '.env' }] } });
    const shown = await rig.runs().show(record.runId);
    expect(shown.steps).toEqual(record.steps);
  });
});
