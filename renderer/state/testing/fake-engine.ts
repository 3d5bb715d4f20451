import { ORPCError } from '@orpc/client';
import type { StudioClient } from '#shared/contract.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { AppEvent } from '#shared/model/app.ts';
import type { DoctorReport } from '#shared/model/doctor.ts';
import type { Draft } from '#shared/model/draft.ts';
import { Settings } from '#shared/model/settings.ts';
import type { GrantEntry, TrustCard } from '#shared/model/trust.ts';
import type {
  FileId,
  OpenRequest,
  Revision,
  WorkspaceEntry,
  WorkspaceEvent,
  WorkspaceId,
  WorkspaceSnapshot,
} from '#shared/model/workspace.ts';
import { resolvedText } from './resolved-graph.ts';
import { FakeModels } from './fake-models.ts';
import { FakeRuns } from './fake-runs.ts';
import { FakeSkills } from './fake-skills.ts';
import { FakeTests } from './fake-tests.ts';
import { doctorReport, trustCard } from './sandbox-answers.ts';

type EventWithoutSeq = WorkspaceEvent extends infer E
  ? E extends WorkspaceEvent
    ? Omit<E, 'seq'>
    : never
  : never;

/** An engine in memory with the contract's shape, whose answers a test decides. */
export class FakeEngine {
  readonly files = new Map<string, string>();
  readonly calls: string[] = [];
  readonly opened: OpenRequest[] = [];
  /** The unsaved texts of each call to `lens.resolve`. */
  readonly unsaved: (readonly { file: FileId; text: string }[])[] = [];
  /** Unsaved texts that pages keep, by file. */
  readonly drafts = new Map<string, Draft>();
  settings = Settings.parse({});
  report: DoctorReport = doctorReport();
  card: TrustCard = trustCard();
  grants: GrantEntry[] = [];
  sampleLocation = '/sample';
  seq = 0;
  workspaceId = 'w1' as WorkspaceId;
  /** Refuses calls of this name with this code. */
  readonly refusals = new Map<string, ErrorCode>();
  /** Calls of this name do their work at once, but their answer waits for this promise. */
  readonly delays = new Map<string, Promise<void>>();
  readonly #workspaceStreams = new Set<(event: WorkspaceEvent) => void>();
  readonly #appStreams = new Set<(event: AppEvent) => void>();

  /** Plans, runs and the cache. */
  readonly runs = new FakeRuns();
  readonly models = new FakeModels();
  readonly tests = new FakeTests();

  /** Agent Skills. */
  readonly skills = new FakeSkills();

  readonly client = this.#client();

  constructor(files: Record<string, string> = {}) {
    for (const [file, text] of Object.entries(files)) this.files.set(file, text);
  }

  /** Changes a file as another program would, and tells of it. */
  write(file: string, text: string): void {
    this.files.set(file, text);
    this.tell({ type: 'entry-changed', entry: entryOf(file, text) });
  }

  remove(file: string): void {
    this.files.delete(file);
    this.tell({ type: 'entry-removed', file: file as FileId });
  }

