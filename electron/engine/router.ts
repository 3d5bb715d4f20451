import { ContractProcedure } from '@orpc/contract';
import type { AnyContractProcedure } from '@orpc/contract';
import { implement, ORPCError } from '@orpc/server';
import { contract } from '#shared/contract.ts';
import { StudioError } from '#shared/errors.ts';
import type { Engine } from './engine.ts';
import type { Host } from './host.ts';
import { runsOfSkill } from './run/runs-of-skill.ts';
import type { Log } from './store/log.ts';

/** What each connection brings: the engine it talks to and the front door it came through. */
export interface Connection {
  readonly engine: Engine;
  readonly host: Host;
}

/** Missing where the engine runs unbuilt, as in tests. */
declare const __BUILD__: string | undefined;

/** Megabytes that the engine itself put together field by field: tests check them, and users need not wait for it. */
const trusted = {
  ...contract,
  lens: { ...contract.lens, resolve: unchecked(contract.lens.resolve) },
  plan: { ...contract.plan, make: unchecked(contract.plan.make) },
};

const os = implement(trusted)
  .$context<Connection>()
  .use(async ({ context, next }) => {
    try {
      return await next();
    } catch (error) {
      throw toWire(error, context.engine.log);
    }
  });

/** The engine's side of the contract: every handler calls the engine and nothing else. */
export const router = os.router({
  app: {
    info: os.app.info.handler(({ context }) => context.engine.info(context.host)),
    events: os.app.events.handler(({ context, signal }) =>
      guarded(context.host.events(signal), context.engine.log),
    ),
    progress: os.app.progress.handler(({ context, input }) => {
      context.host.showProgress?.(input.progress);
      return null;
    }),
  },
  settings: {
    read: os.settings.read.handler(({ context }) => context.engine.settings.value),
    change: os.settings.change.handler(({ context, input }) =>
      context.engine.settings.change(definedOnly(input)),
    ),
  },
  sandbox: {
    report: os.sandbox.report.handler(({ context, input }) => context.engine.doctor(input)),
  },
  models: {
    list: os.models.list.handler(({ context }) => context.engine.models.list()),
    save: os.models.save.handler(({ context, input }) =>
      context.engine.models.save(input.draft, input.previous),
    ),
    remove: os.models.remove.handler(({ context, input }) => context.engine.models.remove(input.name)),
    choose: os.models.choose.handler(({ context, input }) =>
      context.engine.models.choose(definedOnly(input)),
    ),
    keepKey: os.models.keepKey.handler(({ context, input }) =>
      context.engine.models.keepKey(input.name, input.key),
    ),
    forgetKey: os.models.forgetKey.handler(({ context, input }) =>
      context.engine.models.forgetKey(input.name),
    ),
    test: os.models.test.handler(({ context, input, signal }) =>
      context.engine.models.test(input.name, signal),
    ),
  },
  trust: {
    card: os.trust.card.handler(async ({ context, input }) =>
      context.engine.trust.card(await context.engine.skill(input.workspace, input.file, input.skill)),
    ),
    grant: os.trust.grant.handler(async ({ context, input }) =>
      context.engine.trust.grant(await context.engine.skill(input.workspace, input.file, input.skill), input),
    ),
    list: os.trust.list.handler(async ({ context }) => [...(await context.engine.trust.list())]),
    revoke: os.trust.revoke.handler(async ({ context, input }) => [
      ...(await context.engine.trust.revoke(input.subject)),
    ]),
  },
  workspace: {
    open: os.workspace.open.handler(({ context, input }) => context.engine.open(input, context.host)),
    choose: os.workspace.choose.handler(({ context }) => context.engine.choose(context.host)),
    snapshot: os.workspace.snapshot.handler(({ context, input }) =>
      context.engine.workspace(input.workspace).snapshot(),
    ),
    files: os.workspace.files.handler(async ({ context, input }) => ({
      files: await context.engine.workspace(input.workspace).files(),
    })),
    events: os.workspace.events.handler(({ context, input, signal }) => {
      const events = context.engine.workspace(input.workspace).events(input.after, signal);
      const { page } = input;
      const attended = page ? context.engine.drafts(input.workspace).attend(page, events) : events;
      return guarded(attended, context.engine.log);
    }),
  },
  lens: {
    resolve: os.lens.resolve.handler(({ context, input }) =>
      context.engine.resolve(
        input.workspace,
        input.file,
        new Map(input.unsaved.map(({ file, text }) => [file, text])),
      ),
    ),
    isCurrent: os.lens.isCurrent.handler(({ context, input }) =>
      context.engine.isCurrent(input.workspace, input.file, input.version),
    ),
    read: os.lens.read.handler(({ context, input }) =>
      context.engine.workspace(input.workspace).read(input.file),
    ),
    headText: os.lens.headText.handler(({ context, input }) =>
      context.engine.workspace(input.workspace).headText(input.file),
    ),
    save: os.lens.save.handler(async ({ context, input }) => ({
      revision: await context.engine.workspace(input.workspace).save(input.file, input.text, input.base),
    })),
    create: os.lens.create.handler(async ({ context, input }) => ({
      revision: await context.engine.workspace(input.workspace).create(input.file, input.text),
    })),
    remove: os.lens.remove.handler(async ({ context, input }) => {
      await context.engine.workspace(input.workspace).remove(input.file);
      return null;
    }),
  },
  library: {
    list: os.library.list.handler(({ context, input }) => context.engine.library(input.workspace).list()),
    show: os.library.show.handler(({ context, input }) =>
      context.engine.library(input.workspace).show(input.library, input.skill),
    ),
  },
  drafts: {
    keep: os.drafts.keep.handler(async ({ context, input: { workspace, page, ...draft } }) => {
      await context.engine.drafts(workspace).keep(page, draft);
      return null;
    }),
    list: os.drafts.list.handler(({ context, input }) =>
      context.engine.drafts(input.workspace).list(input.page),
    ),
    drop: os.drafts.drop.handler(async ({ context, input }) => {
      await context.engine.drafts(input.workspace).drop(input.page, input.file);
      return null;
    }),
  },
  plan: {
    make: os.plan.make.handler(({ context, input }) =>
      context.engine
        .runsOf(input.workspace, input.file)
        .plan(input.file, input.request, new Map(input.unsaved.map(({ file, text }) => [file, text]))),
    ),
    difference: os.plan.difference.handler(({ context, input }) =>
      context.engine.runsOf(input.workspace, input.file).difference(input.file, input.skill, input.reason),
    ),
  },
  prompt: {
    preview: os.prompt.preview.handler(({ context, input }) =>
      context.engine
        .runsOf(input.workspace, input.file)
        .previewPrompt(
          input.file,
          input.skill,
          input.request,
          new Map(input.unsaved.map(({ file, text }) => [file, text])),
        ),
    ),
  },
  run: {
    start: os.run.start.handler(async ({ context, input }) => {
      const runs = context.engine.runsOf(input.workspace, input.file);
      return { run: (await runs.start(input.file, input.request)).runId };
    }),
    resume: os.run.resume.handler(async ({ context, input }) => ({
      run: (await context.engine.runs(input.workspace).resume(input.run)).runId,
    })),
    cancel: os.run.cancel.handler(({ context, input }) =>
      context.engine.runs(input.workspace).cancel(input.run, input.skill),
    ),
    answer: os.run.answer.handler(({ context, input }) => {
      context.engine.runs(input.workspace).answer(input.run, input.request, input.text);
      return null;
    }),
    show: os.run.show.handler(({ context, input }) => context.engine.runs(input.workspace).show(input.run)),
    events: os.run.events.handler(({ context, input, signal }) =>
      guarded(
        context.engine.runs(input.workspace).events(input.run, input.after, signal),
        context.engine.log,
      ),
    ),
    list: os.run.list.handler(({ context, input }) => context.engine.runs(input.workspace).list(input)),
    ofSkill: os.run.ofSkill.handler(({ context, input }) =>
      runsOfSkill(context.engine.runs(input.workspace), input),
    ),
    compare: os.run.compare.handler(({ context, input }) =>
      context.engine.runs(input.workspace).compare(input.a, input.b),
    ),
    log: os.run.log.handler(async ({ context, input }) => ({
      text: await context.engine.runs(input.workspace).log(input.run, input.skill),
    })),
    review: os.run.review.handler(({ context, input }) =>
      context.engine.runs(input.workspace).review(input.run),
    ),
    apply: os.run.apply.handler(({ context, input }) =>
      context.engine.runs(input.workspace).apply(input.run, input.files),
    ),
    override: os.run.override.handler(({ context, input }) =>
      context.engine.runs(input.workspace).override(input.run, input),
    ),
    saveFixture: os.run.saveFixture.handler(({ context, input }) =>
      context.engine.saveFixture(input.workspace, input.run, input),
    ),
    export: os.run.export.handler(({ context, input }) =>
      context.engine.runs(input.workspace).exportHtml(input.run),
    ),
  },
  tests: {
    list: os.tests.list.handler(({ context, input }) =>
      context.engine.tests(input.workspace, input.file).list(input.file),
    ),
    add: os.tests.add.handler(({ context, input }) =>
      context.engine.tests(input.workspace, input.file).add(input.file, input.skill),
    ),
    run: os.tests.run.handler(({ context, input, signal }) =>
      guarded(
        context.engine.tests(input.workspace, input.file).run(input.file, input, signal),
        context.engine.log,
      ),
    ),
  },
  cache: {
    stats: os.cache.stats.handler(({ context }) => context.engine.cache.stats()),
    list: os.cache.list.handler(({ context, input }) => context.engine.cache.list(definedOnly(input))),
    show: os.cache.show.handler(({ context, input }) => context.engine.cacheEntry(input.key)),
    clear: os.cache.clear.handler(async ({ context, input }) => {
      await context.engine.cache.clear(definedOnly(input));
      return context.engine.cache.stats();
    }),
    verify: os.cache.verify.handler(({ context }) => context.engine.cache.verify()),
  },
  agentSkills: {
    discover: os.agentSkills.discover.handler(({ context, input }) =>
      context.engine.agentSkills(input.workspace).discover(),
    ),
    show: os.agentSkills.show.handler(({ context, input }) =>
      context.engine.agentSkills(input.workspace).show(input.file),
    ),
    match: os.agentSkills.match.handler(({ context, input }) =>
      context.engine.agentSkills(input.workspace).match(input.task, input.lens),
    ),
    upload: os.agentSkills.upload.handler(({ context, input }) => ({
      upload: context.engine.agentSkills(input.workspace).upload(input.upload, input.parts),
    })),
    planImport: os.agentSkills.planImport.handler(({ context, input }) =>
      context.engine.agentSkills(input.workspace).planImport(input.file, input.origin, input.name),
    ),
    planExport: os.agentSkills.planExport.handler(({ context, input }) =>
      context.engine.agentSkills(input.workspace).planExport(input.file, input.skill, input.folder),
    ),
    planInstall: os.agentSkills.planInstall.handler(({ context, input }) =>
      context.engine.agentSkills(input.workspace).planInstall(input.origin, input),
    ),
    write: os.agentSkills.write.handler(async ({ context, input }) => ({
      files: await context.engine.agentSkills(input.workspace).write(input.plan),
    })),
  },
});

function unchecked<T extends AnyContractProcedure>(procedure: T): T {
  if (typeof __BUILD__ !== 'string') return procedure;
  const definition = { ...procedure['~orpc'] };
  delete definition.outputSchema;
  return new ContractProcedure(definition) as unknown as T;
}

/** A known refusal keeps its code; a bug becomes `internal` with its place in the log, never a stack trace on a screen. */
function toWire(error: unknown, log: Log): unknown {
  if (error instanceof ORPCError) return error;
  if (error instanceof StudioError)
    return new ORPCError(error.code, { message: error.message, data: error.details });
  const reference = log.report(error);
  return new ORPCError('internal', {
    message: `Something went wrong: see "${reference}" in the log`,
    data: { reference },
  });
}

/** Errors inside a stream pass no middleware, so they are turned here. */
async function* guarded<T>(events: AsyncIterable<T>, log: Log): AsyncGenerator<T, void> {
  try {
    yield* events;
  } catch (error) {
    throw toWire(error, log);
  }
}

function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
