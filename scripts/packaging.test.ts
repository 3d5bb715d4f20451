import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Configuration } from 'electron-builder';
import { DebugLogger } from 'builder-util';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { icnsFile, icoFile } from './lib/icon-files.mjs';

const root = path.resolve(import.meta.dirname, '..');
const config = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) as Configuration;
const validate = async (changes: object) =>
  await validateConfiguration({ ...config, ...changes }, new DebugLogger(false));

describe('electron-builder.yml', () => {
  test("is valid by electron-builder's own schema, which rejects a typo", async () => {
    await expect(validate({})).resolves.toBeUndefined();
    await expect(validate({ electronFuses: { runAsNodes: false } })).rejects.toThrow(
      'configuration.electronFuses',
    );
    await expect(validate({ asarUnpacked: true })).rejects.toThrow("unknown property 'asarUnpacked'");
  });

  test('turns off every way to run other code in the packaged app', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  test('builds the four installers, and the Debian package brings the sandbox', () => {
    const { linux, mac, win, deb, protocols } = config;
    expect([linux?.target, mac?.target, win?.target]).toEqual([['AppImage', 'deb'], ['dmg'], ['nsis']]);
    expect(deb?.depends).toContain('bubblewrap');
    expect(protocols).toEqual([{ name: 'Sunwell Studio', schemes: ['sunwell'] }]);
  });

  test('names only icons and folders that exist', () => {
    const { linux, mac, win, directories } = config;
    const named = [
      linux?.icon,
      mac?.icon,
      win?.icon,
      directories?.buildResources,
      'package.json',
      'resources',
    ];
    expect(named.filter((place) => !existsSync(path.join(root, String(place))))).toEqual([]);
  });
});

describe('icons', () => {
  const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
  const iconFile = (name: string) => readFileSync(path.join(root, 'resources', 'icons', name));
  const pictures = sizes.map((size) => ({ size, png: iconFile(`${size}x${size}.png`) }));

  test('each picture has the size that its name says', () => {
    const measured = pictures.map(({ png }) => [png.readUInt32BE(16), png.readUInt32BE(20)]);
    expect(measured).toEqual(sizes.map((size) => [size, size]));
  });

  test('the Windows and macOS icon files hold the pictures beside them', () => {
    expect(iconFile('icon.ico').equals(icoFile(pictures))).toBe(true);
    expect(iconFile('icon.icns').equals(icnsFile(pictures))).toBe(true);
    expect(statSync(path.join(root, 'resources/icons/icon.icns')).size).toBe(
      iconFile('icon.icns').readUInt32BE(4),
    );
  });
});
