import { fixedLimits, type Limits } from './limits.ts';
import { inside } from './profile.ts';

/** The descriptor on which init is told its limits and its command, says that it is ready, and sends what the script left. */
export const artifactFd = 3;

/** What init writes first. It is told nothing before: nobody would end a script that a studio started with its last breath. */
export const helloLine = 'hello\n';

/** What init writes before it starts the script; without it the script was never started, whatever the exit code says. */
export const readyLine = 'ready\n';

/** The last bytes of a complete stream: "packed" and the exit code of tar, padded. */
export const trailerLength = 16;

/**
 * First of our own in the sandbox. Bash, because only its `ulimit` and its `exec {fd}>&-` need no other program;
 * the limits are hard and its own too, because a script can write into the memory of a process of its own user.
 */
const program = `
for fd in /proc/self/fd/*; do fd=\${fd##*/}; if ((fd > ${artifactFd})); then exec {fd}>&-; fi; done
umask 077
printf '${printed(helloLine)}' >&${artifactFd} && read -r -u ${artifactFd} count && mapfile -d '' -t -n "$count" -u ${artifactFd} words && ((\${#words[@]} == count)) || exit 125
set -- "\${words[@]}"
ulimit -c 0 && ulimit -n "$1" && ulimit -f "$2" && ulimit -t "$3" && ulimit -d "$4" && ulimit -u "$5" || exit 125
processes=$6; shift 6
[[ -x $1 ]] && exec < ${inside.input} 4>&2 2>/dev/null || exit 125
printf '${printed(readyLine)}' >&${artifactFd} || exit 125
(ulimit -u "$processes" || exit 125; exec 2>&4 3>&- 4>&-; exec "$@")
code=$?
exec 1>&2 4>&-
while others=(/proc/[0-9]*); ((\${#others[@]} > 2)); do kill -9 -1; done
shopt -s nullglob dotglob
left=(${inside.files}/*)
packed=0
if ((\${#left[@]})) || [[ -e ${inside.output} || -L ${inside.output} ]]; then
  /usr/bin/tar --create --file=- --format=gnu --hard-dereference --directory=${inside.out} . >&${artifactFd} || packed=$?
fi
printf 'packed %9d' "$packed" >&${artifactFd}
exit "$code"
`;

/** The command bubblewrap starts; the same for every script, so that it can be started before there is one. */
export const initCommand: readonly string[] = ['/usr/bin/bash', '-p', '-c', program, 'init'];

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
