import { z } from 'zod';
import { Diagnostic, Location } from './diagnostic.ts';
import { ResolvedGraph } from './graph-document.ts';

const origin = { origin: Location, overrides: Location.optional() };

/** An item of a resolved lens: its fields as written, where they come from and what they replaced. */
const Item = z.looseObject({ name: z.string(), ...origin });

/** A lens with everything it extends and composes; what `sunwell lens resolve --json` prints. */
export const LensDocument = z.object({
  file: z.string(),
  metadata: z.looseObject({ name: z.string().optional(), version: z.string().optional() }),
  /** Files that the lens extends, nearest first. */
  extends: z.array(z.string()),
  heuristics: z.array(Item),
  antiHeuristics: z.array(Item),
  personas: z.array(Item),
  validators: z.object({ deterministic: z.array(Item), heuristic: z.array(Item) }),
  workflows: z.array(Item),
  shortcuts: z.record(z.string(), z.object({ skill: z.string(), resolved: z.string().nullable() })),
  inputs: z.array(Item),
  qualityPolicy: z.looseObject({}),
  skillRetry: z.looseObject({}),
  skills: z.array(
    z.object({ id: z.string(), name: z.string(), type: z.string(), source: z.string(), ...origin }),
  ),
  diagnostics: z.array(Diagnostic),
});
export type LensDocument = z.infer<typeof LensDocument>;

/** A lens or library resolved for a page: its graph, and the merged lens where it is one. */
export const ResolvedDocument = z.object({
  graph: ResolvedGraph,
  lens: LensDocument.nullable(),
  /** To ask with later whether it still holds; missing where that could not be told, as with unsaved text. */
  version: z.string().optional(),
});
export type ResolvedDocument = z.infer<typeof ResolvedDocument>;
