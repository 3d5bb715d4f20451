import { isDefinedError, safe } from '@orpc/client';
import type { StudioClient } from '../contract.ts';
import type { RunEvent } from '../model/event.ts';
import type { RunId } from '../model/run.ts';
import type { FileId, WorkspaceEvent } from '../model/workspace.ts';

/** What a case does to the disk behind the engine's back; lives where the disk is, so everything is plain data. */
export interface World {
  /** Makes a folder with these files and returns its path. */
  makeWorkspace(files: Record<string, string>): Promise<string>;
  writeFile(folder: string, file: string, text: string): Promise<void>;
  readFile(folder: string, file: string): Promise<string>;
  removeFile(folder: string, file: string): Promise<void>;
}

export interface ContractCase {
  readonly name: string;
  run(client: StudioClient, world: World): Promise<void>;
}

const lensText = 'lens:\n  metadata: { name: Harbor, version: 1.0.0 }\n  skills:\n    - name: read\n';
const libraryText = 'skills:\n  - name: one\n  - name: two\n';
const skillText = '---\nname: pdf\ndescription: Reads PDF files\n---\nBody\n';

/** Promises of the contract that must hold over every transport, unchanged. */
export const contractSuite: readonly ContractCase[] = [
  {
    name: 'app.info names the app, its version and its host',
    async run(client) {
      const info = await client.app.info();
      equal(info.name, 'Sunwell Studio');
      matches(info.version, /^\d+\.\d+\.\d+/);
      equal(['desktop', 'web', 'test'].includes(info.host), true);
    },
  },
  {
    name: 'models.save writes a model of the user, and models.remove takes it out again',
    async run(client) {
      const draft = {
        name: 'local 1',
        provider: 'openai-compatible',
        model: 'm',
        baseUrl: 'http://127.0.0.1:9/v1',
      } as const;
      const { models, defaultModel } = await client.models.save({ draft });
      equal([models, defaultModel], [[{ ...draft, key: 'not-needed' }], 'local 1']);
      const renamed = await client.models.save({ draft: { ...draft, name: 'local 2' }, previous: 'local 1' });
      equal([renamed.models.map(({ name }) => name), renamed.defaultModel], [['local 2'], 'local 2']);
      const test = await client.models.test({ name: 'local 2' });
      equal(test.outcome, 'unreachable');
      const left = await client.models.remove({ name: 'local 2' });
      equal([left.models, left.defaultModel, left.problems], [[], undefined, []]);
    },
  },
  {
    name: 'models.save refuses a key where the name of a variable belongs, and does not repeat it',
    async run(client) {
      const draft = { name: 'a', provider: 'openai', model: 'm', apiKeyEnv: 'sk-canary-4711' } as const;
      const { error } = await safe(client.models.save({ draft }));
      equal(isDefinedError(error) && error.code, 'model.invalid');
      equal(JSON.stringify(error).includes('canary'), false);
    },
  },
  {
    name: 'workspace.open lists lenses, libraries and Agent Skills with their names',
    async run(client, world) {
      const { snapshot } = await openWith(client, world, {
        'lenses/harbor.lens': lensText,
        'skills/team.yaml': libraryText,
        'skills/notes.yaml': 'other: true\n',
        '.claude/skills/pdf/SKILL.md': skillText,
        'node_modules/x/hidden.lens': lensText,
      });
      equal(
        snapshot.entries.map((entry) => [entry.kind, entry.file, entry.name]),
        [
          ['agent-skill', '.claude/skills/pdf/SKILL.md', 'pdf'],
          ['lens', 'lenses/harbor.lens', 'Harbor'],
          ['library', 'skills/team.yaml', 'skills/team.yaml'],
        ],
      );
    },
  },
  {
    name: 'workspace.open refuses a missing folder with a typed error that names it',
    async run(client) {
      const { error } = await safe(client.workspace.open({ from: 'folder', folder: '/no/such/folder' }));
      equal(isDefinedError(error) && error.code, 'workspace.not-found');
      matches(error?.message ?? '', /"\/no\/such\/folder"/);
    },
  },
  {
    name: 'a call with the wrong shape is refused before it reaches the engine',
    async run(client) {
      const { error } = await safe(client.workspace.open({ from: 'nowhere' } as never));
      equal(error instanceof Error && 'code' in error && error.code, 'BAD_REQUEST');
    },
  },
  {
    name: 'workspace.snapshot of an unknown workspace is refused',
    async run(client) {
      const { error } = await safe(client.workspace.snapshot({ workspace: 'gone' }));
      equal(isDefinedError(error) && error.code, 'workspace.not-open');
    },
  },
  {
    name: 'workspace.files names every file but keys, passwords and dependencies',
    async run(client, world) {
      const { workspace } = await openWith(client, world, {
        'a.lens': lensText,
        'scripts/b.py': 'print(1)',
        '.env': 'KEY=1',
        'secrets/c.txt': '1',
        'node_modules/d/index.js': '1',
      });
      equal((await client.workspace.files({ workspace })).files, ['a.lens', 'scripts/b.py']);
    },
  },
  {
    name: 'drafts.keep keeps unsaved text for the next page, until drafts.drop',
    async run(client, world) {
      const { workspace } = await openWith(client, world, { 'a.lens': lensText });
      const { file, revision } = await client.lens.read({ workspace, file: 'a.lens' });
      const typed = { workspace, file, text: 'lens: ☀\r\n', base: revision };
      await client.drafts.keep({ ...typed, page: 'contract-page-1' });
      const [draft] = await client.drafts.list({ workspace, page: 'contract-page-2' });
      equal(draft && [draft.file, draft.text, draft.base], [file, typed.text, revision]);
      await client.drafts.drop({ workspace, file, page: 'contract-page-2' });
      equal(await client.drafts.list({ workspace, page: 'contract-page-3' }), []);
    },
  },
  {
    name: 'lens.read gives the text as it is on disk, byte for byte',
    async run(client, world) {
      const text = '\uFEFFlens:\r\n  metadata: { name: "Ünï ☀" } # kept\r\n';
      const { workspace } = await openWith(client, world, { 'a.lens': text });
      const read = await client.lens.read({ workspace, file: 'a.lens' });
      equal(read.text, text);
    },
  },
  {
    name: 'lens.read refuses a file outside the workspace',
    async run(client, world) {
      const { workspace } = await openWith(client, world, { 'a.lens': lensText });
      const { error } = await safe(client.lens.read({ workspace, file: '../a.lens' }));
      equal(isDefinedError(error) && error.code, 'file.not-in-workspace');
    },
  },
  {
    name: 'lens.save writes the text and the next read sees it',
    async run(client, world) {
      const { workspace, folder } = await openWith(client, world, { 'a.lens': lensText });
      const file = 'a.lens' as FileId;
      const { revision } = await client.lens.read({ workspace, file });
      const saved = await client.lens.save({ workspace, file, text: `${lensText}# more\n`, base: revision });
      equal(await world.readFile(folder, 'a.lens'), `${lensText}# more\n`);
      equal((await client.lens.read({ workspace, file })).revision, saved.revision);
    },
  },
  {
    name: 'lens.save refuses to overwrite a file that changed on disk, and loses nothing',
    async run(client, world) {
      const { workspace, folder } = await openWith(client, world, { 'a.lens': lensText });
      const file = 'a.lens' as FileId;
      const { revision } = await client.lens.read({ workspace, file });
      await world.writeFile(folder, 'a.lens', '# theirs\n');
      const { error } = await safe(client.lens.save({ workspace, file, text: '# mine\n', base: revision }));
      equal(isDefinedError(error) && error.code, 'file.changed');
      equal(await world.readFile(folder, 'a.lens'), '# theirs\n');
    },
  },
  {
    name: 'lens.save of a deleted file is refused',
    async run(client, world) {
      const { workspace, folder } = await openWith(client, world, { 'a.lens': lensText });
      const file = 'a.lens' as FileId;
      await world.removeFile(folder, 'a.lens');
      const { error } = await safe(client.lens.save({ workspace, file, text: 'x', base: '0'.repeat(64) }));
      equal(
        isDefinedError(error) && ['file.not-found', 'file.not-in-workspace'].includes(error.code),
        true,
        `code of ${String(error)}`,
      );
    },
  },
  {
    name: 'lens.create writes a new lens that is listed at once, and refuses to overwrite, to leave and bad names',
    async run(client, world) {
      const { workspace, folder } = await openWith(client, world, { 'a.lens': lensText });
      const make = (file: string) => client.lens.create({ workspace, file, text: lensText });
      const { revision } = await make('lenses/new.lens');
      equal(await world.readFile(folder, 'lenses/new.lens'), lensText);
      const { entries } = await client.workspace.snapshot({ workspace });
      equal(
        entries.map((entry) => [entry.file, entry.revision === revision]),
        [
          ['a.lens', true],
          ['lenses/new.lens', true],
        ],
      );
      const refused: unknown[] = [];
      for (const file of ['a.lens', '../b.lens', 'b.txt', '.git/b.lens', 'a:b.lens']) {
        const { error } = await safe(make(file));
        refused.push(isDefinedError(error) && error.code);
      }
      equal(refused, ['file.exists', ...Array.from({ length: 4 }, () => 'file.bad-name')]);
      await client.lens.create({ workspace, file: 'skills/new.skills.yaml', text: libraryText });
      equal(await world.readFile(folder, 'skills/new.skills.yaml'), libraryText);
    },
  },
  {
    name: 'lens.remove takes back what lens.create wrote, and nothing else',
    async run(client, world) {
      const { workspace } = await openWith(client, world, { 'a.lens': lensText });
      const file = 'skills/new.skills.yaml';
      const files = async () =>
        (await client.workspace.snapshot({ workspace })).entries.map((entry) => entry.file);
      const { revision } = await client.lens.create({ workspace, file, text: libraryText });
      equal(await files(), ['a.lens', file]);
      await client.lens.remove({ workspace, file });
      equal(await files(), ['a.lens']);
      await client.lens.create({ workspace, file, text: libraryText });
      await client.lens.save({ workspace, file, text: `${libraryText}# kept\n`, base: revision });
      const refused: unknown[] = [];
      for (const other of ['a.lens', file]) {
        const { error } = await safe(client.lens.remove({ workspace, file: other }));
        refused.push(isDefinedError(error) && error.code);
      }
      equal(refused, ['file.not-new', 'file.not-new']);
      equal(await files(), ['a.lens', file]);
    },
  },
  {
    name: 'library.list has the skills of libraries and Agent Skills; library.show has one in full and none of other files',
    async run(client, world) {
      const { workspace } = await openWith(client, world, {
        'a.lens': lensText,
        'skills/team.skills.yaml':
          'skills:\n  - name: tidy\n    description: Tidies\n    produces: [order]\n    depends_on: [look]\n' +
          '    scripts: [{ name: tidy.sh, path: ./tidy.sh }]\n' +
          '  - name: look\n    description: Looks\n    instructions: Look\n',
        'skills/tidy.sh': 'echo tidy\n',
        '.agents/skills/pdf/SKILL.md': skillText,
      });
      const { skills, problems } = await client.library.list({ workspace });
      equal(problems, []);
      equal(
        skills.filter(({ source }) => source !== 'builtin').map(({ name, source }) => `${source} ${name}`),
        ['own tidy', 'own look', 'agent-skill pdf'],
      );
      const library = 'skills/team.skills.yaml';
      const detail = await client.library.show({ workspace, library, skill: 'tidy' });
      equal(detail.entry, {
        ...{ name: 'tidy', description: 'Tidies', produces: ['order'] },
        scripts: [{ name: 'tidy.sh', language: 'bash', content: 'echo tidy\n' }],
      });
      equal(
        detail.dependsOn.map(({ name }) => name),
        ['look'],
      );
      const outside: unknown[] = [];
      for (const other of ['../x.skills.yaml', './skills/team.skills.yaml', '/etc', 'nothing']) {
        const { error } = await safe(client.library.show({ workspace, library: other, skill: 'tidy' }));
        outside.push(isDefinedError(error) && error.code);
      }
      equal(
        outside,
        Array.from({ length: 4 }, () => 'file.not-in-workspace'),
      );
    },
  },
  {
    name: 'workspace.events tells of an added, a changed and a removed file, in order of their numbers',
    async run(client, world) {
      const { workspace, folder, snapshot } = await openWith(client, world, { 'a.lens': lensText });
      const stop = new AbortController();
      const events = await client.workspace.events(
        { workspace, after: snapshot.seq },
        { signal: stop.signal },
      );
      await world.writeFile(folder, 'b.lens', lensText.replace('Harbor', 'Bay'));
      const added = await next(events);
      equal(added.type === 'entry-changed' && added.entry.name, 'Bay');
      await world.writeFile(folder, 'b.lens', lensText.replace('Harbor', 'Cove'));
      const changed = await next(events);
      equal(changed.type === 'entry-changed' && changed.entry.name, 'Cove');
      await world.removeFile(folder, 'b.lens');
      const removed = await next(events);
      equal(removed.type === 'entry-removed' && removed.file, 'b.lens');
      equal(added.seq < changed.seq && changed.seq < removed.seq, true);
      stop.abort();
    },
  },
  {
    name: 'workspace.events from an old number replays what was missed',
    async run(client, world) {
      const { workspace, folder, snapshot } = await openWith(client, world, { 'a.lens': lensText });
      const live = await client.workspace.events({ workspace, after: snapshot.seq });
      await world.writeFile(folder, 'b.lens', lensText);
      const first = await next(live);
      const replay = await client.workspace.events({ workspace, after: snapshot.seq });
      equal(await next(replay), first);
      await live.return?.(undefined);
      await replay.return?.(undefined);
    },
  },
  {
    name: 'workspace.events from a number that never was asks for a new snapshot',
    async run(client, world) {
      const { workspace } = await openWith(client, world, { 'a.lens': lensText });
      const events = await client.workspace.events({ workspace, after: 1_000_000 });
      equal((await next(events)).type, 'snapshot-needed');
      equal((await events.next()).done, true);
    },
  },
  {
    name: 'workspace.events tells that a run began and that it is over, and run.list has it for its lens',
    async run(client, world) {
      if (!(await client.sandbox.report({ again: false })).sandbox.available) return;
      const { workspace, snapshot } = await openWith(client, world, { 'a.lens': scriptLens('sleep 1') });
      const events = await client.workspace.events({ workspace, after: snapshot.seq });
      const { run } = await client.run.start({ workspace, file: 'a.lens', request: {} });
      const statuses = new Set<string | undefined>();
      // On a busy machine the same may be told twice.
      while (!statuses.has('succeeded')) {
        equal((await next(events)).type, 'runs-changed');
        const [summary] = await client.run.list({ workspace, limit: 10, lens: 'a.lens' });
        equal(summary?.runId, run);
        statuses.add(summary?.status);
      }
      equal([...statuses], ['running', 'succeeded']);
      equal(await client.run.list({ workspace, limit: 10, lens: 'b.lens' }), []);
      await events.return?.(undefined);
    },
  },
  {
    name: 'a cancelled stream ends and the connection goes on',
    async run(client, world) {
      const { workspace, snapshot } = await openWith(client, world, { 'a.lens': lensText });
      const stop = new AbortController();
      const events = await client.workspace.events(
        { workspace, after: snapshot.seq },
        { signal: stop.signal },
      );
      const waiting = events.next().then(
        () => 'ended',
        () => 'ended',
      );
      stop.abort();
      equal(await waiting, 'ended');
      equal((await client.workspace.snapshot({ workspace })).entries.length, 1);
    },
  },
  {
    name: 'lens.resolve gives waves and diagnostics of the text on disk, or of the unsaved text',
    async run(client, world) {
      const lens = (dependsOn: string): string =>
        `metadata: { name: A, version: 1.0.0 }\nskills:\n  - { name: b, description: d, instructions: i, depends_on: ${dependsOn} }\n  - { name: a, description: d, instructions: i }\n`;
      const { workspace } = await openWith(client, world, { 'a.lens': lens('a') });
      const file = 'a.lens' as FileId;
      const saved = await client.lens.resolve({ workspace, file, unsaved: [] });
      equal(
        saved.graph.waves.map((wave) => wave.skills),
        [['a'], ['b']],
      );
      equal(saved.lens?.metadata.name, 'A');
      const unsaved = await client.lens.resolve({ workspace, file, unsaved: [{ file, text: lens('gone') }] });
      equal(
        unsaved.graph.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        ['graph.missing-dependency'],
      );
    },
  },
  {
    name: 'lens.isCurrent is true for what was resolved until a file of it changes',
    async run(client, world) {
      const text = 'metadata: { name: A, version: 1.0.0 }\nskills: [{ name: a, instructions: i }]\n';
      const { workspace } = await openWith(client, world, { 'a.lens': text });
      const file = 'a.lens' as FileId;
      // What changed only just now may change again unnoticed, and has no version until it is older.
      const deadline = Date.now() + 10_000;
      let version: string | undefined;
      while (version === undefined && Date.now() < deadline)
        ({ version } = await client.lens.resolve({ workspace, file, unsaved: [] }));
      if (version === undefined) throw new Error('What is old enough has no version');
      equal(await client.lens.isCurrent({ workspace, file, version }), true);
      const { revision } = await client.lens.read({ workspace, file });
      await client.lens.save({ workspace, file, text: `${text}# more\n`, base: revision });
      equal(await client.lens.isCurrent({ workspace, file, version }), false);
      const typed = await client.lens.resolve({ workspace, file, unsaved: [{ file, text }] });
      equal(typed.version, undefined);
    },
  },
  {
    name: 'sandbox.report says whether scripts can run, and why not otherwise',
    async run(client) {
      const { sandbox } = await client.sandbox.report({ again: false });
      equal(sandbox.available || typeof sandbox.problem === 'string', true);
      equal(sandbox.available ? sandbox.probes.every(({ ok }) => ok) : true, true);
    },
  },
  {
    name: 'trust.card shows a skill, and trust.grant agrees to exactly what was shown',
    async run(client, world) {
      const lens = (text: string): string =>
        `metadata: { name: A, version: 1.0.0 }\nskills:\n  - { name: a, description: d, trust: full, scripts: [{ name: a.sh, content: ${text} }] }\n`;
      const { workspace, folder } = await openWith(client, world, { 'a.lens': lens('echo 1') });
      const skill = { workspace, file: 'a.lens' as FileId, skill: 'a.lens:a' };
      const card = await client.trust.card(skill);
      equal(
        [card.level, card.canAskFor, card.files.map(({ path }) => path)],
        ['sandboxed', 'full', ['(definition)', 'scripts/a.sh']],
      );
      const untyped = await safe(client.trust.grant({ ...skill, hash: card.hash, level: 'full' }));
      equal(isDefinedError(untyped.error) && untyped.error.code, 'trust.needs-confirmation');
      const granted = await client.trust.grant({
        ...skill,
        hash: card.hash,
        level: 'full',
        confirmation: 'a',
      });
      equal(granted.level, 'full');
      await world.writeFile(folder, 'a.lens', lens('echo 2'));
      const stale = await safe(
        client.trust.grant({ ...skill, hash: card.hash, level: 'full', confirmation: 'a' }),
      );
      equal(isDefinedError(stale.error) && stale.error.code, 'trust.changed');
      const changed = await client.trust.card(skill);
      equal(
        [changed.level, changed.changedSince?.changes],
        ['sandboxed', [{ path: 'scripts/a.sh', change: 'changed', before: 'echo 1', after: 'echo 2' }]],
      );
      const left = await client.trust.revoke({ subject: card.subject });
      equal(
        left.some(({ subject }) => subject === card.subject),
        false,
      );
    },
  },
  {
    name: 'plan.make says for every skill what a run would do, and plan.difference shows both sides of a reason',
    async run(client, world) {
      const { workspace } = await openWith(client, world, { 'a.lens': scriptLens('echo 1') });
      const file = 'a.lens' as FileId;
      const plan = await client.plan.make({ workspace, file, request: {}, unsaved: [] });
      equal(
        plan.decisions.map(({ skill, wave }) => [skill, wave]),
        [
          ['a', 0],
          ['b', 1],
        ],
      );
      const [step] = plan.decisions;
      equal(typeof step?.reasons[0]?.sentence, 'string');
      const text = scriptLens('echo 2');
      const unsaved = await client.plan.make({ workspace, file, request: {}, unsaved: [{ file, text }] });
      equal(unsaved.contentHash === plan.contentHash, false);
      const reason = { id: 'script-changed', subject: 'a.sh', sentence: '', after: 'x' } as const;
      const difference = await client.plan.difference({ workspace, file, skill: 'a', reason });
      equal([difference.before, difference.after?.includes('echo 1')], [null, true]);
      const { error } = await safe(
        client.plan.make({ workspace, file, request: { selection: { only: ['none'] } }, unsaved: [] }),
      );
      equal(isDefinedError(error) && error.code, 'graph.unknown-skill');
    },
  },
  {
    name: 'run.start runs what is on disk; its events, record, log, review, comparison and export tell the same',
    async run(client, world) {
      if (!(await client.sandbox.report({ again: false })).sandbox.available) return;
      const { workspace, folder } = await openWith(client, world, { 'a.lens': scriptLens('echo hello') });
      const file = 'a.lens' as FileId;
      const { run } = await client.run.start({ workspace, file, request: {} });
      const events = await toTheEnd(await client.run.events({ workspace, run, after: 0 }));
      equal(
        events.map(({ seq }) => seq),
        events.map((_, i) => i + 1),
      );
      equal([events[0]?.type, events.at(-1)?.type], ['run_start', 'run_complete']);
      const record = await client.run.show({ workspace, run });
      equal(
        [record.status, record.seq, record.steps.map(({ skill, state }) => [skill, state])],
        [
          'succeeded',
          events.length,
          [
            ['a', 'ran'],
            ['b', 'ran'],
          ],
        ],
      );
      const late = await toTheEnd(await client.run.events({ workspace, run, after: events.length - 1 }));
      equal(late, events.slice(-1));
      equal(await client.run.log({ workspace, run, skill: 'a' }), { text: 'hello\n' });
      const [proposed] = await client.run.review({ workspace, run });
      equal([proposed?.path, proposed?.operation, proposed?.after], ['b.txt', 'create', 'b\n']);
      const [applied] = await client.run.apply({ workspace, run, files: [{ path: 'b.txt' }] });
      equal([applied?.isApplied, await world.readFile(folder, 'b.txt')], [true, 'b\n']);
      const again = await client.run.start({ workspace, file, request: {} });
      await toTheEnd(await client.run.events({ workspace, run: again.run, after: 0 }));
      const listed = await client.run.list({ workspace, limit: 10 });
      equal(
        listed.map((summary) => [summary.runId, summary.ran, summary.cached]),
        [
          [again.run, 0, 2],
          [run, 2, 0],
        ],
      );
      equal((await client.run.list({ workspace, limit: 10, before: again.run })).length, 1);
      const ofSkill = await client.run.ofSkill({ workspace, file, skill: 'a', limit: 10 });
      equal(
        ofSkill.map(({ runId, state, cached }) => [runId, state, cached]),
        [
          [again.run, 'cached', true],
          [run, 'ran', false],
        ],
      );
      const { steps } = await client.run.compare({ workspace, a: run, b: again.run });
      equal(
        steps.map(({ differences }) => differences.map(({ what }) => what)),
        [['decision'], ['decision']],
      );
      matches((await client.run.export({ workspace, run })).html, /Content-Security-Policy/);
      const { error } = await safe(client.run.resume({ workspace, run }));
      equal(isDefinedError(error) && error.code, 'run.nothing-to-resume');
    },
  },
  {
    name: 'run.cancel ends a run, and run.resume carries it on',
    async run(client, world) {
      if (!(await client.sandbox.report({ again: false })).sandbox.available) return;
      const { workspace, folder } = await openWith(client, world, {
        'a.lens': scriptLens('echo up; sleep 600'),
      });
      const file = 'a.lens' as FileId;
      const { run } = await client.run.start({ workspace, file, request: { task: 'wait' } });
      const stream = await client.run.events({ workspace, run, after: 0 });
      for await (const event of stream) if (event.type === 'skill_output') break;
      equal((await client.run.cancel({ workspace, run })).steps[0]?.state, 'cancelled');
      await toTheEnd(await client.run.events({ workspace, run, after: 0 }));
      equal((await client.run.show({ workspace, run })).status, 'cancelled');
      await world.writeFile(folder, 'a.lens', scriptLens('echo up'));
      const resumed = await client.run.resume({ workspace, run });
      await toTheEnd(await client.run.events({ workspace, run: resumed.run, after: 0 }));
      const record = await client.run.show({ workspace, run: resumed.run });
      equal([record.status, record.resumes, record.request.task], ['succeeded', run, 'wait']);
    },
  },
  {
    name: 'run.show of a run that is not there is refused',
    async run(client, world) {
      const { workspace } = await openWith(client, world, { 'a.lens': scriptLens('true') });
      const run = '0mb1xkq7r-0000000000' as RunId;
      const { error } = await safe(client.run.show({ workspace, run }));
      equal(isDefinedError(error) && error.code, 'run.unknown');
      const refused = await client.run
        .events({ workspace, run, after: 0 })
        .then((events) => events.next())
        .catch((thrown: unknown) =>
          isDefinedError(thrown as Error) ? (thrown as { code: string }).code : thrown,
        );
      equal(refused, 'run.unknown');
    },
  },
  {
    name: 'cache.stats, list, show, clear and verify tell of what is kept',
    async run(client) {
      const stats = await client.cache.stats();
      const entries = await client.cache.list({});
      equal(entries.length, stats.entries);
      const [first] = entries.filter(({ kind }) => kind === 'action');
      if (first) equal((await client.cache.show({ key: first.key })).key, first.key);
      equal((await client.cache.verify()).damaged, []);
      if (first) await client.cache.clear({ key: first.key });
      const { error } = await safe(client.cache.show({ key: first?.key ?? '0'.repeat(64) }));
      equal(isDefinedError(error) && error.code, 'cache.unknown-key');
    },
  },
  {
    name: 'agentSkills.discover lists skills with their problems, and agentSkills.show judges one by the letter',
    async run(client, world) {
      const { workspace } = await openWith(client, world, {
        '.claude/skills/pdf/SKILL.md': skillText,
        'skills/bad/SKILL.md': '---\nname: bad\n---\n',
      });
      const { skills, skipped } = await client.agentSkills.discover({ workspace });
      equal(
        skills.filter(({ scope }) => scope === 'project').map(({ name, file }) => [name, file]),
        [['pdf', '.claude/skills/pdf/SKILL.md']],
      );
      equal(
        skipped.find(({ file }) => file === 'skills/bad/SKILL.md')?.problems.map(({ message }) => message),
        ['Missing required field in frontmatter: description'],
      );
      const shown = await client.agentSkills.show({ workspace, file: '.claude/skills/pdf/SKILL.md' });
      equal([shown.validation, shown.text], [[], skillText]);
      const fitting = await client.agentSkills.match({ workspace, task: 'read this PDF' });
      equal(
        fitting.some(({ skill }) => skill === 'pdf'),
        true,
      );
      const { error } = await safe(client.agentSkills.show({ workspace, file: '../SKILL.md' }));
      equal(isDefinedError(error) && error.code, 'agent-skill.not-found');
    },
  },
  {
    name: 'agentSkills.planImport shows what handed-over files bring, and agentSkills.write does that once',
    async run(client, world) {
      const { workspace, folder } = await openWith(client, world, { 'a.lens': lensText });
      const file = 'a.lens' as FileId;
      // Larger than one message of a host may be, so it comes in parts.
      const page = 'x'.repeat(1_000_000);
      let upload = (
        await client.agentSkills.upload({
          workspace,
          parts: [{ path: 'pdf/SKILL.md', base64: btoa(skillText) }],
        })
      ).upload;
      for (let i = 0; i < 4; i++) {
        const parts = [{ path: 'pdf/references/page.md', base64: btoa(page) }];
        ({ upload } = await client.agentSkills.upload({ workspace, upload, parts }));
      }
      const origin = { from: 'upload', upload } as const;
      const preview = await client.agentSkills.planImport({ workspace, file, origin });
      equal(
        [preview.folder, preview.files.map(({ path, operation, size }) => [path, operation, size])],
        [
          'skills/pdf',
          [
            ['pdf/references/page.md', 'new', 4_000_000],
            ['pdf/SKILL.md', 'new', skillText.length],
          ],
        ],
      );
      equal(await world.readFile(folder, 'a.lens'), lensText);
      equal(await client.agentSkills.write({ workspace, plan: preview.plan }), { files: 2 });
      equal(await world.readFile(folder, 'skills/pdf/SKILL.md'), skillText);
      matches(await world.readFile(folder, 'a.lens'), /name: pdf/);
      const again = await safe(client.agentSkills.write({ workspace, plan: preview.plan }));
      equal(isDefinedError(again.error) && again.error.code, 'agent-skill.preview-gone');
    },
  },
  {
    name: 'agentSkills.planExport and planInstall show what will be written; what changed meanwhile is not written over',
    async run(client, world) {
      const skills = 'skills:\n  - { name: read, description: Reads, instructions: Read it }\n';
      const { workspace, folder } = await openWith(client, world, {
        'a.lens': `metadata: { name: A, version: 1.0.0 }\n${skills}`,
      });
      const file = 'a.lens' as FileId;
      const exported = await client.agentSkills.planExport({ workspace, file, folder: 'export' });
      await client.agentSkills.write({ workspace, plan: exported.plan });
      const text = await world.readFile(folder, 'export/read/SKILL.md');
      matches(text, /^---\nname: read\n/);
      const outside = await safe(client.agentSkills.planExport({ workspace, file, folder: '../export' }));
      equal(isDefinedError(outside.error) && outside.error.code, 'agent-skill.not-mounted');
      const origin = { from: 'lens', file } as const;
      const target = { agent: 'claude', scope: 'project' } as const;
      const preview = await client.agentSkills.planInstall({ workspace, origin, ...target });
      equal(
        [preview.folder, preview.files.map(({ path, operation }) => [path, operation])],
        ['.claude/skills', [['read/SKILL.md', 'new']]],
      );
      await world.writeFile(folder, '.claude/skills/read/SKILL.md', 'theirs\n');
      const stale = await safe(client.agentSkills.write({ workspace, plan: preview.plan }));
      equal(isDefinedError(stale.error) && stale.error.code, 'agent-skill.not-mounted');
      equal(await world.readFile(folder, '.claude/skills/read/SKILL.md'), 'theirs\n');
      const next = await client.agentSkills.planInstall({ workspace, origin, ...target });
      equal(next.files[0]?.operation, 'changed');
      await client.agentSkills.write({ workspace, plan: next.plan });
      equal(await world.readFile(folder, '.claude/skills/read/SKILL.md'), text);
    },
  },
  {
    name: 'settings.change keeps what it does not name',
    async run(client) {
      await client.settings.change({ theme: 'dark', panes: { main: [20, 80] } });
      const changed = await client.settings.change({ theme: 'light' });
      equal([changed.theme, changed.panes['main']], ['light', [20, 80]]);
      equal((await client.settings.read()).theme, 'light');
      await client.settings.change({ theme: 'system' });
    },
  },
];

