import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Digest } from '#shared/model/fingerprint.ts';
import { digestOf, valueDigest } from '../store/digest.ts';
import type { CallOptions, LanguageModel, Middleware, StreamPart } from './language-model.ts';
import { ModelError } from './model-error.ts';

const Line = z.object({ request: z.string(), parts: z.array(z.looseObject({ type: z.string() })) });

/** Parts that say something of one call only, and nothing of the answer. */
const passingParts = new Set<StreamPart['type']>(['stream-start', 'response-metadata', 'raw']);

/** Appends every whole answer to a file of one JSON line each; what broke off is not kept. */
export function recordTo(file: string): Middleware {
  return {
    specificationVersion: 'v3',
    wrapStream: async ({ doStream, params }) => {
      // Tried before anybody is asked: an answer that cannot be kept would be paid for and lost.
      await append(file, '');
      const result = await doStream();
      const parts: StreamPart[] = [];
      const stream = result.stream.pipeThrough(
        new TransformStream<StreamPart, StreamPart>({
          transform: (part, controller) => {
            if (!passingParts.has(part.type)) parts.push(part);
            controller.enqueue(part);
          },
          flush: async () => {
            const isWhole = parts.at(-1)?.type === 'finish' && parts.every(({ type }) => type !== 'error');
            if (!isWhole) return;
            await append(file, `${JSON.stringify({ request: requestDigest(params), parts })}\n`);
          },
        }),
      );
      return { ...result, stream };
    },
  };
}

async function append(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, text, { mode: 0o600 });
  } catch (error) {
    const { message } = error as Error;
    throw new ModelError('not-recorded', `its answer cannot be recorded: ${message}`, { cause: error });
  }
}

/** A model that answers what was recorded, and refuses what was not: it never guesses. */
export async function openReplay(file: string): Promise<LanguageModel> {
  const answers = await readRecording(file);
  const given = new Map<string, number>();
  const answer = (params: CallOptions): readonly StreamPart[] => {
    const request = requestDigest(params);
    const recorded = answers.get(request);
    if (!recorded) throw new ModelError('not-recorded', `"${file}" has no answer to this request: record it`);
    // The same question asked twice got two answers, in this order.
    const turn = given.get(request) ?? 0;
    given.set(request, turn + 1);
    return recorded[Math.min(turn, recorded.length - 1)]!;
  };
  return {
    specificationVersion: 'v3',
    provider: 'replay',
    modelId: 'replay',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('A recording is only streamed')),
    doStream: (params) =>
      Promise.resolve().then(() => {
        const parts = answer(params);
        const stream = new ReadableStream<StreamPart>({
          start: (controller) => {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        });
        return { stream };
      }),
  };
}

/** The name of a recording by what is in it; the same for one that cannot be read, which answers nothing. */
export async function recordingDigest(file: string): Promise<Digest> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return digestOf(bytes);
}

async function readRecording(file: string): Promise<ReadonlyMap<string, readonly (readonly StreamPart[])[]>> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ModelError('not-recorded', `the recording cannot be read: ${error.message}`);
  });
  const answers = new Map<string, (readonly StreamPart[])[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = Line.safeParse(parseJson(line));
    if (!parsed.success)
      throw new ModelError('malformed', `line ${index + 1} of "${file}" is no recorded answer`);
    const { request, parts } = parsed.data;
    answers.set(request, [...(answers.get(request) ?? []), parts as unknown as readonly StreamPart[]]);
  }
  return answers;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // The schema refuses it, and the message names the line.
  }
}

/** What makes two requests the same: what the model reads, not who it is or how long it may talk. */
function requestDigest({ prompt, tools, responseFormat }: CallOptions): string {
  const request: unknown = JSON.parse(JSON.stringify({ prompt, tools, responseFormat }));
  return valueDigest(request);
}
