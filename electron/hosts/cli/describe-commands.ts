import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import type { SchemaName } from '#shared/model/json-schemas.ts';
import { describeAgentSkills } from './describe-agent-skills.ts';
import { describeCache } from './describe-cache.ts';
import { describeModels } from './describe-models.ts';
import { describeRunning } from './describe-running.ts';
import { describeRuns } from './describe-runs.ts';
import { describeSkillFiles } from './describe-skill-files.ts';
import { describeTests } from './describe-tests.ts';
import type { SkillGraphOptions } from './commands/lens-skill-graph.ts';
import type { ValidateOptions } from './commands/validate.ts';
import type { Does } from './does.ts';
import { describeJudgeWords } from './validate/judge-words.ts';

/** The files that have a schema; by name only, since the schemas themselves take long to load. */
const schemaNames = { lens: true, library: true, fixtures: true, config: true, lock: true } satisfies Record<
  SchemaName,
  true
>;

/** All commands but the first ones, each with its words. */
export function describeCommands(program: Command, lens: Command, does: Does): void {
  describeLens(lens, does);
  describeFiles(program, does);
  describeSkills(program, does);
  describeAgentSkills(program, does);
  describeFount(program, does);
  describeRunning(program, does);
  describeRuns(program, does);
  describeTests(program, does);
  describeCache(program, does);
  describeModels(program, does);
}

function describeLens(lens: Command, does: Does): void {
  const lensWords = 'file or name of a lens';
  does(
    lens.command('show').description('what a lens knows and does').argument('<lens>', lensWords),
    async (invocation, named: string) =>
      (await import('./commands/lens-show.ts')).lensShow(invocation, named),
  );
  does(
    lens
      .command('resolve')
      .description('the lens with all it extends and composes, each item with its origin')
      .argument('<lens>', lensWords),
    async (invocation, named: string) =>
      (await import('./commands/lens-resolve.ts')).lensResolve(invocation, named),
  );
  does(
    lens
      .command('skill-graph')
      .description('the skills of a lens or library in waves')
      .argument('<lens>', `${lensWords}, or a library file`)
      .option('--mermaid', 'print a Mermaid flowchart')
      .option('--dot', 'print Graphviz DOT')
      .option('--svg', 'print a picture')
      .option('--output <file>', 'write to this file instead'),
    async (invocation, named: string, options: SkillGraphOptions) =>
      (await import('./commands/lens-skill-graph.ts')).lensSkillGraph(invocation, named, options),
  );
}

function describeFiles(program: Command, does: Does): void {
  does(
    describeJudgeWords(
      program
        .command('validate')
        .description('check lenses, libraries, skills, fixtures, config and lock files')
        .argument('<file...>', 'files, folders or patterns')
        .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json', 'sarif']))
        .addOption(new Option('--schema <version>', 'rules to check by').choices(['v2'])),
      'judge every other file by this lens',
    ),
    async (invocation, files: string[], options: ValidateOptions) =>
      (await import('./commands/validate.ts')).validate(invocation, files, options),
  );

  does(
    program
      .command('schema')
      .description('print the JSON Schema of a kind of file')
      .addArgument(new Argument('<name>', 'the kind').choices(Object.keys(schemaNames))),
    async (invocation, name: string) => (await import('./commands/schema.ts')).schema(invocation, name),
  );
}

function describeSkills(program: Command, does: Does): void {
  const skills = program.command('skills').description('what lenses can use');
  does(
    skills
      .command('list')
      .description('list the skills of all libraries, or of one')
      .argument('[library]', 'file, folder, "sunwell/common" or fount'),
    async (invocation, named: string | undefined) =>
      (await import('./commands/skills-list.ts')).skillsList(invocation, named),
  );
  does(
    skills
      .command('show')
      .description('one skill with what it needs and what needs it')
      .argument('<skill>', 'name, "library:name" or "lens#name"'),
    async (invocation, named: string) =>
      (await import('./commands/skills-show.ts')).skillsShow(invocation, named),
  );
  describeSkillFiles(program, skills, does);
}

function describeFount(program: Command, does: Does): void {
  const fount = program.command('fount').description('packages of skills and sunwell.lock');
  does(
    fount
      .command('add')
      .description('fetch a fount and pin it')
      .argument('<spec>', 'such as "@team/docs@^1.0.0" or "fount://docs@^1.0.0"'),
    async (invocation, spec: string) => (await import('./commands/fount.ts')).fountAdd(invocation, spec),
  );
  does(
    fount
      .command('update')
      .description('take the highest version in the range for all founts, or for one')
      .argument('[name]', 'package'),
    async (invocation, name: string | undefined) =>
      (await import('./commands/fount.ts')).fountUpdate(invocation, name),
  );
  does(
    fount.command('outdated').description('how every fount stands against the lock and its source'),
    async (invocation) => (await import('./commands/fount.ts')).fountOutdated(invocation),
  );
}