/** Two skills: the first runs these commands, the second proposes a file. */
function scriptLens(commands: string): string {
  const skill = (name: string, script: string, more: string): string =>
    `  - { name: ${name}, description: d, files: []${more}, scripts: [{ name: ${name}.sh, content: '${script}' }] }\n`;
  const second = skill('b', 'echo b > $SUNWELL_FILES/b.txt', ', depends_on: [a]');
  return `metadata: { name: A, version: 1.0.0 }\nskills:\n${skill('a', commands, '')}${second}`;
}

async function toTheEnd(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function openWith(client: StudioClient, world: World, files: Record<string, string>) {
  const folder = await world.makeWorkspace(files);
  const snapshot = await client.workspace.open({ from: 'folder', folder });
  return { folder, snapshot, workspace: snapshot.workspace };
}

async function next(events: AsyncIterator<WorkspaceEvent>): Promise<WorkspaceEvent> {
  const result = await events.next();
  if (result.done) throw new Error('The stream ended early');
  return result.value;
}

function equal(actual: unknown, expected: unknown, what = 'value'): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`Expected ${what} ${b}, got ${a}`);
}

function matches(actual: string, pattern: RegExp): void {
  if (!pattern.test(actual)) throw new Error(`Expected a match of ${String(pattern)}, got "${actual}"`);
}
