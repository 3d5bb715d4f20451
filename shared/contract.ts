import { eventIterator, oc } from '@orpc/contract';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import { errorTable } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import {
  ImportOrigin,
  PlanId,
  SkillDetail,
  SkillList,
  SkillMatch,
  SkillOrigin,
  SkillPreview,
  UploadId,
  UploadPart,
} from './model/agent-skills.ts';
import { AppEvent, AppInfo, RunProgress } from './model/app.ts';
import { CacheCheck, CacheClear, CacheEntry, CacheEntryDetail, CacheStats } from './model/cache.ts';
import { DoctorReport } from './model/doctor.ts';
import { Draft, DraftText, PageId } from './model/draft.ts';
import { RunEvent } from './model/event.ts';
import { Digest } from './model/fingerprint.ts';
import { ResolvedDocument } from './model/lens-document.ts';
import { LibraryId, LibraryList, LibrarySkillDetail } from './model/library-skill.ts';
import { ModelDraft, ModelList, ModelTest } from './model/models.ts';
import { Plan, PlanRequest, Reason, ReasonDifference } from './model/plan.ts';
import { PromptPreview } from './model/prompt.ts';
import {
  AcceptedFile,
  ReviewFile,
  RunComparison,
  RunId,
  RunRecord,
  RunRequest,
  RunSummary,
  SkillRun,
} from './model/run.ts';
import { Settings, SettingsChange } from './model/settings.ts';
import { FixtureList, TestEvent } from './model/test-report.ts';
import { GrantEntry, TrustCard, TrustLevel } from './model/trust.ts';
import { VerdictOverride } from './model/verdict.ts';
import {
  FileId,
  OpenRequest,
  Revision,
  TextFile,
  WorkspaceEvent,
  WorkspaceId,
  WorkspaceSnapshot,
} from './model/workspace.ts';

const details = z.record(z.string(), z.unknown());

/** Each code of the error table as a declared error, plus `internal` for a bug, with its reference in the log. */
const declaredErrors = {
  ...(Object.fromEntries(
    Object.entries(errorTable).map(([code, message]) => [code, { message, data: details }]),
  ) as Record<ErrorCode, { message: string; data: typeof details }>),
  internal: { message: 'Something went wrong inside the studio', data: z.object({ reference: z.string() }) },
};

const call = oc.errors(declaredErrors);
const inWorkspace = z.object({ workspace: WorkspaceId });
const inFile = inWorkspace.extend({ file: FileId });
const unsaved = z.array(z.object({ file: FileId, text: z.string().max(1_048_576) })).max(100);
const inRun = inWorkspace.extend({ run: RunId });
const inSkill = inFile.extend({ skill: z.string().max(4096) });
// A page names files of its workspace, and only those.
const planRequest = PlanRequest.omit({ judgedBy: true });
const runRequest = RunRequest.omit({ judgedBy: true });

