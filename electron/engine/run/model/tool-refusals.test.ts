import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Turn } from '../../models/testing/fake-server.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { ModelRig, modelSkill, toldOf } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';

const canRun = await canRunScripts();

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

const all = 'allowed_tools: [Read, Write, Edit, Glob, Grep, "Bash(cat:*)", "Bash(ls:*)"]';
const files = {
  'a.md': 'harbor\n',
  'src/b.ts': 'x\n',
  '.env': 'SECRET=canary-secret\n',
  'hidden/c.md': 'no\n',
};

async function make(...more: readonly string[]): Promise<ModelRig> {
  return ModelRig.make({ sandbox: box.sandbox, skills: modelSkill('work', ...more), files });
}

/** How one call of a tool went, as the model was told. */
async function call(made: ModelRig, tool: string, input: object): Promise<{ ok: boolean; message?: string }> {
  made.server.answerWith({ call: tool, input }, { say: 'Done' });
  const { record, events } = await made.rig.run({ noCache: true });
  expect(record.steps[0]!.state).toBe('ran');
  const [told] = toldOf(events, 'skill_tool') as { ok: boolean; message?: string }[];
  return { ok: told!.ok, ...(told!.message !== undefined && { message: told!.message }) };
}

describe('a tool of a model step', () => {
  test.each<[string, object, string]>([
    ['Read', { path: '../../etc/passwd' }, 'it is not a path within the workspace'],
    ['Read', { path: '/etc/passwd' }, 'it is not a path within the workspace'],
    ['Read', { path: '/workspace/../etc/passwd' }, 'it is not a path within the workspace'],
    ['Read', { path: 'link.md' }, 'there is no such file'],
    ['Read', { path: '.env' }, 'there is no such file'],
    ['Read', { path: 'hidden/c.md' }, 'there is no such file'],
    ['Write', { path: '../out.md', text: 'x' }, 'it is not a path within the workspace'],
    ['Write', { path: '/tmp/out.md', text: 'x' }, 'it is not a path within the workspace'],
    ['Write', { path: '.git/hooks/post-commit', text: 'x' }, 'is kept from scripts'],
    ['Write', { path: '.sunwell/config.yaml', text: 'x' }, 'is kept from scripts'],
    ['Write', { path: 'a.md/b', text: 'x' }, 'a file or folder is in its way'],
    ['Edit', { path: 'a.md', old: 'gone', new: 'x' }, 'the old text is not in it'],
    ['Bash', { command: 'curl http://127.0.0.1' }, 'may only run single commands like cat:*; ls:*'],
    ['Bash', { command: 'cat a.md; id' }, 'may only run single commands like cat:*; ls:*'],
    ['Grep', { pattern: 'x', path: '../..' }, 'it is not a path within the workspace'],
    ['RunScript', { name: 'x.sh' }, 'unavailable tool'],
    ['WebFetch', { url: 'http://127.0.0.1' }, 'unavailable tool'],
    ['Read', { path: 5 }, 'Invalid input'],
  ])('refuses %s %j', async (tool, input, message) => {
    await using made = await make(all, 'files: ["*.md", "src/**", "link.md"]');
    await symlink('/etc/passwd', join(made.rig.root, 'link.md'));
    expect(await call(made, tool, input)).toEqual({
      ok: false,
      message: expect.stringContaining(message) as string,
    });
    expect(made.sent(1)).toContain(message.slice(0, 20));
  });

  test('is not offered where the skill does not list it', async () => {
    await using made = await make('allowed_tools: [Read]');
    expect(await call(made, 'Write', { path: 'x.md', text: 'x' })).toMatchObject({ ok: false });
    const { tools } = made.server.received[0]!.body as { tools: { function: { name: string } }[] };
    expect(tools.map(({ function: { name } }) => name)).toEqual(['Read']);
  });

  test('is offered nowhere where the skill lists none', async () => {
    await using made = await make();
    made.server.answerWith({ say: 'Done' });
    await made.rig.run();
    expect(made.server.received[0]!.body).not.toHaveProperty('tools');
  });

  test('keeps to the paths that the skill may write', async () => {
    await using made = await make(
      'allowed_tools: [Write]',
      'permissions: {filesystem: {write: ["docs/**"]}}',
    );
    expect(await call(made, 'Write', { path: 'src/x.ts', text: 'x' })).toEqual({
      ok: false,
      message: 'Cannot write "src/x.ts": the permissions of the skill leave it out',
    });
  });

  test.runIf(canRun)('sees in a later look what an earlier one wrote, also in the sandbox', async () => {
    await using made = await make('allowed_tools: [Read, Write, Edit, Grep, Glob, Bash]');
    const turns: Turn[] = [
      { call: 'Write', input: { path: 'docs/new.md', text: 'tides\n' } },
      { call: 'Edit', input: { path: 'docs/new.md', old: 'tides', new: 'high tides' } },
      { call: 'Read', input: { path: '/workspace/docs/new.md' } },
      { call: 'Grep', input: { pattern: 'high.tides' } },
      { call: 'Glob', input: { pattern: 'docs/*' } },
      {
        call: 'Bash',
        input: { command: 'cat docs/new.md && cat a.md && echo low > "$SUNWELL_FILES/low.md"' },
      },
      { call: 'Read', input: { path: 'low.md' } },
      { say: 'Done' },
    ];
    made.server.answerWith(...turns);
    const { record, events } = await made.rig.run();
    expect(toldOf(events, 'skill_tool').map((told) => (told as { ok: boolean }).ok)).toEqual(
      Array<boolean>(7).fill(true),
    );
    const last = made.sent(7);
    for (const text of ['./docs/new.md:1:high tides', 'high tides\\nharbor', '"low'])
      expect(last).toContain(text);
    expect(record.steps[0]!.artifacts.map(({ path }) => path).sort()).toEqual(['docs/new.md', 'low.md']);
  });

  test('ends the step after 20 of them', async () => {
    await using made = await make('allowed_tools: [Glob]');
    made.server.answerWith(...Array<Turn>(25).fill({ call: 'Glob', input: { pattern: '*' } }));
    const { record } = await made.rig.run();
    expect(record.steps[0]).toMatchObject({
      state: 'failed',
      error: { details: { kind: 'too-many-steps' } },
      model: { calls: 20 },
    });
    expect(made.server.received.length).toBe(20);
  });
});

test.runIf(canRun)('scripts that nobody trusts are left out, and it is said', async () => {
  const skills = `${modelSkill('work', 'trust: none', 'allowed_tools: [Bash, RunScript, Read]')}  scripts:\n    - { name: s.sh, content: exit 1 }\n`;
  await using made = await ModelRig.make({ sandbox: box.sandbox, skills });
  made.server.answerWith({ say: 'By words alone' });
  const { record } = await made.rig.run();
  expect([record.status, record.warnings]).toEqual([
    'succeeded',
    ['"work" is not trusted: its scripts are left out'],
  ]);
  const { tools } = made.server.received[0]!.body as { tools: { function: { name: string } }[] };
  expect(tools.map(({ function: { name } }) => name)).toEqual(['Read']);
});
