import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashSkillTree, pathProblem, TreeBuilder } from './skill-tree.ts';

const file = (path: string, bytes = Buffer.from(path), mode = 0o644) => ({ path, bytes, mode });

test('TreeBuilder refuses the first byte beyond 10 MiB by itself, whatever its readers check', () => {
  const builder = new TreeBuilder('x');
  builder.addFile(file('a', Buffer.alloc(10 * 1024 * 1024 - 1)));
  builder.addFile(file('b', Buffer.alloc(1)));
  expect(builder.bytesLeft).toBe(0);
  expect(() => builder.addFile(file('c', Buffer.alloc(1)))).toThrow('exceeds total size limit');
});

test('TreeBuilder sorts files, keeps folders that are empty, and drops bits that lend rights', () => {
  const builder = new TreeBuilder('x');
  builder.addFolder('b');
  builder.addFolder('b/empty');
  builder.addFile(file('b/c', Buffer.from('1'), 0o104755));
  builder.addFile(file('a', Buffer.from('2'), 0o100600));
  expect(builder.build()).toEqual({
    files: [file('a', Buffer.from('2'), 0o600), file('b/c', Buffer.from('1'), 0o755)],
    emptyFolders: ['b/empty'],
  });
});

test('hashSkillTree() is the hash of the documented text', () => {
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
  const files = [file('SKILL.md', Buffer.from('x')), file('run.sh', Buffer.from('y'), 0o755)];
  expect(hashSkillTree({ files, emptyFolders: ['ignored'] })).toBe(
    sha(`sunwell-skill-v1\n- ${sha('x')} SKILL.md\nx ${sha('y')} run.sh\n`),
  );
});

test.each([
  '',
  '/a',
  'C:/a',
  'c:a',
  '../a',
  'a/../b',
  'a//b',
  'a/./b',
  'a/',
  'a\\b',
  'a\0b',
  'a\nb',
  `${'a/'.repeat(16)}b`,
])('row 82: the path %j may not be in a skill', (path) => {
  expect(pathProblem(path)).toEqual(expect.any(String));
});

test.each(['SKILL.md', 'a b/c', '..a', 'a..', '.hidden', '技能/é.md'])('the path %j may', (path) => {
  expect(pathProblem(path)).toBeUndefined();
});
