import type { ModelDraft } from '#shared/model/models.ts';

/** The providers that can be set up here, by the words users know. */
export const providerOptions: readonly { readonly value: ModelDraft['provider']; readonly title: string }[] =
  [
    { value: 'anthropic', title: 'Anthropic' },
    { value: 'openai', title: 'OpenAI' },
    { value: 'google', title: 'Google' },
    { value: 'openai-compatible', title: 'OpenAI-compatible server (Ollama, LM Studio, vLLM, llama.cpp)' },
    { value: 'command', title: 'Agent on this machine (Claude Code, Codex, OpenCode, another program)' },
    { value: 'manual', title: 'You: copy the prompt, paste the answer' },
  ];

/** The variable that is read where none is named. */
export const keyVariables: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
};
