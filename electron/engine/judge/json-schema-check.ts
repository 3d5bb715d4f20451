import { runInNewContext } from 'node:vm';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type { PatternMatcher } from './pattern-matcher.ts';
import { cut, type Finding } from './text-checks.ts';

/** Schemas come from strangers: one whose references double at every step would keep us busy for years. */
const limitMs = 1000;

/** Checks that a text is JSON as a schema describes it: draft 2020-12, or draft-07 where the schema says so. */
export async function checkSchema(schema: unknown, text: string, matcher: PatternMatcher): Promise<Finding> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      outcome: 'fail',
      message: `The result is not JSON: ${(error as Error).message}`,
      evidence: cut(text),
    };
  }
  const patterns = new KnownPatterns();
  try {
    const validate = await compile(schema, patterns);
    // Patterns are tried in another thread, so that asking again goes on until all answers are there.
    for (;;) {
      const isValid = bounded(() => validate(value));
      if (patterns.open.length === 0) return isValid ? passed : failed(validate.errors?.[0]);
      const problem = await patterns.answer(matcher);
      if (problem !== undefined) return { outcome: 'error', message: problem };
    }
  } catch (error) {
    return { outcome: 'error', message: `Cannot check by the JSON Schema: ${(error as Error).message}` };
  }
}

const passed: Finding = { outcome: 'pass', message: 'The result is as the JSON Schema describes it' };

function failed(error: ErrorObject | undefined): Finding {
  const where = error?.instancePath ? `"${error.instancePath}"` : 'it';
  const evidence =
    error?.params && Object.keys(error.params).length > 0 ? cut(JSON.stringify(error.params)) : '';
  return {
    outcome: 'fail',
    message: `The result is not as the JSON Schema describes it: ${where} ${error?.message ?? 'differs'}`,
    ...(evidence !== '' && { evidence }),
  };
}

async function compile(schema: unknown, patterns: KnownPatterns): Promise<ValidateFunction> {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null)) {
    throw new Error('it is neither a map nor true or false');
  }
  const engine = (pattern: string) => ({
    test: (text: string) => patterns.test(pattern, text),
    // By this ajv tells one pattern from another.
    toString: () => `/${pattern}/u`,
  });
  const options: Options = {
    // An unknown word would otherwise be passed over, and what it asks for with it.
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    validateFormats: false,
    inlineRefs: false,
    code: { regExp: Object.assign(engine, { code: 'new RegExp' }) },
    logger: false,
  };
  const draft = typeof schema === 'object' && '$schema' in schema ? schema.$schema : undefined;
  const isDraft7 = typeof draft === 'string' && /draft-07/.test(draft);
  const { Ajv } = isDraft7 ? await import('ajv') : { Ajv: (await import('ajv/dist/2020.js')).Ajv2020 };
  return bounded(() => new Ajv(options).compile(schema));
}

/** Ends work that takes too long; it is quick for every schema that a person wrote for a reader. */
function bounded<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: limitMs }) as T;
}

/** Which texts match which patterns, as far as it was found out. */
class KnownPatterns {
  readonly #answers = new Map<string, boolean>();
  readonly open: { readonly pattern: string; readonly text: string }[] = [];

  /** What is not known yet is taken for a match, and asked for. */
  test(pattern: string, text: string): boolean {
    const answer = this.#answers.get(keyOf(pattern, text));
    if (answer === undefined) this.open.push({ pattern, text });
    return answer ?? true;
  }

  /** Answers what is open, or says why it cannot. */
  async answer(matcher: PatternMatcher): Promise<string | undefined> {
    for (const { pattern, text } of this.open.splice(0)) {
      const match = await matcher.match(pattern, text, 'u');
      if ('problem' in match) return `Cannot try /${pattern}/: ${match.problem}`;
      this.#answers.set(keyOf(pattern, text), match.found !== null);
    }
    return undefined;
  }
}

function keyOf(pattern: string, text: string): string {
  return JSON.stringify([pattern, text]);
}
