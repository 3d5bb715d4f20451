import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Settings } from '#shared/model/settings.ts';
import type { Notice } from '#shared/model/app.ts';
import type { Log } from './log.ts';
import { readStateFile, unreadProblem } from './state-file.ts';
import { writeFile } from './write-file.ts';

const mostKept = 100;

/** The user's settings file. A corrupt one is set aside and told about; the studio starts all the same. */
export class SettingsStore {
  readonly #path: string;
  readonly #log: Log;
  readonly #notices: Notice[] = [];
  readonly #followers: ((value: Settings) => void)[] = [];
  #value: Settings;
  #writing: Promise<void> = Promise.resolve();
  /** Why the file must stay as it is. */
  #unread: string | undefined;

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
    this.#value = Settings.parse({
      ...this.#value,
      ...change,
      panes: { ...this.#value.panes, ...change.panes },
      lensInputs: newest(this.#value.lensInputs, change.lensInputs ?? {}),
      recentItems: newest(this.#value.recentItems, change.recentItems ?? {}),
    });
    for (const told of this.#followers) told(this.#value);
    const text = `${JSON.stringify(this.#value, null, 2)}\n`;
    this.#writing = this.#writing.then(() => this.#write(text));
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
    const file = await readStateFile(this.#path, Settings);
    this.#unread = unreadProblem(file);
    if (file.state === 'read') this.#value = file.value;
    if (file.state === 'unreadable')
      this.#tell('settings.unreadable', `Cannot read the settings: ${file.problem}`);
    if (file.state === 'damaged') {
      this.#tell('settings.corrupt', `The settings file was damaged, defaults are used: ${file.fate}`);
    }
  }

  async #write(text: string): Promise<void> {
    if (this.#unread !== undefined) {
      this.#tell(
        'settings.unwritable',
        `Settings are not kept, for the file cannot be read: ${this.#unread}`,
      );
      return;
    }
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(this.#path, text);
    } catch (error) {
      // Settings are a convenience: losing them must not stop the work at hand.
      const reference = this.#log.report(error);
      this.#tell('settings.unwritable', `Cannot write the settings: see "${reference}" in the log`);
    }
  }

  #tell(code: string, message: string): void {
    if (!this.#notices.some((notice) => notice.code === code)) this.#notices.push({ code, message });
  }
}

/** What belongs to lenses and workspaces that nobody opened for long is forgotten. */
function newest<T>(known: Record<string, T>, change: Record<string, T>): Record<string, T> {
  const others = Object.entries(known).filter(([name]) => !Object.hasOwn(change, name));
  return Object.fromEntries([...others, ...Object.entries(change)].slice(-mostKept));
}
