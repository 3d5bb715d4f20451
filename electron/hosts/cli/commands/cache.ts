import { ActionCache } from '#engine/cache/action-cache.ts';
import { unreadableEntry } from '#engine/cache/describe-cache.ts';
import { defaultHome } from '#engine/home.ts';
import { StudioError } from '#shared/errors.ts';
import type { CacheEntryDetail } from '#shared/model/cache.ts';
import { agoText, bytesText, countText, durationText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';

export interface ClearOptions {
  readonly skill?: string;
  /** Milliseconds since the last use. */
  readonly older?: number;
}

const shownKeyLength = 12;

/** Prints how much is kept and what it saved. */
export function cacheStats(invocation: Invocation): Promise<ExitCode> {
  return withCache(invocation, async (cache, { output }) => {
    const stats = await cache.stats();
    if (output.isJson) output.document(stats);
    else {
      const { entries, bytes, maxBytes, hits, misses, hitRate, savedMs } = stats;
      output.line(`${countText(entries, 'result')}, ${bytesText(bytes)} of ${bytesText(maxBytes)}`);
      output.line(`${hits} used, ${misses} run: ${Math.round(hitRate * 100)} % came from the cache`);
      output.line(`${durationText(savedMs)} saved`);
    }
    return ExitCode.ok;
  });
}

/** Prints one line for every kept result. */
export function cacheList(invocation: Invocation, { skill }: { readonly skill?: string }): Promise<ExitCode> {
  return withCache(invocation, (cache, { output }) => {
    const entries = cache.list(skill === undefined ? {} : { skill });
    if (output.isJson) output.document(entries);
    else if (entries.length === 0) output.note('The cache keeps nothing of this: a run fills it');
    else {
      const now = Date.now();
      const rows = entries.map((entry) => [
        entry.key.slice(0, shownKeyLength),
        entry.kind === 'judgment' ? `${entry.skill} (verdicts)` : entry.skill,
        entry.workspace,
        bytesText(entry.bytes),
        agoText(entry.lastUsedAt, now),
        String(entry.hits),
        durationText(entry.durationMs),
      ]);
      printTable(output, ['KEY', 'SKILL', 'WORKSPACE', 'SIZE', 'USED', 'HITS', 'TOOK'], rows);
    }
    return ExitCode.ok;
  });
}

/** Prints one result with what led to it. */
export function cacheShow(invocation: Invocation, key: string): Promise<ExitCode> {
  return withCache(invocation, (cache, { output }) => {
    const found = fullKey(cache, key);
    const detail = cache.show(found);
    if (!detail) throw cache.isUnreadable(found) ? unreadableEntry(found) : noEntry(key);
    if (output.isJson) output.document(detail);
    else for (const line of linesOf(detail)) output.line(inert(line));
    return ExitCode.ok;
  });
}

/** Drops results and says how many. */
export function cacheClear(invocation: Invocation, { skill, older }: ClearOptions): Promise<ExitCode> {
  return withCache(invocation, async (cache, { output }) => {
    const cleared = await cache.clear({
      ...(skill !== undefined && { skill }),
      ...(older !== undefined && { olderThanMs: older }),
    });
    if (output.isJson) output.document({ cleared, ...(await cache.stats()) });
    else output.line(`Dropped ${countText(cleared, 'result')}`);
    return ExitCode.ok;
  });
}

/** Reads everything; ends with 1 where something was damaged or could not be read. */
export function cacheVerify(invocation: Invocation): Promise<ExitCode> {
  return withCache(invocation, async (cache, { output }) => {
    const check = await cache.verify();
    const { checked, damaged, unreadable, bytes } = check;
    if (output.isJson) output.document(check);
    else {
      for (const key of damaged) output.line(`${key.slice(0, shownKeyLength)} is damaged: set aside`);
      for (const key of unreadable) output.line(`${key.slice(0, shownKeyLength)} cannot be read`);
      const bad = [
        `${damaged.length} damaged`,
        ...(unreadable.length > 0 ? [`${unreadable.length} unreadable`] : []),
      ];
      output.line(`${countText(checked, 'result')} checked, ${bad.join(', ')}, ${bytesText(bytes)} kept`);
    }
    return damaged.length + unreadable.length > 0 ? ExitCode.failed : ExitCode.ok;
  });
}

async function withCache(
  invocation: Invocation,
  work: (cache: ActionCache, invocation: Invocation) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const cache = ActionCache.open(defaultHome(invocation.terminal.machine.environment));
  try {
    return await work(cache, invocation);
  } finally {
    cache[Symbol.dispose]();
    const warning = cache.takeWarning();
    if (warning !== undefined) invocation.output.note(warning);
  }
}

/** The one key that begins so. */
function fullKey(cache: ActionCache, start: string): string {
  const keys = cache.list().flatMap(({ key }) => (start !== '' && key.startsWith(start) ? [key] : []));
  if (keys.length === 1) return keys[0]!;
  if (keys.length === 0) throw noEntry(start);
  throw new StudioError(
    'cache.no-entry',
    `Cannot tell which result "${start}" is: ${keys.length} keys begin so`,
    {
      key: start,
    },
  );
}

function noEntry(key: string): StudioError {
  return new StudioError(
    'cache.no-entry',
    `Cannot find a result with the key "${key}": "sunwell cache list" prints the keys`,
    { key },
  );
}

function linesOf(detail: CacheEntryDetail): string[] {
  const { key, skill, workspace, runId, storedAt, durationMs, hits, bytes, artifacts, files, fingerprint } =
    detail;
  const parts = fingerprint
    ? Object.entries(fingerprint).map(([part, value]) => `  ${part}: ${JSON.stringify(value)}`)
    : [];
  return [
    `${skill} in ${workspace}`,
    `Key ${key}`,
    `Stored ${new Date(storedAt).toISOString()} by run ${runId}, which took ${durationText(durationMs)}`,
    `Used ${hits} times, ${bytesText(bytes)}`,
    ...(parts.length > 0 ? ['', 'Fingerprint', ...parts] : []),
    ...section(
      'Files it could see',
      Object.entries(files).map(([path, digest]) => `${digest.slice(0, 12)} ${path}`),
    ),
    ...section(
      'Proposals',
      artifacts.map(({ operation, path }) => `${operation} ${path}`),
    ),
    ...section(
      'Outputs',
      Object.entries(detail.outputs).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ),
    ...section(
      'Content',
      detail.content.split('\n').filter((line) => line !== ''),
    ),
    ...section(
      'Log',
      detail.log.split('\n').filter((line) => line !== ''),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
