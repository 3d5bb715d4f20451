import { availableParallelism } from 'node:os';

/** How many skills run at once where nobody says: with one more than processors none waits for what the studio does between two. */
export function usualConcurrency(): number {
  return availableParallelism() + 1;
}
