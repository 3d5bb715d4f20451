// Makes the changes of the configuration or of the settings that it is told, one after the other.
import { importSource } from '../../../testing/import-source.mjs';

const root = new URL('../../../../', import.meta.url).pathname;
const load = async (/** @type {string} */ name) => {
  const { module, close } = await importSource(`${root}electron/engine/store/${name}.ts`, { root });
  await close();
  return module;
};
const { editUserConfig } = await load('edit-user-config');
const { SettingsStore } = await load('settings-store');

process.on('message', async (/** @type {{ home: string, paths: string[][] }} */ { home, paths }) => {
  const settings = await SettingsStore.open(`${home}/studio.json`, { report: String });
  for (const path of paths) {
    await editUserConfig(home, [{ path, value: 'set' }]);
    await settings.change({ panes: { [path.join('.')]: [1] } });
  }
  process.send(settings.notices);
});
process.send('ready');
