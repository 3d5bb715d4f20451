import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { workByReadiness } from './scheduler.ts';

/** A graph without cycles: every item depends only on earlier ones. */
const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 30 })
  .map((rows) => rows.map((row, i) => (i === 0 ? [] : [...new Set(row.map((n) => n % i))])));

describe('workByReadiness()', () => {
  test('does every item once, after what it needs, and never more at once than it may', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 5 }), async (graph, concurrency) => {
        const done: number[] = [];
        let running = 0;
        let most = 0;
        await workByReadiness({
          items: graph.map((_, i) => i),
          dependenciesOf: (item) => graph[item]!,
          concurrency,
          work: async (item) => {
            expect(graph[item]!.every((needed) => done.includes(needed))).toBe(true);
            most = Math.max(most, ++running);
            await new Promise((resolve) => setImmediate(resolve));
            running--;
            done.push(item);
          },
        });
        expect(done.toSorted((a, b) => a - b)).toEqual(graph.map((_, i) => i));
        expect(most).toBeLessThanOrEqual(concurrency);
      }),
    );
  });

  test('takes what is not among the items for done', async () => {
    const done: number[] = [];
    const work = (item: number): Promise<void> => Promise.resolve(void done.push(item));
    await workByReadiness({ items: [2, 1], dependenciesOf: () => [7], concurrency: 1, work });
    expect(done).toEqual([2, 1]);
  });

  test('passes on what is thrown, and refuses a cycle instead of waiting for ever', async () => {
    const broken = { items: [1], dependenciesOf: () => [], concurrency: 1 };
    await expect(
      workByReadiness({ ...broken, work: () => Promise.reject(new Error('a bug')) }),
    ).rejects.toThrow('a bug');
    await expect(
      workByReadiness({ ...broken, dependenciesOf: () => [1], work: () => Promise.resolve() }),
    ).rejects.toThrow('cycle');
  });
});
