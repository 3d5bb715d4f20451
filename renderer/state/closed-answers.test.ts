import { expect, test } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { ClosedAnswers } from './closed-answers.ts';

test('ClosedAnswers keeps the last four and gives each out once', () => {
  const answers = new ClosedAnswers<number>();
  const files = ['a', 'b', 'c', 'd', 'e'] as FileId[];
  files.forEach((file, i) => answers.keep(file, i));
  expect([...files, 'e' as FileId].map((file) => answers.take(file))).toEqual([
    undefined,
    1,
    2,
    3,
    4,
    undefined,
  ]);
});
