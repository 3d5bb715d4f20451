import type { ModelConfig } from '#shared/model/config.ts';
import { ModelError } from './model-error.ts';
import type { LanguageModel } from './language-model.ts';

/** Where each provider answers when the configuration names no other address. */
const addresses: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  // Google serves the chat format of OpenAI under this address.
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
};

export interface Connection {
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

/** The address that a model's prompts and key go to; undefined for a model without a server. */
export function addressOf({ provider, baseUrl }: Pick<ModelConfig, 'provider' | 'baseUrl'>): URL | undefined {
  if (!usesServer(provider)) return undefined;
  const written = baseUrl ?? addresses[provider] ?? '';
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  return url.username === '' && url.password === '' ? url : undefined;
}

export function usesServer(provider: string): boolean {
  return provider === 'openai-compatible' || Object.hasOwn(addresses, provider);
}

/** Whether the provider refuses every call without a key. */
export function needsKey(provider: string): boolean {
  return Object.hasOwn(addresses, provider);
}

/** What would send a key over the network for everyone to read. */
export function isInsecure(address: URL): boolean {
  return (
    address.protocol === 'http:' &&
    !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.*\.localhost)$/.test(address.hostname)
  );
}

/** Opens a model behind a server; nothing is sent yet. The providers are loaded at first use: they take a quarter second. */
export async function openServerModel(
  config: ModelConfig,
  { key, fetch }: Connection,
): Promise<LanguageModel> {
  const address = addressOf(config);
  if (!address)
    throw new ModelError('unreachable', `"base_url" is not an http or https address without a password`);
  if (key === undefined && needsKey(config.provider))
    throw new ModelError('no-key', 'it needs a key, and none is there');
  if (key !== undefined && isInsecure(address))
    throw new ModelError('insecure-address', 'its key would travel unencrypted: use an https address');
  const id = config.model ?? '';
  const common = { baseURL: address.href.replace(/\/+$/, ''), fetch };
  switch (config.provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ ...common, apiKey: key ?? '' })(id);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ ...common, apiKey: key ?? '' }).chat(id);
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: providerName, includeUsage: true, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...common, ...settings, ...(key !== undefined && { apiKey: key }) })(
        id,
      );
    }
  }
}

const providerName = 'compatible';

/** Settings of a call as the AI SDK names them; what it does not know goes to the provider as it stands. */
export function callSettings({ provider, params }: ModelConfig): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    const known = knownParams[name];
    // What it costs is for us to know.
    if (name === 'price') continue;
    if (known === undefined) others[name] = value;
    else settings[known] = value;
  }
  const owner = provider === 'anthropic' || provider === 'openai' ? provider : providerName;
  return Object.keys(others).length === 0 ? settings : { ...settings, providerOptions: { [owner]: others } };
}

const knownParams: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  max_tokens: 'maxOutputTokens',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  stop: 'stopSequences',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
};
