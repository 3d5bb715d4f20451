import { join } from 'node:path';
import { z } from 'zod';
import { StudioError } from '#shared/errors.ts';
import { withFileLock } from '../store/file-lock.ts';
import { readStateFile, unreadProblem, type StateFile } from '../store/state-file.ts';
import { writeFile } from '../store/write-file.ts';

/** The keychain of the operating system, as a host lends it; absent where a host has none. */
export interface Keychain {
  /** False also where the system would keep secrets in plain text. */
  isAvailable(): boolean;
  encrypt(secret: string): Uint8Array;
  decrypt(sealed: Uint8Array): string;
}

const KeyFile = z.object({
  version: z.literal(1),
  keys: z.record(z.string(), z.object({ origin: z.string(), sealed: z.base64() })),
});
type KeyFile = z.infer<typeof KeyFile>;

/**
 * Keys that the user typed, each sealed by the keychain and bound to the server it was typed for: pointing a model at
 * another server must not hand its key over.
 */
export class KeyStore {
  readonly #path: string;
  readonly #keychain: Keychain | undefined;

  constructor(home: string, keychain: Keychain | undefined) {
    this.#path = join(home, 'keys.json');
    this.#keychain = keychain;
  }

  get canKeep(): boolean {
    return this.#keychain?.isAvailable() ?? false;
  }

  /** The key typed for this model and server; undefined where there is none, or the keychain no longer opens it. */
  async find(model: string, origin: string): Promise<string | undefined> {
    if (!this.canKeep) return undefined;
    const kept = keysOf(await readStateFile(this.#path, KeyFile))[model];
    if (kept?.origin !== origin) return undefined;
    try {
      return this.#keychain!.decrypt(Buffer.from(kept.sealed, 'base64'));
    } catch {
      return undefined; // Sealed on another machine or by another user: it is shown as missing, to be typed again.
    }
  }

  async keep(model: string, origin: string, key: string): Promise<void> {
    if (!this.canKeep)
      throw new StudioError(
        'model.no-keychain',
        'Cannot keep the key: this host has no keychain, put the key into an environment variable',
      );
    const sealed = Buffer.from(this.#keychain!.encrypt(key)).toString('base64');
    await this.#change((keys) => ({ ...keys, [model]: { origin, sealed } }));
  }

  async forget(model: string): Promise<void> {
    await this.#change((keys) => Object.fromEntries(Object.entries(keys).filter(([name]) => name !== model)));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#change((keys) =>
      Object.fromEntries(Object.entries(keys).map(([name, key]) => [name === from ? to : name, key])),
    );
  }

  /** One change after the other, whichever process makes it: two at once would lose one of them. */
  #change(change: (keys: KeyFile['keys']) => KeyFile['keys']): Promise<void> {
    return withFileLock(this.#path, async () => {
      const file = await readStateFile(this.#path, KeyFile);
      const problem = unreadProblem(file);
      if (problem !== undefined)
        // Written anew, it would lose every key that is in it.
        throw new StudioError(
          'model.keys-unreadable',
          `Cannot change the keys in "${this.#path}", which cannot be read: ${problem}; check its permissions`,
        );
      const before = keysOf(file);
      const keys = change(before);
      if (JSON.stringify(keys) === JSON.stringify(before)) return;
      await writeFile(this.#path, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, { mode: 0o600 });
    });
  }
}

/** Of a file that could not be read none: its models then show that their keys are missing. */
function keysOf(file: StateFile<KeyFile>): KeyFile['keys'] {
  return file.state === 'read' ? file.value.keys : {};
}
