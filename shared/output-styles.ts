import type { OutputHue, StyledSpan } from './model/output-style.ts';

/** What a terminal remembers between two sequences. Colours are the sixteen that terminals name. */
interface Pen {
  readonly ink?: number | undefined;
  readonly ground?: number | undefined;
  readonly bold?: true | undefined;
  readonly dim?: true | undefined;
  readonly italic?: true | undefined;
  readonly underline?: true | undefined;
  readonly inverse?: true | undefined;
}

type Look = Omit<StyledSpan, 'start' | 'end'>;

/** Follows the colours of one printed stream and answers which parts of each piece of its text they are on. */
export class OutputStyles {
  #pen: Pen = {};
  #from = 0;
  #spans: StyledSpan[] = [];

  /** Takes the parameters of one "select graphic rendition" sequence that stands at this place of the text. */
  change(parameters: string, at: number): void {
    this.#close(at);
    this.#pen = afterSequence(this.#pen, parameters);
  }

  /** The parts of a piece of text that ends here; the next piece goes on with the same colours. */
  take(length: number): StyledSpan[] {
    this.#close(length);
    const spans = this.#spans;
    this.#spans = [];
    this.#from = 0;
    return spans;
  }

  #close(end: number): void {
    const look = end > this.#from ? lookOf(this.#pen) : undefined;
    if (look) this.#spans.push({ start: this.#from, end, ...look });
    this.#from = end;
  }
}

/** The parts of the spans within a stretch of their text, counted from `at`. */
export function spansWithin(
  spans: readonly StyledSpan[],
  { start, end }: { readonly start: number; readonly end: number },
  at = 0,
): StyledSpan[] {
  return spans.flatMap((span) => {
    const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
    return from < to ? [{ ...span, start: from - start + at, end: to - start + at }] : [];
  });
}

const simple: Readonly<Record<number, Pen>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  21: { underline: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  39: { ink: undefined },
  49: { ground: undefined },
};

function afterSequence(before: Pen, parameters: string): Pen {
  // Others end in the same letter and set keyboards, not colours.
  if (!/^[\d;:]*$/.test(parameters)) return before;
  let pen = before;
  const codes = parameters.split(';');
  for (let i = 0; i < codes.length; i++) {
    const [code = 0, ...more] = codes[i]!.split(':').map(Number);
    if (code === 38 || code === 48 || code === 58) {
      // Either "38:5:9" or the older "38;5;9", whose numbers are codes of their own to look at.
      const rest = more.length > 0 ? more : codes.slice(i + 1, i + 5).map(Number);
      if (more.length === 0) i += rest[0] === 5 ? 2 : rest[0] === 2 ? 4 : 0;
      const colour = rest[0] === 5 ? ofPalette(rest[1] ?? 0) : rest[0] === 2 ? nearest(rest.slice(-3)) : 7;
      if (code !== 58) pen = { ...pen, [code === 38 ? 'ink' : 'ground']: colour };
    } else if (code === 0) pen = {};
    else if (code === 4 && more[0] === 0) pen = { ...pen, underline: undefined };
    else pen = { ...pen, ...(simple[code] ?? named(code)) };
  }
  return pen;
}

function named(code: number): Pen {
  const [tens, colour] = [Math.floor(code / 10), code % 10];
  if (colour > 7) return {};
  if (tens === 3 || tens === 9) return { ink: tens === 9 ? colour + 8 : colour };
  if (tens === 4 || tens === 10) return { ground: tens === 10 ? colour + 8 : colour };
  return {};
}

/** One of the 256 colours: sixteen by name, a cube of six by six by six, and greys. */
function ofPalette(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return nearest([index, index, index].map((grey) => (grey - 232) * 10 + 8));
  const cube = index - 16;
  return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part * 51));
}

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const most = Math.max(red, green, blue);
  if (most - Math.min(red, green, blue) < 48) return most > 64 && most < 170 ? 8 : 7;
  const isStrong = (part: number): boolean => part * 2 > most;
  return (isStrong(red) ? 1 : 0) + (isStrong(green) ? 2 : 0) + (isStrong(blue) ? 4 : 0);
}

const hueNames: readonly (OutputHue | undefined)[] = [
  ...([undefined, 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', undefined] as const),
  ...(['grey', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', undefined] as const),
];

/**
 * A theme's grounds are its own, or a script could print what nobody can read: a coloured ground colours the text instead.
 * Hidden text is shown.
 */
function lookOf({ ink, ground, inverse, bold, dim, italic, underline }: Pen): Look | undefined {
  const [front, back] = inverse ? [ground, ink] : [ink, ground];
  const hue = hueNames[front ?? 7] ?? hueNames[back ?? 7] ?? (dim ? 'grey' : undefined);
  const look: Look = {
    ...(hue && { hue }),
    ...(bold && { bold }),
    ...(italic && { italic }),
    ...(underline && { underline }),
  };
  return Object.keys(look).length > 0 ? look : undefined;
}
