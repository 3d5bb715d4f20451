import { z } from 'zod';
import { FileId, Revision } from './workspace.ts';

/** Names one page for as long as it is there; two pages on one workspace keep their drafts apart by it. */
export const PageId = z
  .string()
  .regex(/^[a-z0-9-]{8,64}$/)
  .brand<'PageId'>();
export type PageId = z.infer<typeof PageId>;

/** More than a file may have: what cannot be saved must not be lost either. */
export const DraftText = z.string().max(16 * 1_048_576);

export const Draft = z.object({
  file: FileId,
  text: DraftText,
  /** What the file was when the typing began. */
  base: Revision,
  keptAt: z.iso.datetime(),
});
/** Text that was typed and not saved. */
export type Draft = z.infer<typeof Draft>;
