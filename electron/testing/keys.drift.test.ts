import { test } from 'vitest';
import { commandContexts, commandIds, commandTable, keysOf } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';
import { keyLabel } from '#shared/keys.ts';
import { expectGenerated } from './drift.ts';

test('docs/keys.md lists every command with its keys', async () => {
  const groups = [...new Set(commandIds.map((id) => commandTable[id].group))];
  const page = [
    '# Keys',
    '',
    'Made from the source by `UPDATE=1 npm run drift`. Do not edit.',
    '',
    'On macOS Ctrl is ⌘ and Alt is ⌥. A browser keeps a few keys for itself; what it has instead is in brackets.',
    ...groups.flatMap((group) => [
      ...['', `## ${group}`, '', '| Command | Key | When |', '| --- | --- | --- |'],
      ...commandIds.filter((id) => commandTable[id].group === group).map(rowOf),
    ]),
  ];
  await expectGenerated('docs/keys.md', `${page.join('\n')}\n`);
});

function rowOf(id: CommandId): string {
  const { title, when } = commandTable[id];
  const [keys = '', inBrowser = ''] = (['desktop', 'browser'] as const).map((host) =>
    keysOf(id, host)
      .map((key) => keyLabel(key, false).join('+'))
      .join(', '),
  );
  return `| ${title} | ${keys}${inBrowser === keys ? '' : ` (${inBrowser})`} | ${commandContexts[when] || 'always'} |`;
}
