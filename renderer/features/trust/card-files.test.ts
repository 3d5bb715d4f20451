import { describe, expect, it } from 'vitest';
import type { TrustCard } from '#shared/model/trust.ts';
import { shownFiles } from './card-files.ts';

function card(changes: Partial<TrustCard>): TrustCard {
  return {
    ...{ skill: 'a', name: 'a', subject: 'a', origin: 'own', declared: 'full', level: 'sandboxed' },
    ...{ hash: 'h', files: [], sees: null, timeoutSeconds: 30, ...changes },
  };
}

describe('shownFiles()', () => {
  it('puts the definition last, as JSON that people can read', () => {
    const files = [
      { path: '(definition)', bytes: 9, text: '{"a":[1]}' },
      { path: 'scripts/tie.sh', bytes: 7, text: 'tie\u200B\n' },
      { path: 'resources/map.png', bytes: 2000 },
    ];
    expect(shownFiles(card({ files }))).toEqual([
      { path: 'scripts/tie.sh', title: 'scripts/tie.sh', bytes: 7, text: 'tie⟨U+200B⟩\n', hidden: 1 },
      { path: 'resources/map.png', title: 'resources/map.png', bytes: 2000, hidden: 0 },
      {
        ...{ path: '(definition)', title: 'Definition', bytes: 9, hidden: 0 },
        text: '{\n  "a": [\n    1\n  ]\n}\n',
      },
    ]);
  });

  it('puts what changed first, with its lines, and keeps what is gone', () => {
    const files = [
      { path: 'scripts/a.sh', bytes: 2, text: 'a\n' },
      { path: 'scripts/b.sh', bytes: 4, text: 'one\nTWO\n' },
      { path: 'scripts/big.bin', bytes: 90_000 },
    ];
    const changes = [
      { path: 'scripts/b.sh', change: 'changed', before: 'one\ntwo\n', after: 'one\nTWO\n' },
      { path: 'scripts/big.bin', change: 'changed' },
      { path: 'scripts/c.sh', change: 'removed', before: 'c\n' },
    ] as const;
    const since = { at: '2026-01-01', level: 'full' as const, changes: [...changes] };
    const shown = shownFiles(card({ files, changedSince: since }));
    expect(shown.map(({ path, change, diff }) => [path, change, diff])).toEqual([
      [
        'scripts/b.sh',
        'changed',
        [
          { kind: 'same', text: 'one' },
          { kind: 'removed', text: 'two' },
          { kind: 'added', text: 'TWO' },
        ],
      ],
      ['scripts/big.bin', 'changed', undefined],
      ['scripts/c.sh', 'removed', [{ kind: 'removed', text: 'c' }]],
      ['scripts/a.sh', undefined, undefined],
    ]);
  });
});
