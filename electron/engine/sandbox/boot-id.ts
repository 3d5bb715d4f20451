import { readFileSync } from 'node:fs';

/** A name for the time since the machine was started; undefined where the system has none. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return undefined; // Not Linux, or no /proc.
  }
}