  tell(event: EventWithoutSeq): void {
    const numbered = { ...event, seq: ++this.seq };
    for (const send of this.#workspaceStreams) send(numbered);
  }

  tellApp(event: AppEvent): void {
    for (const send of this.#appStreams) send(event);
  }

  snapshot(): WorkspaceSnapshot {
    const entries = [...this.files]
      .filter(([file]) => !file.endsWith('fixtures.yaml'))
      .map(([file, text]) => entryOf(file, text));
    const { workspaceId: workspace, seq } = this;
    return { workspace, name: 'harbor', location: '/harbor', seq, entries };
  }

  #client(): StudioClient {
    const call =
      <Input, Output>(name: string, answer: (input: Input) => Output) =>
      async (input: Input): Promise<Output> => {
        this.calls.push(name);
        const code = this.refusals.get(name);
        if (code) throw new ORPCError(code, { message: `Refused: ${code}`, data: {} });
        const result = answer(input);
        await this.delays.get(name);
        return result;
      };
    const client = {
      app: {
        info: call('app.info', () => ({
          ...{ name: 'Sunwell Studio', version: '1.0.0', host: 'test', platform: 'linux' },
          ...{ canChooseFolder: false, notices: [], sampleLocation: this.sampleLocation },
        })),
        events: call('app.events', () => stream(this.#appStreams)),
      },
      settings: {
        read: call('settings.read', () => this.settings),
        change: call('settings.change', (change: Partial<Settings>) => {
          this.settings = { ...this.settings, ...change };
          return this.settings;
        }),
      },
      sandbox: {
        report: call('sandbox.report', () => this.report),
      },
      trust: {
        card: call('trust.card', () => this.card),
        grant: call('trust.grant', (wish: { hash: string; level: GrantEntry['level'] }) => {
          if (wish.hash !== this.card.hash) throw new ORPCError('trust.changed', { data: {} });
          const { subject, hash, files } = this.card;
          this.grants = [
            ...this.grants,
            {
              subject,
              hash,
              level: wish.level,
              at: `2026-01-0${this.grants.length + 1}`,
              files: files.length,
            },
          ];
          return { ...this.card, level: wish.level };
        }),
        list: call('trust.list', () => this.grants),
        revoke: call('trust.revoke', ({ subject }: { subject: string }) => {
          this.grants = this.grants.filter((grant) => grant.subject !== subject);
          return this.grants;
        }),
      },
      workspace: {
        open: call('workspace.open', (request: OpenRequest) => {
          this.opened.push(request);
          return this.snapshot();
        }),
        choose: call('workspace.choose', () => null),
        snapshot: call('workspace.snapshot', () => this.snapshot()),
        files: call('workspace.files', () => ({ files: [...this.files.keys()] })),
        events: call('workspace.events', () => stream(this.#workspaceStreams)),
      },
      lens: {
        resolve: call(
          'lens.resolve',
          ({ file, unsaved }: { file: FileId; unsaved: { file: FileId; text: string }[] }) => {
            this.unsaved.push(unsaved);
            const typed = unsaved.find((known) => known.file === file);
            return resolvedText(file, typed?.text ?? this.#read(file).text);
          },
        ),
        read: call('lens.read', ({ file }: { file: FileId }) => this.#read(file)),
        headText: call('lens.headText', () => {
          throw new ORPCError('git.no-repository', { message: 'No repository here', data: {} });
        }),
        create: call('lens.create', ({ file, text }: { file: FileId; text: string }) => {
          if (this.files.has(file)) throw new ORPCError('file.exists', { message: 'There', data: {} });
          this.write(file, text);
          return { revision: revisionOf(text) };
        }),
        remove: call('lens.remove', ({ file }: { file: FileId }) => {
          this.#read(file);
          this.remove(file);
          return null;
        }),
        save: call('lens.save', ({ file, text, base }: { file: FileId; text: string; base: Revision }) => {
          if (this.#read(file).revision !== base) throw new ORPCError('file.changed', { data: {} });
          this.write(file, text);
          return { revision: revisionOf(text) };
        }),
      },
      drafts: {
        keep: call('drafts.keep', ({ file, text, base }: Draft) => {
          this.drafts.set(file, { file, text, base, keptAt: '2026-01-01T00:00:00.000Z' });
          return null;
        }),
        list: call('drafts.list', () => [...this.drafts.values()]),
        drop: call('drafts.drop', ({ file }: { file: FileId }) => {
          this.drafts.delete(file);
          return null;
        }),
      },
      models: this.models.answers(call),
      ...this.runs.answers(call, stream, this.tests),
      tests: this.tests.answers(call, stream),
      ...this.skills.answers(call),
    };
    return client as unknown as StudioClient;
  }

  #read(file: FileId): { file: FileId; text: string; revision: Revision } {
    const text = this.files.get(file);
    if (text === undefined) throw new ORPCError('file.not-found', { message: 'Gone', data: {} });
    return { file, text, revision: revisionOf(text) };
  }
}

export function revisionOf(text: string): Revision {
  return `revision of ${text}` as Revision;
}

export function entryOf(file: string, text: string): WorkspaceEntry {
  const name = file.replace(/.*\//, '').replace(/\..*/, '');
  const base = { file: file as FileId, revision: revisionOf(text), name };
  if (file.endsWith('.md')) return { kind: 'agent-skill', ...base, scope: '.agents' };
  const skillCount = text.split('- name:').length - 1;
  return { kind: file.endsWith('.lens') ? 'lens' : 'library', ...base, skillCount };
}

function stream<Event>(
  listeners: Set<(event: Event) => void>,
  earlier: readonly Event[] = [],
): AsyncGenerator<Event, void> {
  const queue: Event[] = [...earlier];
  let wake: () => void = () => undefined;
  const listener = (event: Event): void => {
    queue.push(event);
    wake();
  };
  listeners.add(listener);
  return (async function* () {
    try {
      for (;;) {
        for (let event = queue.shift(); event !== undefined; event = queue.shift()) yield event;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      listeners.delete(listener);
    }
  })();
}
