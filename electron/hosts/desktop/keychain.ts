import { safeStorage } from 'electron';
import type { Keychain } from '#engine/models/keychain.ts';

/** The keychain of the operating system through Electron. */
export const systemKeychain: Keychain = {
  isAvailable: () =>
    safeStorage.isEncryptionAvailable() &&
    // Without a wallet Chromium seals with a key that everyone knows: that keeps nothing secret.
    (process.platform !== 'linux' ||
      !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())),
  encrypt: (secret) => safeStorage.encryptString(secret),
  decrypt: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
};
