import { inert, type Output } from '../terminal.ts';

/** What is told of a step, on one line under those of the others. */
export function stepLine(glyph: string, skill: string, text: string): string {
  return `${glyph} ${inert(skill).padEnd(20)} ${inert(text)}`.trimEnd();
}

/** That a step came from the cache. */
export function cachedLine(skill: string, output: Pick<Output, 'styled'>): string {
  return stepLine(output.styled('cyan', '↺'), skill, 'cached');
}
