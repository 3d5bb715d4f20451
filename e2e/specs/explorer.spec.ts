import { execFile } from 'node:child_process';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { appRoot } from '../places.ts';
import { expect, test } from '../studio.ts';
import { diskWorld } from '../world.ts';

const lens = [
  'lens:',
  '  metadata: { name: Harbor, version: 1.0.0 }',
  '  skills:',
  '    - { name: pdf, type: local, path: skills/pdf }',
  '    - { name: read-tides, source: "fount://tides@file:./vendor/tides:read-tides" }',
  '',
].join('\n');

test.use({
  files: {
    'harbor.lens': 'lens:\n  metadata: { name: Harbor, version: 1.0.0 }\n  skills: []\n',
    'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\nRead them\n',
    'skills/other/SKILL.md': '---\nname: other\ndescription: Reads others\n---\nRead them\n',
    'vendor/tides/package.json': '{ "name": "tides", "version": "1.0.0" }\n',
    'vendor/tides/tides.skills.yaml':
      'skills: [{ name: read-tides, description: Reads tides, instructions: Read them }]\n',
  },
});

test('says which skills are imported, and which lens names a fount that is not as it was locked', async ({
  studio: { page, workspace, home },
}) => {
  const words = ['fount', 'add', 'tides@file:./vendor/tides', '--workspace', workspace];
  await promisify(execFile)(process.execPath, [join(appRoot, 'dist/cli.cjs'), ...words], {
    env: { ...process.env, SUNWELL_HOME: home },
  });
  await diskWorld(workspace).writeFile(workspace, 'harbor.lens', lens);
  await expect(page.getByRole('treeitem', { name: 'pdf imported' })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: 'other skills' })).toBeVisible();
  const harbor = page.getByRole('treeitem', { name: 'Harbor' });
  await harbor.click();
  await expect(page.getByRole('treeitem', { name: /^tides .*1\.0\.0 locked$/ })).toBeVisible();

  const [stored] = (await readdir(join(home, 'fount'))).filter((name) => name.startsWith('tides@'));
  await appendFile(join(home, 'fount', stored!, 'tides.skills.yaml'), '# changed\n');
  await diskWorld(workspace).writeFile(workspace, 'harbor.lens', `${lens}# again\n`);
  await expect(harbor).toContainText('differs from lock');
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(page.getByRole('tabpanel')).toContainText('the copy on this machine was changed');
});
