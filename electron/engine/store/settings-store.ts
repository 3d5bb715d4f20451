import { z } from 'zod';
import { Settings } from '#shared/model/settings.ts';
import type { Notice } from '#shared/model/app.ts';
import { withFileLock } from './file-lock.ts';
import type { Log } from './log.ts';
import { readStateFile, unreadProblem, type StateFile } from './state-file.ts';
import { writeFile } from './write-file.ts';

const mostKept = 100;
const mostRecentWorkspaces = 20;

type RecentWorkspaces = Settings['recentWorkspaces'];

/** Settings with what only a newer version knows, which stays in the file. */
const KeptSettings = z.looseObject(Settings.shape);
type KeptSettings = z.infer<typeof KeptSettings>;

/** The user's settings file. A corrupt one is set aside and told about; the studio starts all the same. */
export class SettingsStore {
  readonly #path: string;
  readonly #log: Log;
  readonly #notices: Notice[] = [];
  readonly #followers: ((value: Settings) => void)[] = [];
  #value: Settings;
  #writing: Promise<void> = Promise.resolve();
  /** Changes that are not in the file yet, oldest first. */
  #unwritten: readonly Partial<Settings>[] = [];

  private constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#value = Settings.parse({});
  }

  static async open(path: string, log: Log): Promise<SettingsStore> {
    const store = new SettingsStore(path, log);
    await store.#load();
    return store;
  }

  get value(): Settings {
    return this.#value;
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** Takes the change at once and writes it behind the earlier ones, so that two quick changes cannot swap. */
  async change(change: Partial<Settings>): Promise<Settings> {
    this.#value = Settings.parse(changed(this.#value, change));
    for (const told of this.#followers) told(this.#value);
    this.#unwritten = [...this.#unwritten, change];
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
    return this.#value;
  }

  /** Tells of every change from now on, for as long as the store lives. */
  follow(told: (value: Settings) => void): void {
    this.#followers.push(told);
  }

  /** Resolves when every change so far is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  async #load(): Promise<void> {
    const file = await this.#read();
    if (file.state === 'read') this.#value = Settings.parse(file.value);
    if (file.state === 'unreadable')
      this.#tell('settings.unreadable', `Cannot read the settings: ${file.problem}`);
  }

  async #read(): Promise<StateFile<KeptSettings>> {
    const file = await readStateFile(this.#path, KeptSettings);
    if (file.state === 'damaged') {
      this.#tell('settings.corrupt', `The settings file was damaged, defaults are used: ${file.fate}`);
    }
    return file;
  }

  async #write(): Promise<void> {
    if (this.#unwritten.length === 0) return;
    try {
      await withFileLock(this.#path, () => this.#writeAlone());
    } catch (error) {
      // Settings are a convenience: losing them must not stop the work at hand.
      const reference = this.#log.report(error);
      this.#tell('settings.unwritable', `Cannot write the settings: see "${reference}" in the log`);
    }
  }

  /** Changes what the file says by now, and nothing else of it: other studios and newer versions write there too. */
  async #writeAlone(): Promise<void> {
    const file = await this.#read();
    const problem = unreadProblem(file);
    if (problem !== undefined) {
      this.#tell('settings.unwritable', `Settings are not kept, for the file cannot be read: ${problem}`);
      return;
    }
    const written = this.#unwritten;
    const known = file.state === 'read' ? file.value : this.#value;
    const next = KeptSettings.parse(written.reduce(changed, known));
    await writeFile(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    this.#unwritten = this.#unwritten.slice(written.length);
    this.#adopt(Settings.parse(this.#unwritten.reduce(changed, next)));
  }

  #adopt(value: Settings): void {
    if (JSON.stringify(value) === JSON.stringify(this.#value)) return;
    this.#value = value;
    for (const told of this.#followers) told(value);
  }

  #tell(code: string, message: string): void {
    if (!this.#notices.some((notice) => notice.code === code)) this.#notices.push({ code, message });
  }
}

/** What a change makes of settings; what it does not name stays as it is. */
function changed<T extends Settings>(known: T, change: Partial<Settings>): T {
  return {
    ...known,
    ...change,
    panes: { ...known.panes, ...change.panes },
    recentWorkspaces: latest(known.recentWorkspaces, change.recentWorkspaces ?? []),
    lensInputs: newest(known.lensInputs, change.lensInputs ?? {}),
    recentItems: newest(known.recentItems, change.recentItems ?? {}),
  };
}

/** What another studio opened stays in the list. */
function latest(known: RecentWorkspaces, opened: RecentWorkspaces): RecentWorkspaces {
  const locations = new Set(opened.map(({ location }) => location));
  const others = known.filter(({ location }) => !locations.has(location));
  return [...opened, ...others].slice(0, mostRecentWorkspaces);
}

/** What belongs to lenses and workspaces that nobody opened for long is forgotten. */
function newest<T>(known: Record<string, T>, change: Record<string, T>): Record<string, T> {
  const others = Object.entries(known).filter(([name]) => !Object.hasOwn(change, name));
  return Object.fromEntries([...others, ...Object.entries(change)].slice(-mostKept));
}
