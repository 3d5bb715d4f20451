import { expect, test } from 'vitest';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnosticTable } from '../diagnostics.ts';
import { applyEdits } from '../edit/text-lines.ts';
import { corpusFiles } from '../testing/corpus.ts';
import { grammarText, injuredText, noiseText, seeded } from '../testing/random-yaml.ts';
import { readConfig } from './config.ts';
import { readFixtures } from './fixtures.ts';
import { readLens } from './lens.ts';
import { readLibrary } from './library.ts';
import { readLock } from './lock.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const seed = Number(process.env['SEED'] ?? 20_261_116);

const readers = [readLens, readLibrary, readLens, readLibrary, readFixtures, readConfig, readLock];

function problemWith(diagnostic: Diagnostic, text: string, lineCount: number): string | undefined {
  const { line, column, endLine, endColumn } = diagnostic.location;
  if (!(diagnostic.code in diagnosticTable)) return 'unknown code';
  if (diagnostic.message === '' || diagnostic.message.length > 500)
    return 'no message, or a whole file in it';
  if (line < 1 || column < 1 || endLine > lineCount) return 'outside the text';
  if (endLine < line || (endLine === line && endColumn < column)) return 'ends before it starts';
  for (const fix of diagnostic.fixes ?? []) {
    if (fix.edits.some((edit) => edit.start < 0 || edit.end < edit.start || edit.end > text.length))
      return 'bad fix';
    applyEdits(text, fix.edits);
  }
  return undefined;
}

/** A second look, because a busy machine may stop any program for a second. */
function timeAgain(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

test(
  `readers give only diagnostics for ${count} hostile texts, none slower than a second`,
  { timeout: 600_000 },
  () => {
    const random = seeded(seed);
    const texts = corpusFiles().map((file) => file.text);
    const codes = new Set<string>();
    for (let i = 0; i < count; i++) {
      const kind = random();
      const text =
        kind < 0.4 ? injuredText(random, texts) : kind < 0.8 ? grammarText(random) : noiseText(random);
      const read = readers[i % readers.length]!;
      const start = performance.now();
      let diagnostics: Diagnostic[];
      try {
        ({ diagnostics } = read(text, 'fuzz.lens'));
      } catch (error) {
        throw new Error(`SEED=${seed}, input ${i}: ${read.name}(${JSON.stringify(text)}) threw`, {
          cause: error,
        });
      }
      let elapsedMs = performance.now() - start;
      if (elapsedMs > 1000)
        elapsedMs = Math.min(
          elapsedMs,
          timeAgain(() => read(text, 'fuzz.lens')),
        );
      const lineCount = text.split('\n').length;
      for (const diagnostic of diagnostics) {
        const problem = problemWith(diagnostic, text, lineCount);
        if (problem !== undefined) {
          throw new Error(`SEED=${seed}, input ${i}: ${problem}: ${JSON.stringify({ diagnostic, text })}`);
        }
        codes.add(diagnostic.code);
      }
      if (elapsedMs > 1000)
        throw new Error(`SEED=${seed}, input ${i} took ${elapsedMs} ms: ${JSON.stringify(text)}`);
    }
    // Inputs that all fail at the first character would prove nothing.
    if (count >= 100_000) expect(codes.size).toBeGreaterThan(40);
  },
);
