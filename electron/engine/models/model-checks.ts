import { StudioError } from '#shared/errors.ts';
import type { ModelConfig } from '#shared/model/config.ts';
import type { KeyState, ModelDraft } from '#shared/model/models.ts';
import { agentCommand } from './agent-commands.ts';
import { addressOf, isInsecure, usesServer } from './open-model.ts';

/** Where a provider's key is looked for when the configuration names no variable. */
export const usualVariables: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
};

/** Refuses a model that could never answer; the message repeats no value, for it may be a key in the wrong box. */
export function requireUsable({ name, provider, model, baseUrl, apiKeyEnv, command }: ModelDraft): void {
  const refuse = (why: string): never => {
    throw new StudioError('model.invalid', `Cannot save model "${name}": ${why}`, { name });
  };
  if (provider === 'command' && !command) refuse('it needs the program to run');
  if (provider !== 'command' && command) refuse('only an agent has a command');
  if (usesServer(provider) && !model) refuse('it needs the name that its provider has for it');
  if (usesServer(provider) && !addressOf({ provider, ...(baseUrl !== undefined && { baseUrl }) }))
    refuse('its address must begin with http:// or https:// and hold no password');
  if (apiKeyEnv !== undefined && !/^[A-Za-z_][A-Za-z0-9_]{0,100}$/.test(apiKeyEnv))
    refuse('the variable is the name of an environment variable, never the key itself');
}

/** What keeps a configured model from being used, as a sentence with the way out. */
export function problemOf(config: ModelConfig, key: KeyState): string | undefined {
  const address = addressOf(config);
  if (config.provider === 'command' && agentCommand(config) === undefined)
    return 'It needs "command", the agent to run';
  if (usesServer(config.provider) && !address) return 'Its address is not an http or https address';
  if (key === 'missing') {
    const variable = config.apiKeyEnv ?? usualVariables[config.provider] ?? '';
    const way = config.provider === 'command' ? '' : ', or enter the key in the desktop app';
    return `Its key is missing: set ${variable}${way}`;
  }
  if (address && key !== 'not-needed' && isInsecure(address))
    return 'Its key would travel unencrypted: use an https address';
  return undefined;
}
