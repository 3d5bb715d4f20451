import { access, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PlanId, UploadId } from '#shared/model/agent-skills.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { findAppRoot } from './store/app-root.ts';
import { Engine } from './engine.ts';
import type { SkillsDesk } from './agent-skills/skills-desk.ts';
import { makeZip } from '../testing/make-zip.ts';
import { pathsIn, skillMd, SkillRig } from './agent-skills/testing/skill-rig.ts';

const rig = new SkillRig();
const engines: Engine[] = [];
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
  await rig[Symbol.asyncDispose]();
});

const lens = 'a.lens' as FileId;
const lensText =
  'metadata: { name: A, version: 1.0.0 }\nskills:\n  - { name: read, description: Reads, instructions: Read., triggers: [manual] }\n';
const host = { kind: 'test' as const, start: undefined, async *events() {} };

interface Opened {
  readonly desk: SkillsDesk;
  readonly engine: Engine;
  readonly root: string;
  readonly home: string;
}

/** A desk on a workspace of its own, for a user with a home of their own. */
async function open(files: Record<string, string>, homeFiles: Record<string, string> = {}): Promise<Opened> {
  const root = await rig.folderWith({ [lens]: lensText, ...files });
  const home = await rig.folderWith({ 'kept.txt': '', ...homeFiles });
  const engine = await Engine.start({
    home: join(home, '.sunwell'),
    resources: `${findAppRoot(import.meta.url)}/resources`,
    environment: { HOME: home },
  });
  engines.push(engine);
  const { workspace } = await engine.open({ from: 'folder', folder: root }, host);
  return { desk: engine.agentSkills(workspace), engine, root, home };
}

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString('base64');
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('SkillsDesk.discover()', () => {
  test('lists skills by scope, without telling where they lie on this machine', async () => {
    const other = await rig.folderWith({ 'extra/SKILL.md': skillMd('extra') });
    const { desk, engine, home, root } = await open(
      { '.claude/skills/pdf/SKILL.md': skillMd('pdf'), 'skills/bad/SKILL.md': '# no frontmatter\n' },
      { '.claude/skills/pdf/SKILL.md': skillMd('pdf'), '.agents/skills/notes/SKILL.md': skillMd('notes') },
    );
    await engine.settings.change({ skillFolders: [other] });
    const list = await desk.discover();
    expect([
      list.skills.map(({ name, scope, file }) => [name, scope, file]),
      list.shadowed,
      list.skipped.map(({ file, problems }) => [file, problems[0]?.message]),
    ]).toEqual([
      [
        ['pdf', 'project', '.claude/skills/pdf/SKILL.md'],
        ['notes', 'user', '~/.agents/skills/notes/SKILL.md'],
        ['extra', 'configured', `${other}/extra/SKILL.md`],
      ],
      [
        {
          name: 'pdf',
          scope: 'user',
          file: '~/.claude/skills/pdf/SKILL.md',
          by: '.claude/skills/pdf/SKILL.md',
        },
      ],
      [['skills/bad/SKILL.md', 'SKILL.md must start with YAML frontmatter (---)']],
    ]);
    expect(JSON.stringify(list)).not.toContain(home);
    expect(JSON.stringify(list)).not.toContain(root);
  });
});

