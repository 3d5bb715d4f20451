import { ActionCache } from '../action-cache.ts';
import { sampleEntry } from './sample-entry.ts';

/** What a process with a cache of its own is asked to do: sample entries by their numbers. */
export interface LiveWork {
  readonly put?: readonly number[];
  readonly find?: readonly number[];
  /** Found, and noted as used. */
  readonly use?: readonly number[];
  readonly isFlushed?: boolean;
}

export interface LiveReport {
  /** Of those to find and to use. */
  readonly missing: readonly number[];
  readonly warning: string | null;
}

const [home = '', options = '{}'] = process.argv.slice(2);
const cache = ActionCache.open(home, JSON.parse(options) as Parameters<typeof ActionCache.open>[1]);

process.on('message', ({ put = [], find = [], use = [], isFlushed }: LiveWork) => {
  for (const number of put) cache.put(sampleEntry(number));
  const missing = [...find, ...use].filter((number) => {
    const hit = cache.find(sampleEntry(number).key);
    if (hit && use.includes(number)) cache.noteHit(hit);
    return JSON.stringify(hit?.result) !== JSON.stringify(sampleEntry(number).result);
  });
  if (isFlushed) cache.flush();
  const report: LiveReport = { missing, warning: cache.takeWarning() ?? null };
  process.send!(report);
});
process.send!('ready');
