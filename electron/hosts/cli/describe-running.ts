import { Option } from 'commander';
import type { Command } from 'commander';
import { describeStepWords, type StepWords } from './run/run-words.ts';
import type { Does } from './does.ts';
import type { GrantOptions } from './commands/trust.ts';

/** The commands that run scripts, or say whether they may run. */
export function describeRunning(program: Command, does: Does): void {
  does(
    describeStepWords(
      program
        .command('exec')
        .description('run one skill, by its scripts in the sandbox or by a model')
        .argument('<skill>', '"lens#name", "library:name", a name, or the folder of an Agent Skill'),
    )
      .option('--task <text>', 'what is to be done')
      .addOption(
        new Option('--validate-with <lens>', 'judge the result by this lens, in place of its own').conflicts([
          'judge',
        ]),
      ),
    async (invocation, named: string, words: StepWords) =>
      (await import('./commands/exec.ts')).exec(invocation, named, words),
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
