/** Milliseconds on a clock that is never set. `performance` has one too, but loading it takes longer than planning a skill. */
export function steadyMs(): number {
  return process.uptime() * 1000;
}