describe('SkillsDesk.show()', () => {
  test('judges by the letter, gives advice, and lists the files', async () => {
    const { desk } = await open({
      'skills/pdf/SKILL.md':
        '---\nname: PDF\ndescription: Reads PDF files. Use when asked.\n---\nRun scripts/x.py\n',
      'skills/pdf/notes.txt': 'hello',
    });
    const { validation, advice, files, properties } = await desk.show('skills/pdf/SKILL.md');
    expect({ validation, advice, files, properties }).toMatchObject({
      validation: [
        { severity: 'error', message: "Skill name 'PDF' must be lowercase", line: 2 },
        { severity: 'error', message: "Directory name 'pdf' must match skill name 'PDF'", line: 2 },
      ],
      advice: [{ message: 'The instructions name "scripts/x.py", which does not exist', line: 5 }],
      files: [{ path: 'SKILL.md' }, { path: 'notes.txt', size: 5, isExecutable: false }],
      properties: [
        { key: 'name', value: 'PDF' },
        { key: 'description', value: 'Reads PDF files. Use when asked.' },
      ],
    });
  });

  test('shows a skill that is shadowed or cannot be loaded', async () => {
    const { desk } = await open(
      { 'skills/pdf/SKILL.md': skillMd('pdf') },
      { '.claude/skills/pdf/SKILL.md': `${skillMd('pdf')}Mine.\n`, '.gemini/skills/x/SKILL.md': 'no\n' },
    );
    expect((await desk.show('~/.claude/skills/pdf/SKILL.md')).text).toContain('Mine.');
    expect((await desk.show('~/.gemini/skills/x/SKILL.md')).text).toBe('no\n');
  });

  test.each(['../SKILL.md', '/etc/passwd', '~/.ssh/SKILL.md', 'skills/other/SKILL.md'])(
    'refuses %s, which nobody found',
    async (file) => {
      const { desk } = await open({ 'skills/pdf/SKILL.md': skillMd('pdf') });
      await expect(desk.show(file)).rejects.toMatchObject({ code: 'agent-skill.not-found' });
    },
  );
});

describe('SkillsDesk.match()', () => {
  test('ranks discovered skills, or the skills of a lens by their triggers too', async () => {
    const { desk } = await open({
      'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files\n---\n',
    });
    expect((await desk.match('fill this PDF', undefined)).map(({ skill }) => skill)).toEqual(['pdf']);
    expect(await desk.match('write a manual', lens)).toMatchObject([
      { skill: 'read', reason: 'trigger "manual"' },
    ]);
  });
});

describe('SkillsDesk.planImport()', () => {
  test('shows what an archive brings, and writes exactly that once it is agreed to', async () => {
    const { desk, root } = await open({});
    const zip = makeZip([
      { name: 'pdf/SKILL.md', content: '---\nname: pdf\ndescription: Reads\nlicense: MIT\n---\nBody\n' },
      { name: 'pdf/scripts/run.sh', content: '#!/bin/sh\n', mode: 0o100755 },
    ]);
    const half = Math.floor(zip.length / 2);
    const upload = desk.upload(undefined, [{ path: 'pdf.skill', base64: base64(zip.subarray(0, half)) }]);
    desk.upload(upload, [{ path: 'pdf.skill', base64: base64(zip.subarray(half)) }]);
    const preview = await desk.planImport(lens, { from: 'upload', upload }, undefined);
    expect(preview).toMatchObject({
      ...{ kind: 'import', name: 'pdf', lens, folder: 'skills/pdf', before: lensText },
      files: [
        { path: 'pdf/scripts/run.sh', operation: 'new', size: 10, isExecutable: true },
        { path: 'pdf/SKILL.md', operation: 'new', isExecutable: false },
      ],
      notes: [{ what: 'license' }, { what: 'scripts/run.sh' }],
    });
    expect(await isThere(join(root, 'skills'))).toBe(false);
    expect(await desk.write(preview.plan)).toBe(2);
    expect(await pathsIn(join(root, 'skills'))).toEqual(['pdf/SKILL.md', 'pdf/scripts/run.sh']);
    expect(await readFile(join(root, lens), 'utf8')).toBe('after' in preview ? preview.after : '');
    await expect(desk.write(preview.plan)).rejects.toMatchObject({ code: 'agent-skill.preview-gone' });
  });

  test('takes the files of a folder, without .git, and those with "#!" as executable', async () => {
    const { desk, root } = await open({});
    const upload = desk.upload(undefined, [
      { path: 'pdf/SKILL.md', base64: base64(skillMd('pdf')) },
      { path: 'pdf/.git/config', base64: base64('secret') },
      { path: 'pdf/scripts/run.sh', base64: base64('#!/bin/sh\n') },
    ]);
    const { plan } = await desk.planImport(lens, { from: 'upload', upload }, 'my-pdf');
    await desk.write(plan);
    expect(await pathsIn(join(root, 'skills'))).toEqual(['my-pdf/SKILL.md', 'my-pdf/scripts/run.sh']);
    expect((await stat(join(root, 'skills/my-pdf/scripts/run.sh'))).mode & 0o777).toBe(0o755);
  });

  test.each([
    ['pdf/../../SKILL.md', 'agent-skill.invalid'],
    ['notes.txt', 'agent-skill.invalid'],
  ])('refuses %s', async (path, code) => {
    const { desk } = await open({});
    const upload = desk.upload(undefined, [
      { path: 'pdf/x', base64: '' },
      { path, base64: base64(skillMd('pdf')) },
    ]);
    await expect(desk.planImport(lens, { from: 'upload', upload }, undefined)).rejects.toMatchObject({
      code,
    });
  });

  test('refuses more than a skill may hold, and forgets what came before', async () => {
    const { desk } = await open({});
    const part = { path: 'x', base64: base64(Buffer.alloc(1024 * 1024)) };
    let upload: UploadId | undefined;
    for (let i = 0; i < 14; i++) upload = desk.upload(upload, [part]);
    expect(() => desk.upload(upload, [part])).toThrow(/at most 10 MiB/);
    expect(() => desk.upload(upload, [part])).toThrow(/choose them again/);
  });

  test('writes nothing where the lens changed after the preview', async () => {
    const { desk, root } = await open({ '.agents/skills/pdf/SKILL.md': skillMd('pdf') });
    const origin = { from: 'found', file: '.agents/skills/pdf/SKILL.md' } as const;
    const { plan } = await desk.planImport(lens, origin, undefined);
    await writeFile(join(root, lens), `${lensText}# mine\n`);
    await expect(desk.write(plan)).rejects.toMatchObject({ code: 'file.changed' });
    expect([await isThere(join(root, 'skills')), await readFile(join(root, lens), 'utf8')]).toEqual([
      false,
      `${lensText}# mine\n`,
    ]);
  });

  test('refuses a lens that is none of the workspace', async () => {
    const { desk } = await open({ 'skills/pdf/SKILL.md': skillMd('pdf') });
    const origin = { from: 'found', file: 'skills/pdf/SKILL.md' } as const;
    await expect(desk.planImport('../a.lens' as FileId, origin, undefined)).rejects.toMatchObject({
      code: 'file.not-in-workspace',
    });
  });
});

