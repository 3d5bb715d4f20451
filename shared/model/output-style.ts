import { z } from 'zod';

/** The colours that a theme can show of a script's output; black and white are the theme's own ink. */
export const outputHues = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'grey'] as const;
export type OutputHue = (typeof outputHues)[number];

/** How a part of a printed text looks. It stands beside the text, which holds no escape sequence. */
export const StyledSpan = z.object({
  start: z.int(),
  end: z.int(),
  hue: z.enum(outputHues).optional(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
});
export type StyledSpan = z.infer<typeof StyledSpan>;
