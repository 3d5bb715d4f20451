import type { z } from 'zod';
import type { ModelTool } from '../models/complete.ts';

/** A tool whose input has been checked by its schema when it is called. */
export function modelTool<T extends z.ZodType>(
  description: string,
  input: T,
  run: (input: z.infer<T>, signal: AbortSignal) => string | Promise<string>,
): ModelTool {
  return {
    description,
    input,
    run: async (given, signal) => run(input.parse(given), signal),
  };
}
