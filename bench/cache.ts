import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { fileListOf } from '#engine/fingerprint/file-list.ts';
import { digestOf } from '#engine/store/digest.ts';
import type { Fingerprint } from '#shared/model/fingerprint.ts';
import { compare } from './lib/compare.ts';

const count = 1000;

/** Look-ups of results that are checked byte by byte, against an index and files that nobody checks. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cache-'));
  try {
    const keys = Array.from({ length: count }, (_, i) => digestOf(`key ${i}`));
    const home = join(folder, 'home');
    fill(home, keys);
    const plain = join(folder, 'plain');
    fillPlain(plain, keys);
    await compare({
      title: `Open a cache of ${count} results and look up each (1 KB)`,
      limit: 'one index and files, unchecked',
      repetitions: 61,
      prepare: () => undefined,
      contenders: [
        { name: 'one index and files, unchecked', work: () => lookUpPlain(plain, keys) },
        { name: 'plain files, unchecked', work: () => lookUpFiles(plain, keys) },
        { name: 'ActionCache, signed and checked', work: () => lookUp(home, keys) },
      ],
    });
    await compare({
      title: `Open an index of ${count} results`,
      limit: 'read and parse one JSON file',
      repetitions: 61,
      prepare: () => undefined,
      contenders: [
        { name: 'read and parse one JSON file', work: () => readIndex(plain) },
        { name: 'ActionCache.open', work: () => ActionCache.open(home)[Symbol.dispose]() },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(home: string, keys: readonly string[]): void {
  const cache = ActionCache.open(home);
  const list = fileListOf(new Map());
  const fingerprint = {
    engine: 1,
    trust: 'sandboxed',
    limits: {},
    interpreters: {},
    inputs: {},
    params: {},
    upstream: {},
    files: list.digest,
    task: null,
  } as unknown as Fingerprint;
  for (const [i, key] of keys.entries()) {
    cache.put({
      key,
      fingerprint,
      workspace: 'bench',
      skillId: `a.lens:skill-${i}`,
      runId: 'bench',
      result: { content: content(i), outputs: {}, changes: [], logs: [], limitsHit: [], durationMs: 1 },
      artifacts: new Map(),
      texts: [list.text],
    });
  }
  cache[Symbol.dispose]();
  const warning = ActionCache.open(home).takeWarning();
  if (warning) throw new Error(warning);
}

function lookUp(home: string, keys: readonly string[]): void {
  const cache = ActionCache.open(home);
  for (const key of keys) if (!cache.find(key)) throw new Error(`Cannot find ${key}`);
  cache[Symbol.dispose]();
}

function fillPlain(folder: string, keys: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const index = keys.map(
    (key, i) => [key, { file: `${i}.json`, skill: `a.lens:skill-${i}`, at: i }] as const,
  );
  writeFileSync(join(folder, 'index.json'), JSON.stringify(Object.fromEntries(index)));
  for (const [i, key] of keys.entries()) {
    writeFileSync(join(folder, `${i}.json`), JSON.stringify({ content: content(i) }));
    writeFileSync(join(folder, key), JSON.stringify({ content: content(i) }));
  }
}

function readIndex(folder: string): Record<string, { readonly file: string }> {
  return JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Record<string, { file: string }>;
}

function lookUpPlain(folder: string, keys: readonly string[]): void {
  const index = readIndex(folder);
  for (const key of keys) JSON.parse(readFileSync(join(folder, index[key]!.file), 'utf8'));
}

function lookUpFiles(folder: string, keys: readonly string[]): void {
  for (const key of keys) JSON.parse(readFileSync(join(folder, key), 'utf8'));
}

function content(i: number): string {
  return `${i} `.repeat(1024).slice(0, 1024);
}
