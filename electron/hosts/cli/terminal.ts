import { stripVTControlCharacters, styleText } from 'node:util';
import type { Machine } from '../common/launch.ts';

/** One stream that a command writes to. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Where a command runs: its streams, its machine, its folder, and the user's wish to stop. */
export interface Terminal {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly machine: Machine;
  readonly workingDirectory: string;
  /** The folder of the installed studio, with its built page and its resources. */
  readonly appRoot: string;
  readonly interrupted: AbortSignal;
  /** Asks the person at the terminal for a line; missing where nobody sits there. */
  readonly ask?: (question: string) => Promise<string>;
  /** All that the person at the terminal types or pastes, up to a line with a single dot or Ctrl+D. */
  readonly typeText?: () => Promise<string>;
  /** Everything that is piped in; missing where a person sits at the keyboard. */
  readonly readInput?: () => Promise<string>;
}

/** What of a terminal is written to. */
export type OutputTerminal = Pick<Terminal, 'stdout' | 'stderr' | 'machine'>;

export type Style = Parameters<typeof styleText>[0];

/** Writes what a command found: as lines for people, or as one JSON document for machines. */
export class Output {
  readonly isJson: boolean;
  readonly #terminal: OutputTerminal;
  readonly #mayColor: boolean;

  constructor(terminal: OutputTerminal, options: { isJson: boolean; mayColor: boolean }) {
    this.#terminal = terminal;
    this.isJson = options.isJson;
    this.#mayColor = options.mayColor && !terminal.machine.environment['NO_COLOR'];
  }

  line(text: string): void {
    this.#terminal.stdout.write(`${text}\n`);
  }

  document(value: unknown): void {
    this.line(jsonText(value));
  }

  /** What is not the result: standard output stays clean for pipes. */
  note(text: string): void {
    this.#terminal.stderr.write(`${text}\n`);
  }

  /** Colours text for standard output, and only where a person reads it. */
  styled(style: Style, text: string): string {
    return this.#mayColor && this.#terminal.stdout.isTTY ? styleText(style, text) : text;
  }
}

/** A JSON document in which what a terminal would obey is escaped: JSON itself lets C1 and direction characters through. */
export function jsonText(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** The same on one line. */
export function jsonLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}

function escaped(json: string): string {
  return json.replace(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text from a user's file without what a terminal would obey: escapes, control and direction characters. */
export function inert(text: string): string {
  // Nearly all text there is, and a plan of a thousand skills has three thousand pieces of it.
  if (/^[ -~]*$/.test(text)) return text;
  return stripVTControlCharacters(text).replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
