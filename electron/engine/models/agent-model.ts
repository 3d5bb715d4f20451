import type { LanguageModel, StreamPart } from './language-model.ts';
import { nothingCounted, promptText } from './manual.ts';
import { runAgent, type AgentParts, type Workplace } from './run-agent.ts';

/** A model that is an agent: it gets the whole prompt at once, works with tools of its own, and prints its answer. */
export function openAgent(parts: AgentParts, workplace: Workplace | undefined): LanguageModel {
  return {
    specificationVersion: 'v3',
    provider: 'command',
    modelId: 'command',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('An agent is only streamed')),
    doStream: (params) => {
      const isForm = params.responseFormat?.type === 'json';
      const stream = new ReadableStream<StreamPart>({
        // Begun within the stream: an agent that failed may have cost much, and is not asked again by itself.
        start: async (controller) => {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'text-start', id: 'answer' });
          const say = (delta: string): void => {
            if (delta !== '' && !params.abortSignal?.aborted)
              controller.enqueue({ type: 'text-delta', id: 'answer', delta });
          };
          const answer = new TrimmedText(say);
          const work = runAgent(parts, {
            prompt: promptText(params),
            workplace,
            signal: params.abortSignal,
            onText: (text) => {
              if (!isForm) answer.push(text);
            },
          });
          workplace?.attend(work);
          try {
            const { stdout } = await work;
            if (isForm) say(formIn(stdout));
            controller.enqueue({ type: 'text-end', id: 'answer' });
            const finishReason = { unified: 'stop', raw: 'ended' } as const;
            controller.enqueue({ type: 'finish', finishReason, usage: nothingCounted });
            controller.close();
          } catch (error) {
            controller.error(error);
          }
        },
      });
      return Promise.resolve({ stream });
    },
  };
}

/** Passes text on without the white space around it. */
class TrimmedText {
  readonly #say: (text: string) => void;
  #hasBegun = false;
  #held = '';

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  push(piece: string): void {
    const text = this.#held + piece;
    const end = text.trimEnd();
    this.#held = text.slice(end.length);
    this.#say(this.#hasBegun ? end : end.trimStart());
    this.#hasBegun ||= end !== '';
  }
}

/** The JSON in an answer, which agents like to put between words and fences. */
function formIn(text: string): string {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1] ?? text;
  const [from, to] = [fenced.indexOf('{'), fenced.lastIndexOf('}')];
  return from >= 0 && to > from ? fenced.slice(from, to + 1) : fenced.trim();
}
