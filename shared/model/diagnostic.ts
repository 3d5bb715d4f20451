import { z } from 'zod';

/** A place in a user's file: 1-based lines and columns (UTF-16 units), end exclusive. */
export const Location = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int(),
});
export type Location = z.infer<typeof Location>;

/** One replacement in one file, by UTF-16 offsets into the text the diagnostic was computed from. */
export const TextEdit = z.object({ file: z.string(), start: z.int(), end: z.int(), text: z.string() });
export type TextEdit = z.infer<typeof TextEdit>;

/** A way out of a problem that the user can take with one click: a title and the text edits behind it. */
export const QuickFix = z.object({ title: z.string(), edits: z.array(TextEdit) });
export type QuickFix = z.infer<typeof QuickFix>;

export const Severity = z.enum(['error', 'warning', 'info']);
export type Severity = z.infer<typeof Severity>;

/** A problem in a user's file. Many are returned at once, beside whatever could be read. */
export const Diagnostic = z.object({
  code: z.string(),
  severity: Severity,
  message: z.string(),
  location: Location,
  related: z.array(z.object({ message: z.string(), location: Location })).optional(),
  fixes: z.array(QuickFix).optional(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;
