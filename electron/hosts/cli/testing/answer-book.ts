import { parse } from 'yaml';
import { z } from 'zod';
import type { Turn } from '#engine/models/testing/fake-server.ts';

const WrittenTurn = z.union([
  z.strictObject({ say: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
  z.strictObject({ call: z.string(), input: z.record(z.string(), z.unknown()) }),
]);
const WrittenAnswers = z.array(
  z.strictObject({
    /** Texts that are all in the question. */
    when: z.array(z.string()).min(1),
    /** What is answered: first this, then that after each tool has given its result. */
    turns: z.array(WrittenTurn).min(1),
  }),
);

/** A model made of answers that people wrote into a file. */
export class AnswerBook {
  readonly #answers: z.infer<typeof WrittenAnswers>;
  readonly #used = new Set<number>();
  /** Questions that no answer was written for. */
  readonly unanswered: string[] = [];

  constructor(yaml: string) {
    this.#answers = WrittenAnswers.parse(parse(yaml));
  }

  /** The texts of answers that nobody asked for. */
  get unused(): string[] {
    return this.#answers.filter((_, i) => !this.#used.has(i)).map(({ when }) => when.join(' … '));
  }

  readonly choose = ({ messages }: Record<string, unknown>): Turn | undefined => {
    const said = messages as { readonly role: string; readonly content: unknown }[];
    const question = said
      .filter(({ role }) => role === 'system' || role === 'user')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n');
    const results = said.filter(({ role }) => role === 'tool').length;
    const index = this.#answers.findIndex(({ when }) => when.every((text) => question.includes(text)));
    const turn = this.#answers[index]?.turns[results];
    if (!turn) {
      this.unanswered.push(question);
      return undefined;
    }
    this.#used.add(index);
    if ('call' in turn) return { call: turn.call, input: turn.input };
    return { say: typeof turn.say === 'string' ? turn.say : JSON.stringify(turn.say) };
  };
}
