import { isatty } from 'node:tty';
import type { Sink } from './terminal.ts';

/**
 * A standard stream of this process. One that no person sits in front of is opened with its first words: that takes longer
 * than describing a command, and a run has time for it when its scripts run.
 */
export function standardStream(
  fd: 1 | 2,
  open: () => NodeJS.WriteStream,
  guard: (stream: NodeJS.WriteStream) => void,
): Sink {
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    if (!opened) guard((opened = open()));
    return opened;
  };
  return isatty(fd) ? stream() : { write: (text) => stream().write(text) };
}
