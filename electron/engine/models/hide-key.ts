import { KeyFilter, withoutKey } from './key-filter.ts';
import type { Middleware, StreamPart } from './language-model.ts';

/** Takes the key out of all that a server says, also where it comes letter by letter. */
export function hideKey(key: string | undefined): Middleware {
  return {
    specificationVersion: 'v3',
    wrapStream: async ({ doStream }) => {
      const result = await doStream();
      const filters = new Map<string, KeyFilter>();
      const stream = result.stream.pipeThrough(
        new TransformStream<StreamPart, StreamPart>({
          transform: (part, controller) => {
            for (const safe of withoutKeyIn(part, filters, key)) controller.enqueue(safe);
          },
        }),
      );
      return { ...result, stream };
    },
  };
}

function withoutKeyIn(
  part: StreamPart,
  filters: Map<string, KeyFilter>,
  key: string | undefined,
): StreamPart[] {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta': {
      const name = `${part.type} ${part.id}`;
      const filter = filters.get(name) ?? new KeyFilter(key);
      filters.set(name, filter);
      const delta = filter.push(part.delta);
      return delta === '' ? [] : [{ ...part, delta }];
    }
    case 'text-end':
    case 'reasoning-end':
    case 'tool-input-end': {
      const type = part.type.replace('end', 'delta') as 'text-delta' | 'reasoning-delta' | 'tool-input-delta';
      const delta = filters.get(`${type} ${part.id}`)?.flush() ?? '';
      return delta === '' ? [part] : [{ type, id: part.id, delta }, part];
    }
    case 'tool-call':
      return [{ ...part, input: withoutKey(part.input, key) }];
    default:
      return [part];
  }
}
