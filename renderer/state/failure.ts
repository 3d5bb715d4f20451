import { ORPCError } from '@orpc/client';
import { errorTable } from '#shared/errors.ts';
import type { ErrorCode } from '#shared/errors.ts';

/** Why something the user asked for did not happen, and the way out, ready to be shown. */
export interface Failure {
  readonly code: ErrorCode | 'internal' | 'disconnected';
  readonly message: string;
  readonly wayOut: string;
}

/** A call made while no engine is connected. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError';
}

/** Turns whatever a call threw into a failure to show; a bug of the page itself is shown as one, with its own words. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ORPCError) {
    const code: unknown = error.code;
    if (isErrorCode(code)) return { code, message: error.message, wayOut: errorTable[code] };
    const reference = referenceOf(error.data);
    return {
      code: 'internal',
      message: 'Something went wrong inside the studio',
      wayOut: reference === undefined ? error.message : `Look for "${reference}" in the studio’s log.`,
    };
  }
  if (error instanceof DisconnectedError || isChannelClosed(error)) {
    return {
      code: 'disconnected',
      message: 'The studio’s engine is not connected',
      wayOut: 'Wait until it is back, then try again. What you typed is kept.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: 'Something went wrong in the studio’s page',
    wayOut: `It said: ${message}`,
  };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorTable, code);
}

function referenceOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('reference' in data)) return undefined;
  return typeof data.reference === 'string' ? data.reference : undefined;
}

/** oRPC ends the calls of a closed channel with an AbortError. */
function isChannelClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
