import { basename, dirname } from 'node:path';
import { isMap, isSeq } from 'yaml';
import { openYaml } from '#shared/lens/yaml/open.ts';
import { keyText, pairsOf } from '#shared/lens/yaml/source.ts';

/** What `sunwell validate` can check. */
export type FileKind = 'lens' | 'library' | 'agent-skill' | 'fixtures' | 'config' | 'lock';

/** What a file is by its name alone; undefined where only its content can say. */
export function kindByName(path: string): FileKind | undefined {
  const name = basename(path);
  if (/\.lens(\.yaml)?$/.test(name)) return 'lens';
  if (/\.skills\.ya?ml$/.test(name)) return 'library';
  if (name === 'SKILL.md') return 'agent-skill';
  if (name === 'sunwell.lock') return 'lock';
  if (/^(.*\.)?fixtures\.ya?ml$/.test(name)) return 'fixtures';
  return undefined;
}

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
