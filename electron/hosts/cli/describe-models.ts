import type { Command } from 'commander';
import type { Does } from './does.ts';

/** The commands about the user's models and configuration. */
export function describeModels(program: Command, does: Does): void {
  const model = program.command('model').description('the models of your config.yaml');
  does(model.command('list').description('list them, and where their keys come from'), async (invocation) =>
    (await import('./commands/model.ts')).modelList(invocation),
  );
  does(
    model
      .command('test')
      .description('ask a model one small question')
      .argument('[name]', 'its name in config.yaml (default: "default_model")'),
    async (invocation, name: string | undefined) =>
      (await import('./commands/model.ts')).modelTest(invocation, name),
  );
  const config = program.command('config').description('your config.yaml');
  does(
    config
      .command('get')
      .description('print a setting, or all of them')
      .argument('[key]', 'such as "default_model" or "models.fast.base_url"'),
    async (invocation, key: string | undefined) =>
      (await import('./commands/config.ts')).configGet(invocation, key),
  );
  does(
    config
      .command('set')
      .description('change a setting and leave the rest of the file as it is')
      .argument('<key>', 'such as "default_model" or "models.fast.base_url"')
      .argument('[value]', 'the new value; left out, the setting is removed'),
    async (invocation, key: string, value: string | undefined) =>
      (await import('./commands/config.ts')).configSet(invocation, key, value),
  );
}
