import type { CallOptions, LanguageModel, StreamPart } from './language-model.ts';
import { ModelError } from './model-error.ts';

/** What a person is asked. */
export interface PersonQuestion {
  readonly prompt: string;
  /** The skill that it is asked for; empty for none. */
  readonly about: string;
  readonly signal: AbortSignal | undefined;
}

/** Shows a prompt to the user and returns the answer they pasted. */
export type AskPerson = (question: PersonQuestion) => Promise<string>;

/** A model that is the user: they carry the prompt to wherever they like and bring the answer back. No tools. */
export function openManual(ask: AskPerson | undefined): LanguageModel {
  return {
    specificationVersion: 'v3',
    provider: 'manual',
    modelId: 'manual',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('A person is only streamed')),
    doStream: async (params) => {
      if (!ask) throw new ModelError('nobody-to-ask', 'nobody is here to paste an answer');
      const about = params.providerOptions?.['manual']?.['about'];
      const text = await ask({
        prompt: promptText(params),
        about: typeof about === 'string' ? about : '',
        signal: params.abortSignal,
      });
      const parts: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 'answer' },
        { type: 'text-delta', id: 'answer', delta: text },
        { type: 'text-end', id: 'answer' },
        { type: 'finish', finishReason: { unified: 'stop', raw: 'pasted' }, usage: nothingCounted },
      ];
      const stream = new ReadableStream<StreamPart>({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
}

/** Of one who does not count. */
export const nothingCounted = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** The whole prompt as one text to copy, with the form of the answer where one is asked for. */
export function promptText({ prompt, responseFormat }: CallOptions): string {
  const texts = prompt.map(({ role, content }) => {
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => ('text' in part ? part.text : '')).join('');
    return role === 'assistant' ? `Your earlier answer:\n${text}` : text;
  });
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
  const form = schema ? [`Answer with JSON only, by this schema:\n${JSON.stringify(schema, null, 2)}`] : [];
  return [...texts, ...form].join('\n\n');
}
