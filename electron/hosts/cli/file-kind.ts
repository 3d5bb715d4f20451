import { basename, dirname } from 'node:path';
import { isMap, isSeq } from 'yaml';
import { openYaml } from '#shared/lens/yaml/open.ts';
import { keyText, pairsOf } from '#shared/lens/yaml/source.ts';
import { kindByName } from './kind-by-name.ts';
import type { FileKind } from './kind-by-name.ts';

/** What a file is by its name, else by the keys at its top; undefined for a file of somebody else's. */
export function fileKind(path: string, text: string): FileKind | undefined {
  const named = kindByName(path);
  if (named !== undefined || !/\.ya?ml$/.test(path)) return named;
  const { root } = openYaml(text, path).source;
  if (isSeq(root)) return basename(dirname(path)) === 'tests' ? 'fixtures' : undefined;
  const keys = new Set(isMap(root) ? pairsOf(root).map(({ key }) => keyText(key)) : []);
  if (keys.has('lens') || keys.has('metadata')) return 'lens';
  if (keys.has('skills') || keys.has('presets')) return 'library';
  if (keys.has('fixtures')) return 'fixtures';
  if (keys.has('version') && keys.has('founts')) return 'lock';
  const isConfig = ['models', 'default_model', 'judge_model', 'founts', 'telemetry'].some((key) =>
    keys.has(key),
  );
  return isConfig || basename(path) === 'config.yaml' ? 'config' : undefined;
}