/** Every call and stream between a page and the engine: the table of contents of the app. */
export const contract = {
  app: {
    info: call.output(AppInfo),
    events: call.output(eventIterator(AppEvent)),
    /** How far the page's runs are, for hosts that can show it outside of the page; without it nothing runs. */
    progress: call.input(z.object({ progress: RunProgress.optional() })).output(z.null()),
  },
  settings: {
    read: call.output(Settings),
    change: call.input(SettingsChange).output(Settings),
  },
  sandbox: {
    /** Tries the sandbox once for the life of the engine; `again` after something on the machine changed. */
    report: call.input(z.object({ again: z.boolean() })).output(DoctorReport),
  },
  models: {
    /** The models of the user's configuration; says where a key comes from, never what it is. */
    list: call.output(ModelList),
    /** Writes one model into the user's `config.yaml`; `previous` is the name it had. */
    save: call.input(z.object({ draft: ModelDraft, previous: z.string().optional() })).output(ModelList),
    remove: call.input(z.object({ name: z.string() })).output(ModelList),
    /** Sets which model works and which one judges; null for none. */
    choose: call
      .input(z.object({ default: z.string().nullable().optional(), judge: z.string().nullable().optional() }))
      .output(ModelList),
    /** Hands a key over for good: no call gives it back. */
    keepKey: call
      .input(z.object({ name: z.string(), key: z.string().trim().min(1).max(10_000) }))
      .output(ModelList),
    forgetKey: call.input(z.object({ name: z.string() })).output(ModelList),
    /** Asks the model one small question. */
    test: call.input(z.object({ name: z.string() })).output(ModelTest),
  },
  trust: {
    card: call.input(inSkill).output(TrustCard),
    /** Agrees to exactly the content that `hash` names; full trust needs the skill's name typed as `confirmation`. */
    grant: call
      .input(inSkill.extend({ hash: z.string(), level: TrustLevel, confirmation: z.string().optional() }))
      .output(TrustCard),
    list: call.output(z.array(GrantEntry)),
    revoke: call.input(z.object({ subject: z.string() })).output(z.array(GrantEntry)),
  },
  workspace: {
    open: call.input(OpenRequest).output(WorkspaceSnapshot),
    /** Asks the user for a folder with the host's own dialog; null when they change their mind. */
    choose: call.output(WorkspaceSnapshot.nullable()),
    snapshot: call.input(inWorkspace).output(WorkspaceSnapshot),
    /** Every file that a page may open, by name; of very many only the first. */
    files: call.input(inWorkspace).output(z.object({ files: z.array(FileId) })),
    /** What changes on disk, and that runs began or ended; while it is followed, nobody else takes over the drafts of `page`. */
    events: call
      .input(inWorkspace.extend({ after: z.int().min(0), page: PageId.optional() }))
      .output(eventIterator(WorkspaceEvent)),
  },
  lens: {
    /** The lens or library with everything it refers to; `unsaved` texts stand in for their files. */
    resolve: call.input(inFile.extend({ unsaved })).output(ResolvedDocument),
    /** Whether what was resolved still holds, so that it need not be sent again. */
    isCurrent: call.input(inFile.extend({ version: z.string().max(100) })).output(z.boolean()),
    read: call.input(inFile).output(TextFile),
    /** The file's text as the last commit of its git repository has it. */
    headText: call.input(inFile).output(z.object({ text: z.string(), commit: z.string() })),
    /** Writes the text if the file is still at `base`; otherwise refuses with `file.changed`. */
    save: call
      .input(inFile.extend({ text: z.string().max(1_048_576), base: Revision }))
      .output(z.object({ revision: Revision })),
    /** Writes a new lens or library; refuses to write over anything, and names that are none of either. */
    create: call
      .input(inFile.extend({ text: z.string().max(1_048_576) }))
      .output(z.object({ revision: Revision })),
    /** Takes back what `create` wrote; refuses with `file.not-new` what it did not write, or what was changed since. */
    remove: call.input(inFile).output(z.null()),
  },
  drafts: {
    /** Keeps typed text that is not saved, in place of what this page kept of the file before. */
    keep: call.input(inFile.extend({ page: PageId, text: DraftText, base: Revision })).output(z.null()),
    /** The drafts of this page, after it took over those of pages that are gone. */
    list: call.input(inWorkspace.extend({ page: PageId })).output(z.array(Draft)),
    drop: call.input(inFile.extend({ page: PageId })).output(z.null()),
  },
  library: {
    /** Every skill that a lens could use: of the workspace's libraries and Agent Skills, built in, and of locked founts. */
    list: call.input(inWorkspace).output(LibraryList),
    /** One of them in full, with its scripts, and as an entry to copy. */
    show: call
      .input(inWorkspace.extend({ library: LibraryId, skill: z.string().max(4096) }))
      .output(LibrarySkillDetail),
  },
  plan: {
    /** What a run would do now, and why; runs nothing. */
    make: call.input(inFile.extend({ request: planRequest, unsaved })).output(Plan),
    /** Both sides of one reason of a plan as text, where it is kept. */
    difference: call
      .input(inFile.extend({ skill: z.string().max(4096), reason: Reason }))
      .output(ReasonDifference),
  },
  prompt: {
    /** What a model would be sent for one skill, part by part; asks nobody. */
    preview: call.input(inSkill.extend({ request: planRequest, unsaved })).output(PromptPreview),
  },
  run: {
    /** Starts a run of what is on disk; it goes on without the page. */
    start: call.input(inFile.extend({ request: runRequest })).output(z.object({ run: RunId })),
    /** Carries on an interrupted, cancelled or failed run: what it finished comes from the cache. */
    resume: call.input(inRun).output(z.object({ run: RunId })),
    /** Ends one step or the whole run; returns when every process of it is gone. */
    cancel: call.input(inRun.extend({ skill: z.string().max(4096).optional() })).output(RunRecord),
    /** Answers a question that a run asks a person (`answer_wanted`), or declines it with null. */
    answer: call
      .input(inRun.extend({ request: z.string().max(100), text: z.string().max(1_048_576).nullable() }))
      .output(z.null()),
    show: call.input(inRun).output(RunRecord),
    events: call.input(inRun.extend({ after: z.int().min(0) })).output(eventIterator(RunEvent)),
    /** Newest first, of one lens if it is named; `before` a run to go on from there. */
    list: call
      .input(
        inWorkspace.extend({
          limit: z.int().min(1).max(500),
          before: RunId.optional(),
          lens: FileId.optional(),
        }),
      )
      .output(z.array(RunSummary)),
    /** How one skill of a lens went before, newest first. */
    ofSkill: call.input(inSkill.extend({ limit: z.int().min(1).max(50) })).output(z.array(SkillRun)),
    compare: call.input(inWorkspace.extend({ a: RunId, b: RunId })).output(RunComparison),
    /** Everything a step printed, as far as it was kept. */
    log: call.input(inRun.extend({ skill: z.string().max(4096) })).output(z.object({ text: z.string() })),
    review: call.input(inRun).output(z.array(ReviewFile)),
    /** Writes the accepted files, all or none; refuses files that changed since the run started. */
    apply: call
      .input(inRun.extend({ files: z.array(AcceptedFile).min(1).max(5000) }))
      .output(z.array(ReviewFile)),
    /** Puts a person's word, with a note, in place of a judge's; null takes it back. The run stays as it was, later plans count it. */
    override: call
      .input(
        inRun.extend({
          skill: z.string().max(4096),
          judge: z.string().max(1000),
          outcome: VerdictOverride.shape.outcome.nullable(),
          note: z.string().max(2000),
        }),
      )
      .output(RunRecord),
    /** Writes what the run was given and what came of it down as a fixture of its lens. */
    saveFixture: call
      .input(
        inRun.extend({
          skill: z.string().max(4096).optional(),
          name: z.string().trim().min(1).max(200).optional(),
        }),
      )
      .output(z.object({ file: FileId, name: z.string() })),
    /** The run as one page that needs nothing else, without secrets. */
    export: call.input(inRun).output(z.object({ name: z.string(), html: z.string() })),
  },
  tests: {
    /** The fixtures of a lens or library, with what is wrong with them. */
    list: call.input(inFile).output(FixtureList),
    /** Adds a first fixture for a skill, to be filled in; makes the file where there is none. */
    add: call
      .input(inFile.extend({ skill: z.string().max(4096) }))
      .output(z.object({ file: FileId, name: z.string() })),
    /** Tries fixtures of what is on disk; a recording beside them answers for a model, unless one is named. */
    run: call
      .input(
        inFile.extend({
          names: z.array(z.string().max(1000)).max(1000).optional(),
          model: z.string().max(100).optional(),
          cache: z.boolean().optional(),
        }),
      )
      .output(eventIterator(TestEvent)),
  },
  cache: {
    stats: call.output(CacheStats),
    list: call.input(z.object({ skill: z.string().max(4096).optional() })).output(z.array(CacheEntry)),
    show: call.input(z.object({ key: Digest })).output(CacheEntryDetail),
    clear: call.input(CacheClear).output(CacheStats),
    verify: call.output(CacheCheck),
  },
  agentSkills: {
    /** Every Agent Skill of the workspace, of the user and of the folders that the user named. */
    discover: call.input(inWorkspace).output(SkillList),
    /** One discovered skill: its files, and what is wrong with it by the letter. */
    show: call.input(inWorkspace.extend({ file: z.string().max(8192) })).output(SkillDetail),
    /** Ranks the discovered skills, or the skills of a lens, for a task. */
    match: call
      .input(inWorkspace.extend({ task: z.string().max(10_000), lens: FileId.optional() }))
      .output(z.array(SkillMatch)),
    /** Hands files over, in as many calls as they need; the parts of one file come in order. */
    upload: call
      .input(inWorkspace.extend({ upload: UploadId.optional(), parts: z.array(UploadPart).min(1).max(1000) }))
      .output(z.object({ upload: UploadId })),
    /** What an import into a lens would write; writes nothing. */
    planImport: call
      .input(inFile.extend({ origin: ImportOrigin, name: z.string().max(64).optional() }))
      .output(SkillPreview),
    /** What an export into a folder of the workspace would write; refuses to write over anything. */
    planExport: call
      .input(inFile.extend({ skill: z.string().max(4096).optional(), folder: z.string().min(1).max(1024) }))
      .output(SkillPreview),
    /** What an installation for an agent would write; the agent's table says where. */
    planInstall: call
      .input(
        inWorkspace.extend({
          origin: SkillOrigin,
          agent: z.string().max(64),
          scope: z.enum(['project', 'user']),
        }),
      )
      .output(SkillPreview),
    /** Writes exactly what a preview showed, or nothing where something changed meanwhile. */
    write: call.input(inWorkspace.extend({ plan: PlanId })).output(z.object({ files: z.int() })),
  },
};

/** The engine as a page, the command line or a test sees it. */
export type StudioClient = ContractRouterClient<typeof contract>;
