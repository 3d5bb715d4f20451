import { fixedLimits, type Limits } from './limits.ts';
import { inside } from './profile.ts';

/** What init writes first. It is told nothing before: nobody would end a script that a studio started with its last breath. */
export const helloLine = 'hello\n';

/** What init writes before it starts the script; without it the script was never started, whatever the exit code says. */
export const readyLine = 'ready\n';

/** The last bytes of a complete stream: "packed" and the exit code of tar, padded. */
export const trailerLength = 16;

/** The command bubblewrap starts: `native/init.c`. */
export const initCommand: readonly string[] = [
  inside.init,
  ...['init', inside.input, inside.out, inside.files, inside.output],
];

/** What init is told: its limits, then the interpreter with its arguments. */
export function initWords(limits: Limits, command: readonly string[]): string[] {
  return [...initLimits(limits).map(String), ...command];
}

/** The words as init reads them. */
export function encodeWords(words: readonly string[]): string {
  return `${words.length}\n${words.map((word) => `${word}\0`).join('')}`;
}

/** A line as a word of `printf`. */
export function printed(line: string): string {
  return line.replace('\n', '\\n');
}

/** Open files, KiB of a file, seconds, KiB of data, processes of init, processes of the script. */
function initLimits({ timeoutMs, memoryBytes, processes }: Limits): number[] {
  return [
    fixedLimits.openFiles,
    fixedLimits.fileBytes / 1024,
    Math.ceil(timeoutMs / 1000) + fixedLimits.cpuMarginSeconds,
    Math.ceil((memoryBytes + fixedLimits.dataMarginBytes) / 1024),
    processes + fixedLimits.initProcesses,
    processes,
  ];
}
