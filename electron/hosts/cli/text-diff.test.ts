import { expect, test } from 'vitest';
import { exactDiff, shownText, textDiff } from './text-diff.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

test('textDiff() shows what hides and drops what a terminal would obey', () => {
  expect(textDiff('a.py', bytes('x = 1\n'), bytes('x = 1 \u202e# \u200b\u001b[2J\n'))).toBe(
    '--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-x = 1\n+x = 1 <U+202E># <U+200B>\n',
  );
});

test('textDiff() knows files that are not there, and binary ones', () => {
  expect([
    textDiff('a', undefined, bytes('one\n')),
    textDiff('a', bytes('one'), undefined),
    textDiff('a', bytes('a\0b'), Buffer.from([0xff])),
  ]).toEqual([
    '--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+one\n',
    '--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n\\ No newline at end of file\n',
    'Binary files a/a and b/a differ\n',
  ]);
});

test('textDiff() tells line ends where they are not all the same, and a return alone always', () => {
  expect([
    textDiff('a', bytes('a\r\nb\r\n'), bytes('a\nb\r\n')),
    textDiff('a', bytes('a\r\n'), bytes('b\r\n')),
    textDiff('a', bytes('a\n'), bytes('b\r-c\n')),
  ]).toEqual([
    '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-a<U+000D>\n+a\n b<U+000D>\n',
    '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b\n',
    '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b<U+000D>-c\n',
  ]);
});

test('exactDiff() keeps every character, and quotes a name that would end its line', () => {
  expect(exactDiff('a\n+b', bytes('a\r\n'), bytes('a\u001b[2J\n'))).toBe(
    '--- "a/a\\n+b"\n+++ "b/a\\n+b"\n@@ -1,1 +1,1 @@\n-a\r\n+a\u001b[2J\n',
  );
});

test('shownText() leaves ordinary text of any language as it is', () => {
  expect(shownText('שלום – привет 👩‍🚀\n')).toBe('שלום – привет 👩‍🚀\n');
});
