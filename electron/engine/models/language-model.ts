import type { LanguageModelMiddleware, wrapLanguageModel } from 'ai';

/** A model as the AI SDK drives it; always an object, because a bare name would go to a gateway of its vendor. */
export type LanguageModel = ReturnType<typeof wrapLanguageModel>;
export type Middleware = LanguageModelMiddleware;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
export type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
