import { eventIterator, oc } from '@orpc/contract';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import { errorTable } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { AppEvent, AppInfo } from './model/app.ts';
import { DoctorReport } from './model/doctor.ts';
import { ResolvedDocument } from './model/lens-document.ts';
import { Settings, SettingsChange } from './model/settings.ts';
import { GrantEntry, TrustCard, TrustLevel } from './model/trust.ts';
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
const inSkill = inFile.extend({ skill: z.string().max(4096) });

/** Every call and stream between a page and the engine: the table of contents of the app. */
export const contract = {
  app: {
    info: call.output(AppInfo),
    events: call.output(eventIterator(AppEvent)),
  },
  settings: {
    read: call.output(Settings),
    change: call.input(SettingsChange).output(Settings),
  },
  sandbox: {
    /** Tries the sandbox once for the life of the engine; `again` after something on the machine changed. */
    report: call.input(z.object({ again: z.boolean() })).output(DoctorReport),
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
    events: call.input(inWorkspace.extend({ after: z.int().min(0) })).output(eventIterator(WorkspaceEvent)),
  },
  lens: {
    /** The lens or library with everything it refers to; `unsaved` texts stand in for their files. */
    resolve: call
      .input(
        inFile.extend({
          unsaved: z.array(z.object({ file: FileId, text: z.string().max(1_048_576) })).max(100),
        }),
      )
      .output(ResolvedDocument),
    read: call.input(inFile).output(TextFile),
    /** Writes the text if the file is still at `base`; otherwise refuses with `file.changed`. */
    save: call
      .input(inFile.extend({ text: z.string().max(1_048_576), base: Revision }))
      .output(z.object({ revision: Revision })),
  },
};

/** The engine as a page, the command line or a test sees it. */
export type StudioClient = ContractRouterClient<typeof contract>;
