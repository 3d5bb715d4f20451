import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { ClearOptions } from './commands/cache.ts';
import type { Does } from './does.ts';

/** The commands about what runs left for later ones. */
export function describeCache(program: Command, does: Does): void {
  const cache = program.command('cache').description('what runs left for later ones');
  does(cache.command('stats').description('how much is kept, and how much it saved'), async (invocation) =>
    (await import('./commands/cache.ts')).cacheStats(invocation),
  );
  does(
    cache
      .command('list')
      .description('list the results that are kept, last used first')
      .option('--skill <skill>', 'only those of this skill, by id or name'),
    async (invocation, options: { readonly skill?: string }) =>
      (await import('./commands/cache.ts')).cacheList(invocation, options),
  );
  does(
    cache
      .command('show')
      .description('one result with everything that led to it')
      .argument('<key>', 'its key, or the beginning of it'),
    async (invocation, key: string) => (await import('./commands/cache.ts')).cacheShow(invocation, key),
  );
  does(
    cache
      .command('clear')
      .description('drop all results, or some')
      .option('--skill <skill>', 'only those of this skill, by id or name')
      .option('--older <span>', 'only those unused for this long, such as 7d or 12h', parseSpan),
    async (invocation, options: ClearOptions) =>
      (await import('./commands/cache.ts')).cacheClear(invocation, options),
  );
  does(
    cache.command('verify').description('check every byte that is kept, and set damaged results aside'),
    async (invocation) => (await import('./commands/cache.ts')).cacheVerify(invocation),
  );
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseSpan(text: string): number {
  const [, number, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const ms = Number(number) * (unitMs[unit ?? ''] ?? NaN);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('A span is a number with m, h, d or w, such as 7d');
}