describe('SkillsDesk.planExport()', () => {
  test('exports a lens or one skill of it, and never over anything else', async () => {
    const { desk, root } = await open({ 'export/read/SKILL.md': 'mine\n' });
    await expect(desk.planExport(lens, undefined, 'export/')).rejects.toMatchObject({
      code: 'agent-skill.not-mounted',
      message:
        'Cannot export to "export": "export/read/SKILL.md" is there and differs; choose another folder, or remove it',
    });
    const preview = await desk.planExport(lens, 'read', 'out/skills');
    expect(preview).toMatchObject({ kind: 'export', folder: 'out/skills', skills: ['read'] });
    expect(await isThere(join(root, 'out'))).toBe(false);
    await desk.write(preview.plan);
    expect(await readFile(join(root, 'out/skills/read/SKILL.md'), 'utf8')).toContain('name: read');
    expect(await readFile(join(root, 'export/read/SKILL.md'), 'utf8')).toBe('mine\n');
  });

  test.each(['..', '../out', '/tmp', 'a/../../b', '.git/hooks', '.sunwell', 'a\\b', 'C:/x'])(
    'refuses to export to %s',
    async (folder) => {
      const { desk } = await open({});
      await expect(desk.planExport(lens, undefined, folder)).rejects.toMatchObject({
        code: 'agent-skill.not-mounted',
        details: { reason: 'unsafe' },
      });
    },
  );

  test('follows no link out of the workspace, also one that came after the preview', async () => {
    const { desk, root, home } = await open({});
    await symlink(home, join(root, 'out'));
    await expect(desk.planExport(lens, undefined, 'out/deep')).rejects.toMatchObject({
      details: { reason: 'unsafe' },
    });
    const { plan } = await desk.planExport(lens, undefined, 'later');
    await symlink(home, join(root, 'later'));
    await expect(desk.write(plan)).rejects.toMatchObject({ details: { reason: 'unsafe' } });
    // Not by a list of all files: the studio keeps its state there, in files that come and go.
    expect([await isThere(join(home, 'deep')), await isThere(join(home, 'read'))]).toEqual([false, false]);
  });
});

