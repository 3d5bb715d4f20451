import type { ModelFailureKind } from '#shared/model/models.ts';

/** A call to a model that failed for a reason we know. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelFailureKind;
  /** How long the server asks us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelFailureKind,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}
