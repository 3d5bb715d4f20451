import { afterAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { sourceFile } from './place.ts';
import { line, problems, ResolveRig } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const head = (name: string): string => `metadata: { name: ${name}, version: 1.0.0 }\n`;
const rule = (name: string, text: string, more = ''): string =>
  `  - { name: ${name}, rule: ${text}${more} }\n`;

test('extends follows a path into another folder and keeps every origin', async () => {
  const resolution = await rig.resolve({
    'team/child.lens': `${head('Child')}extends: ../base/parent.lens\nheuristics:\n${rule('Own', 'mine')}`,
    'base/parent.lens': `${head('Parent')}extends: ./root.lens\nheuristics:\n${rule('Inherited', 'theirs')}`,
    'base/root.lens': `${head('Root')}heuristics:\n${rule('Oldest', 'first')}`,
  });
  expect(problems(resolution)).toEqual([]);
  expect(resolution.lens?.extended).toEqual(['base/parent.lens', 'base/root.lens']);
  expect(
    resolution.lens?.heuristics.map(({ value, origin }) => [value.name, origin.file, origin.line]),
  ).toEqual([
    ['Oldest', 'base/root.lens', 3],
    ['Inherited', 'base/parent.lens', 4],
    ['Own', 'team/child.lens', 4],
  ]);
});

test('a composed lens of higher priority wins, equal priority: the later, own entries over both', async () => {
  const lens = (name: string, text: string): string =>
    `${head(name)}heuristics:\n${rule('Shared', text)}${rule('Pair', text)}`;
  const resolution = await rig.resolve({
    'a.lens': [
      head('A'),
      'compose:',
      '  - { lens: ./strong.lens, priority: 10 }',
      '  - { lens: ./weak.lens, priority: 1 }',
      '  - ./equal-1.lens',
      '  - ./equal-2.lens',
      'heuristics:',
      rule('Mine', 'own'),
    ].join('\n'),
    'strong.lens': `${head('S')}heuristics:\n${rule('Shared', 'strong')}`,
    'weak.lens': lens('W', 'weak'),
    'equal-1.lens': lens('E1', 'first'),
    'equal-2.lens': `${lens('E2', 'second')}${rule('mine', 'theirs')}`,
  });
  expect(problems(resolution)).toEqual([]);
  const rules = Object.fromEntries(resolution.lens!.heuristics.map(({ value }) => [value.name, value.rule]));
  expect(rules).toEqual({ Shared: 'strong', Pair: 'second', Mine: 'own' });
});

test('an own entry over an inherited one is noted, and "override: true" silences the note', async () => {
  const files = (override: string): Record<string, string> => ({
    'child.lens': `${head('C')}extends: ./parent.lens\nheuristics:\n${rule('Shared', 'own', override)}`,
    'parent.lens': `${head('P')}heuristics:\n${rule('Shared', 'theirs')}`,
  });
  const noted = await rig.resolve(files(''));
  expect(noted.diagnostics.map(line)).toEqual([
    'child.lens:4 lens.overrides The heuristic "Shared" replaces the one of parent.lens:3',
  ]);
  expect(noted.lens?.heuristics[0]).toMatchObject({ overrides: { file: 'parent.lens', line: 3 } });
  expect((await rig.resolve(files(', override: true'))).diagnostics).toEqual([]);
});

test('the nearest explicit value wins, also where it equals the default', async () => {
  const resolution = await rig.resolve({
    'child.lens': `${head('C')}extends: ./parent.lens\nquality_policy: { min_confidence: 0.7 }\n`,
    'parent.lens': `${head('P')}quality_policy: { min_confidence: 0.9, retry_limit: 5 }\n`,
  });
  expect(resolution.lens?.qualityPolicy).toMatchObject({ minConfidence: 0.7, retryLimit: 5 });
});

test('a child keeps its own name and version and inherits the rest of the metadata', async () => {
  const resolution = await rig.resolve({
    'child.lens': `${head('C')}extends: ./parent.lens\n`,
    'parent.lens': 'metadata: { name: P, version: 9.0.0, domain: docs }\n',
  });
  expect(resolution.lens?.metadata).toMatchObject({ name: 'C', version: '1.0.0', domain: 'docs' });
});

test('a lens cycle is reported with the whole chain', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head('A')}extends: ./b.lens\n`,
    'b.lens': `${head('B')}compose: [./c.lens]\n`,
    'c.lens': `${head('C')}extends: ./a.lens\n`,
  });
  expect(problems(resolution)).toEqual([
    'c.lens:2 lens.cycle Lenses extend one another in a circle: a.lens → b.lens → c.lens → a.lens',
  ]);
});

test('a lens reached by two ways takes part once, where it is weakest', async () => {
  const resolution = await rig.resolve({
    'top.lens': `${head('T')}extends: ./left.lens\ncompose: [./right.lens]\n`,
    'left.lens': `${head('L')}extends: ./base.lens\nheuristics:\n${rule('Shared', 'left')}`,
    'right.lens': `${head('R')}extends: ./base.lens\n`,
    'base.lens': `${head('B')}heuristics:\n${rule('Shared', 'base')}`,
  });
  expect(resolution.lens?.heuristics.map(({ value }) => value.rule)).toEqual(['left']);
});

test('a bare name means a lens of the workspace; none and several are reported', async () => {
  const files = {
    'a.lens': `${head('A')}extends: tech writer\n`,
    'x/one.lens': `${head('Tech writer')}heuristics:\n${rule('One', 'one')}`,
    'x/two.lens': head('Tech writer'),
  };
  const root = await rig.world.makeWorkspace(files);
  const found = (...names: string[]) => ({
    lensesNamed: () =>
      Promise.resolve(names.map((name) => sourceFile({ root, label: '' }, join(root, name)))),
  });
  const one = await rig.resolveIn(root, 'a.lens', found('x/one.lens'));
  expect(one.lens?.heuristics.map(({ value }) => value.name)).toEqual(['One']);
  expect(problems(await rig.resolveIn(root, 'a.lens', found()))).toEqual([
    'a.lens:2 lens.not-found Cannot find lens "tech writer": no lens of the workspace or the user has that name',
  ]);
  expect(problems(await rig.resolveIn(root, 'a.lens', found('x/one.lens', 'x/two.lens')))).toEqual([
    'a.lens:2 lens.not-found Cannot choose lens "tech writer": it could be "x/one.lens" and "x/two.lens"; write a path such as "./base.lens"',
  ]);
});

test('a version that the found lens does not satisfy is a warning', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head('A')}extends: { lens: ./b.lens, version: ^2.0.0 }\n`,
    'b.lens': head('B'),
  });
  expect(problems(resolution)).toEqual([
    'a.lens:2 lens.version-mismatch Lens "./b.lens" has version "1.0.0", but "^2.0.0" is asked for',
  ]);
});

test('required validators and personas that are nowhere in the chain are reported', async () => {
  const resolution = await rig.resolve({
    'a.lens': [
      head('A'),
      'extends: ./b.lens',
      'quality_policy: { required_validators: [No-Todo, missing] }',
      'skills:',
      '  - name: s',
      '    description: d',
      '    instructions: i',
      '    validate_with: { validators: [no-todo], personas: [nobody] }',
    ].join('\n'),
    'b.lens': `${head('B')}validators: { deterministic: [{ name: no-todo, not_contains: TODO }] }\n`,
  });
  expect(problems(resolution)).toEqual([
    'a.lens:4 validator.not-found The quality policy requires validator "missing", which the lens does not have',
    'a.lens:6 persona.not-found Skill "s" asks for persona "nobody", which the lens does not have',
  ]);
});
