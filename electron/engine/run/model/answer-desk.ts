import { randomUUID } from 'node:crypto';
import { StudioError } from '#shared/errors.ts';
import type { PersonQuestion } from '../../models/manual.ts';
import { ModelError } from '../../models/model-error.ts';
import type { RunStream } from '../run-stream.ts';

interface Waiting {
  readonly skill: string;
  readonly answer: (text: string | null) => void;
}

/** Where a run waits for answers of a person: each question is an event, and each answer names its question. */
export class AnswerDesk {
  readonly #stream: RunStream;
  readonly #waiting = new Map<string, Waiting>();

  constructor(stream: RunStream) {
    this.#stream = stream;
  }

  /** Resolves with the answer; one that is declined, or cancelled, is a `ModelError`. */
  ask({ prompt, about, signal }: PersonQuestion): Promise<string> {
    signal?.throwIfAborted();
    const request = randomUUID();
    return new Promise<string>((resolve, reject) => {
      const give = (error: ModelError): void => {
        this.#waiting.delete(request);
        reject(error);
      };
      signal?.addEventListener('abort', () => give(new ModelError('cancelled', 'it was cancelled')), {
        once: true,
      });
      this.#waiting.set(request, {
        skill: about,
        answer: (text) => {
          if (text === null) return give(new ModelError('nobody-to-ask', 'you gave no answer'));
          this.#waiting.delete(request);
          this.#stream.emit({ type: 'answer_given', skill_name: about, request });
          resolve(text);
        },
      });
      this.#stream.emit({ type: 'answer_wanted', skill_name: about, request, prompt });
    });
  }

  /** Hands an answer over, or null for none; a question that nobody asks any more is refused. */
  answer(request: string, text: string | null): void {
    const waiting = this.#waiting.get(request);
    if (!waiting)
      throw new StudioError(
        'run.not-asked',
        'Cannot take this answer: the run does not wait for it any more',
        {
          request,
        },
      );
    waiting.answer(text);
  }
}
