import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxIdentity } from '../identity.ts';
import { openSkillFolder, stageSkill } from './stage-skill.ts';

const identity = sandboxIdentity();
let parent: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'sunwell-skills-'));
});
afterAll(() => {
  chmodSync(parent, 0o700);
  rmSync(parent, { recursive: true, force: true });
});

const filesOf = (text: string) => [{ path: 'scripts/x.sh', content: Buffer.from(text) }];
const open = (boot: string): string => openSkillFolder(parent, identity, boot)!;

test('stageSkill() writes the same files once for all processes, and others beside them', () => {
  const first = stageSkill(open('boot'), filesOf('a'), identity);
  const { ino } = statSync(join(first, 'scripts/x.sh'));
  const again = stageSkill(open('boot'), filesOf('a'), identity);
  expect([again, statSync(join(again, 'scripts/x.sh')).ino]).toEqual([first, ino]);
  const other = stageSkill(open('boot'), filesOf('b'), identity);
  expect([first, other].map((folder) => readFileSync(join(folder, 'scripts/x.sh'), 'utf8'))).toEqual([
    'a',
    'b',
  ]);
});

test('stageSkill() says when files were used last', () => {
  const folder = stageSkill(open('boot'), filesOf('used'), identity);
  utimesSync(folder, 1, 1);
  stageSkill(open('boot'), filesOf('used'), identity);
  expect(Date.now() - statSync(folder).mtimeMs).toBeLessThan(60_000);
});

test('openSkillFolder() keeps nothing of an earlier start of the machine', () => {
  const before = open('boot');
  stageSkill(before, filesOf('a'), identity);
  const after = open('next boot');
  expect([readdirSync(join(parent, 'skills')).length, readdirSync(after)]).toEqual([1, []]);
});

test('openSkillFolder() drops what nobody used for an hour, once there is much, and looks once an hour', () => {
  const folder = open('full');
  for (let i = 0; i < 1003; i++) stageSkill(folder, filesOf(String(i)), identity);
  const droppedAfter = (seconds: number, unused: string): number => {
    utimesSync(stageSkill(folder, filesOf(unused), identity), 1, 1);
    const sweptAt = Date.now() / 1000 - seconds;
    utimesSync(join(parent, 'skills-swept'), sweptAt, sweptAt);
    const before = readdirSync(folder).length;
    open('full');
    return before - readdirSync(folder).length;
  };
  // Just looked, an hour ago, and before the clock was set back.
  expect([droppedAfter(1, '7'), droppedAfter(3601, '8'), droppedAfter(-60, '9')]).toEqual([0, 2, 1]);
});
