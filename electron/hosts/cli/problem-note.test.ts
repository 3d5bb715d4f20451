import { expect, test } from 'vitest';
import { noteCounted } from './problem-note.ts';
import { Output, type Terminal } from './terminal.ts';

test.each([
  ['/work/lenses/a.lens', 'lenses/a.lens'],
  ['/work/lenses/a b.lens', "'lenses/a b.lens'"],
  ["/work/it's.lens", String.raw`'it'\''s.lens'`],
])('noteCounted() names %s so that it can be pasted into a shell', (path, word) => {
  let text = '';
  const stream = { write: (part: string) => (text += part) };
  const terminal = { stdout: stream, stderr: stream, machine: { platform: 'linux', environment: {} } };
  const output = new Output(terminal as unknown as Terminal, { isJson: false, mayColor: false });
  noteCounted({ output, terminal: { workingDirectory: '/work' } }, path, { errors: 1, warnings: 2 });
  expect(text).toBe(`1 error and 2 warnings: run "sunwell validate ${word}" to see them\n`);
});