describe('SkillsDesk.planInstall()', () => {
  test('installs a discovered skill with what it depends on, into the folder of the table', async () => {
    const needs = `---\nname: fill\ndescription: Fills. Use it.\nmetadata:\n  sunwell: '{"depends_on":["pdf","gone"]}'\n---\nBody\n`;
    const { desk, home } = await open({
      'skills/fill/SKILL.md': needs,
      '.gemini/skills/pdf/SKILL.md': skillMd('pdf'),
    });
    const origin = { from: 'found', file: 'skills/fill/SKILL.md' } as const;
    const preview = await desk.planInstall(origin, { agent: 'cursor', scope: 'user' });
    expect(preview).toMatchObject({
      ...{ kind: 'install', folder: '~/.cursor/skills', skills: ['pdf', 'fill'] },
      notes: [{ what: 'fill', why: 'depends on "gone", which was not found' }],
    });
    expect(await isThere(join(home, '.cursor'))).toBe(false);
    await desk.write(preview.plan);
    expect(await pathsIn(join(home, '.cursor/skills'))).toEqual(['fill/SKILL.md', 'pdf/SKILL.md']);
  });

  test('writes nothing where a file changed after the preview, and the preview is gone', async () => {
    const { desk, root } = await open({ '.claude/skills/read/SKILL.md': 'old\n' });
    const origin = { from: 'lens', file: lens } as const;
    const { plan, files } = await desk.planInstall(origin, { agent: 'claude', scope: 'project' });
    expect(files).toMatchObject([{ path: 'read/SKILL.md', operation: 'changed' }]);
    await writeFile(join(root, '.claude/skills/read/SKILL.md'), 'newer\n');
    await expect(desk.write(plan)).rejects.toMatchObject({ details: { reason: 'changed' } });
    expect(await readFile(join(root, '.claude/skills/read/SKILL.md'), 'utf8')).toBe('newer\n');
    await expect(desk.write(plan)).rejects.toMatchObject({ code: 'agent-skill.preview-gone' });
  });

  test('installs into no folder of a project that is a link out of it', async () => {
    const { desk, root, home } = await open({});
    await mkdir(join(home, 'elsewhere'));
    await symlink(join(home, 'elsewhere'), join(root, '.claude'));
    const origin = { from: 'lens', file: lens } as const;
    await expect(desk.planInstall(origin, { agent: 'claude', scope: 'project' })).rejects.toMatchObject({
      details: { reason: 'unsafe' },
    });
  });

  test.each([
    ['nobody', 'agent-skill.not-mounted'],
    ['../../etc', 'agent-skill.not-mounted'],
  ])('refuses agent %s', async (agent, code) => {
    const { desk } = await open({});
    const origin = { from: 'lens', file: lens } as const;
    await expect(desk.planInstall(origin, { agent, scope: 'user' })).rejects.toMatchObject({ code });
  });

  test('keeps the newest previews only', async () => {
    const { desk } = await open({});
    const origin = { from: 'lens', file: lens } as const;
    const plans: PlanId[] = [];
    for (let i = 0; i < 9; i++)
      plans.push((await desk.planInstall(origin, { agent: 'claude', scope: 'user' })).plan);
    await expect(desk.write(plans[0]!)).rejects.toMatchObject({ code: 'agent-skill.preview-gone' });
    expect(await desk.write(plans[8]!)).toBe(1);
  });

  test('does not write into a home that was not there any more', async () => {
    const { desk, home } = await open({});
    const origin = { from: 'lens', file: lens } as const;
    const { plan } = await desk.planInstall(origin, { agent: 'claude', scope: 'user' });
    await rename(join(home, 'kept.txt'), join(home, '.claude'));
    await expect(desk.write(plan)).rejects.toMatchObject({ code: 'agent-skill.not-mounted' });
  });
});
