const timeDigits = 9;

/** When a run of this name started, in milliseconds; undefined for a name that is not a run's. */
export function timeOfRun(name: string): number | undefined {
  return /^[0-9a-z]{9}-[0-9a-z]{10}$/.test(name) ? parseInt(name.slice(0, timeDigits), 36) : undefined;
}

/** The part of a run's name that says when it started; later ones sort behind. */
export function runTimeText(startedAt: number): string {
  return startedAt.toString(36).padStart(timeDigits, '0');
}
