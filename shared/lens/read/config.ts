import { isScalar } from 'yaml';
import type { Config, ModelConfig } from '../../model/config.ts';
import { configKeys, modelProviders } from '../../model/config.ts';
import { didYouMean } from '../names.ts';
import { quote } from '../problems.ts';
import { openYaml } from '../yaml/open.ts';
import type { Fields } from './fields.ts';
import { Reader } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { rootFields } from './root.ts';
import type { Read } from './root.ts';

const emptyConfig: Config = {
  models: [],
  founts: {},
  telemetry: { skillExecution: false, includeOutput: false },
  cache: {},
};

/** Reads the user's `config.yaml`; an empty file is a configuration without models. Never throws. */
export function readConfig(text: string, file: string): Read<Config> {
  const { source, problems } = openYaml(text, file);
  const reader = new Reader(source, problems);
  const isEmpty =
    !source.isBroken && (source.root === null || (isScalar(source.root) && source.root.value === null));
  const root = isEmpty ? undefined : rootFields(reader, 'a map with "models:"');
  const value = root === undefined ? emptyConfig : readConfigFields(root);
  return { value, diagnostics: problems.diagnostics, source };
}

function readConfigFields(root: Fields): Config {
  const models = readModels(root);
  const telemetry = root.map('telemetry');
  telemetry?.rest(configKeys.telemetry);
  const cache = root.map('cache');
  cache?.rest(configKeys.cache);
  return {
    models,
    founts: readFounts(root),
    telemetry: {
      skillExecution: telemetry?.flag('skill_execution') ?? false,
      includeOutput: telemetry?.flag('include_output') ?? false,
      ...given({ logPath: telemetry?.text('log_path') }),
    },
    cache: given({
      maxBytes: measure(cache, 'max_bytes', byteUnits),
      maxAgeMs: measure(cache, 'max_age', timeUnits),
    }),
    ...given({
      defaultModel: readModelName(root, 'default_model', models),
      judgeModel: readModelName(root, 'judge_model', models),
      extra: unlessEmpty(root.rest(configKeys.config)),
    }),
  };
}

function readModels(root: Fields): ModelConfig[] {
  const map = root.map('models');
  if (map === undefined) return [];
  return [...map.keys()].flatMap((name) => {
    const fields = map.map(name);
    return (fields === undefined ? undefined : readModel(fields, name, map)) ?? [];
  });
}

function readModel(fields: Fields, name: string, models: Fields): ModelConfig | undefined {
  fields.rest(configKeys.model);
  const provider = fields.choice('provider', modelProviders);
  const model = given({
    name,
    provider: provider ?? '',
    model: fields.text('model'),
    baseUrl: fields.text('base_url'),
    apiKeyEnv: fields.text('api_key_env'),
    params: fields.map('params') === undefined ? {} : (fields.plain('params') as Record<string, unknown>),
    command: fields.texts('command'),
    at: fields.reader.source.at(models.keyNode(name)),
    path: fields.path,
  });
  const missing = missingKey(model);
  if (missing !== undefined) {
    const message = `Model ${quote(name)} needs ${quote(missing)}`;
    fields.reader.report('config.incomplete-model', models.keyNode(name), message);
  }
  return provider === undefined ? undefined : model;
}

function missingKey(model: ModelConfig): string | undefined {
  switch (model.provider) {
    case '':
      return 'provider';
    case 'anthropic':
    case 'openai':
    case 'google':
      return model.model === undefined ? 'model' : undefined;
    case 'openai-compatible':
      if (model.baseUrl === undefined) return 'base_url';
      return model.model === undefined ? 'model' : undefined;
    case 'command':
      return model.command === undefined ? 'command' : undefined;
    default:
      return undefined;
  }
}

function readModelName(root: Fields, key: string, models: readonly ModelConfig[]): string | undefined {
  const placed = root.placedText(key);
  // "manual" is a person, who is there without being set up.
  const isKnown = (name: string): boolean => name === 'manual' || models.some((model) => model.name === name);
  if (placed === undefined || isKnown(placed.text)) return placed?.text;
  const meant = didYouMean(
    placed.text,
    models.map((model) => model.name),
  );
  const hint = meant === undefined ? '' : `: did you mean ${quote(meant)}?`;
  root.reader.problems.add(
    'config.unknown-model',
    placed.at,
    `Model ${quote(placed.text)} is not configured${hint}`,
  );
  return placed.text;
}

function readFounts(root: Fields): Record<string, string> {
  const map = root.map('founts');
  const founts: Record<string, string> = {};
  for (const scope of map?.keys() ?? []) {
    const place = map!.text(scope);
    if (place !== undefined) founts[scope] = place;
  }
  return founts;
}

const byteUnits = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};
const timeUnits = { '': 1, MS: 1, S: 1e3, M: 6e4, H: 36e5, D: 864e5, W: 6048e5 };

/** A number, or a number with a unit such as "2GB" or "30d". */
function measure(
  fields: Fields | undefined,
  key: string,
  units: Readonly<Record<string, number>>,
): number | undefined {
  const node = fields?.get(key);
  if (fields === undefined || node === undefined) return undefined;
  const written = isScalar(node) ? String(node.value) : '';
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(written);
  const unit = match?.[2]?.toUpperCase() ?? '';
  if (match !== null && Object.hasOwn(units, unit)) return Number(match[1]) * units[unit]!;
  fields.reader.wrongType(
    node,
    key,
    `a number with a unit such as ${Object.keys(units).slice(1).join(', ').toLowerCase()}`,
  );
  return undefined;
}
