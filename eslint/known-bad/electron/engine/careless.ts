import { start } from './run/run.ts';

export function begin(run: any): void {
  start(run);
}
