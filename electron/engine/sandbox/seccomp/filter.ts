import { architectures, type Architecture } from './rules.ts';
import filters from './filters.json' with { type: 'json' };

/** The reviewed filter of this machine; undefined on an architecture that has none, where nothing may be run. */
export function filterFor(architecture: string): Buffer | undefined {
  return isKnown(architecture) ? Buffer.from(filters[architecture], 'base64') : undefined;
}

function isKnown(architecture: string): architecture is Architecture {
  return (architectures as readonly string[]).includes(architecture);
}
