import { Option } from 'commander';
import type { Command } from 'commander';
import { describeModelWords } from './run/model-words.ts';
import type { Does } from './does.ts';
import type { ExecOptions } from './commands/exec.ts';
import type { GrantOptions } from './commands/trust.ts';

/** The commands that run scripts, or say whether they may run. */
export function describeRunning(program: Command, does: Does): void {
  const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
  does(
    describeModelWords(program.command('exec'))
      .description('run one skill, by its scripts in the sandbox or by a model')
      .argument('<skill>', '"lens#name", "library:name" or a name')
      .option('--input <key=value>', 'text for a key or parameter of the skill; repeatable', collect)
      .option('--input-file <key=path>', 'the same from a file; a *.json file gives its value', collect)
      .option('--task <text>', 'what is to be done')
      .addOption(new Option('--write', 'write the files that the skill proposes').conflicts('dryRun'))
      .option('--dry-run', 'print the files that the skill proposes as a diff')
      .option('--output <file>', 'write the content to this file instead'),
    async (invocation, named: string, options: ExecOptions) =>
      (await import('./commands/exec.ts')).exec(invocation, named, options),
  );
  does(
    program
      .command('doctor')
      .description('whether scripts can run safely on this machine, how, and what is not contained'),
    async (invocation) => (await import('./commands/doctor.ts')).doctor(invocation),
  );
  describeTrust(program, does);
}

function describeTrust(program: Command, does: Does): void {
  const trust = program.command('trust').description('which skills may run their scripts');
  const words = '"lens#name", "library:name", a name, or a whole "fount://package@range"';
  does(trust.command('list').description('list what you granted'), async (invocation) =>
    (await import('./commands/trust.ts')).trustList(invocation),
  );
  does(
    trust
      .command('grant')
      .description('show what a skill would run, then let it')
      .argument('<skill>', words)
      .addOption(
        new Option('--level <level>', 'how much').choices(['none', 'sandboxed', 'full']).default('sandboxed'),
      )
      .option('--yes', 'agree without a question; never for full trust'),
    async (invocation, named: string, options: GrantOptions) =>
      (await import('./commands/trust.ts')).trustGrant(invocation, named, options),
  );
  does(
    trust
      .command('revoke')
      .description('take a grant back')
      .argument('<skill>', `${words}, or the beginning of a hash from the list`),
    async (invocation, named: string) => (await import('./commands/trust.ts')).trustRevoke(invocation, named),
  );
}
