import { expect, test } from 'vitest';
import type { Tab } from './tabs.svelte.ts';
import { usedLibraries } from './used-libraries.ts';

function tab(
  file: string,
  skills: Record<string, [source: string, origin: string]>,
  untrusted: string[] = [],
): Tab {
  const graph = {
    skills: Object.fromEntries(
      Object.entries(skills).map(([name, [source, origin]]) => [
        name,
        { name, source, origin: { file: origin } },
      ]),
    ),
  };
  return {
    document: { file },
    resolution: { result: { graph } },
    lensRun: { plan: { untrusted: new Set(untrusted) } },
  } as unknown as Tab;
}

test('usedLibraries() lists what open lenses take from outside of the workspace, each once', () => {
  const tabs = [
    tab(
      'a.lens',
      {
        own: ['own', 'a.lens'],
        read: ['builtin', 'sunwell/common/files.yaml'],
        audit: ['fount', 'fount://@team/audit@1.4.2/skills/audit.yaml'],
      },
      ['audit', 'own'],
    ),
    tab('b.lens', {
      read: ['builtin', 'sunwell/common/files.yaml'],
      list: ['builtin', 'sunwell/common/files.yaml'],
    }),
  ];
  expect(usedLibraries([...tabs, tab('none.lens', {})])).toEqual([
    {
      ...{ name: '@team/audit', badge: '1.4.2 locked', skillCount: 1, untrustedCount: 1 },
      seenIn: { file: 'a.lens', skill: 'audit' },
    },
    {
      ...{ name: 'sunwell/common', badge: 'built in', skillCount: 2, untrustedCount: 0 },
      seenIn: { file: 'a.lens', skill: 'read' },
    },
  ]);
});
