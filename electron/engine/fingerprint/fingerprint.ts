import { basename } from 'node:path';
import { canonicalJson } from '#shared/graph/canonical-json.ts';
import { compareText } from '#shared/graph/compare-text.ts';
import { fillVariables } from '#shared/prompt/fill-variables.ts';
import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { ScriptLanguage, TrustLevel } from '#shared/model/skill.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { digestOf, valueDigest } from '../store/digest.ts';
import { fileListOf } from './file-list.ts';
import { variablesOf } from './variables.ts';

/** Version of the script protocol and of this record: a result made by another one is none of ours. */
export const engineVersion = 2;

/** What a step is made of, as far as it may change what comes out. */
export interface FingerprintParts {
  readonly node: ResolvedSkill;
  readonly trust: TrustLevel;
  readonly limits: Readonly<Record<string, number>>;
  /** Versions by language; those that the skill does not use are left out. */
  readonly interpreters: ReadonlyMap<ScriptLanguage, string>;
  readonly inputs: Readonly<Record<string, Digest>>;
  readonly params: Readonly<Record<string, Digest>>;
  readonly upstream: Readonly<Record<string, Digest>>;
  /** What the skill sees of the workspace; skills that see the same should share the map. */
  readonly files: ReadonlyMap<string, Digest>;
  readonly task?: string | undefined;
  readonly model?: unknown;
  readonly lens?: Digest | undefined;
  /** When the run starts, for arguments that hold the date or the time. */
  readonly now: Date;
}

/** The named record of everything that may change the result of a step. */
export function fingerprintOf(parts: FingerprintParts): Fingerprint {
  const { node, trust, limits, inputs, params, upstream, files, task, model, lens } = parts;
  return {
    engine: engineVersion,
    definition: definitionOf(node, parts.now),
    trust,
    limits,
    interpreters: interpretersOf(node, parts.interpreters),
    inputs,
    params,
    upstream,
    files: fileListOf(files).digest,
    task: task === undefined ? null : digestOf(task),
    ...(model !== undefined && { model }),
    ...(lens !== undefined && { lens }),
  };
}

/** The name of a step's result: the digest of its whole fingerprint. */
export function cacheKey(fingerprint: Fingerprint): Digest {
  const { definition, ...others } = fingerprint;
  const text = definitionTexts.get(definition);
  if (text === undefined) return valueDigest(fingerprint);
  // "definition" is the first of all keys: this is the text that the whole record has, put together from kept parts.
  return digestOf(`{"definition":${text},${canonicalJson(others).slice(1)}`);
}

/** Of a graph that did not change every plan asks for the same thousand definitions, and for the texts of them. */
const definitions = new WeakMap<ResolvedSkill, Fingerprint['definition']>();
const definitionTexts = new WeakMap<Fingerprint['definition'], string>();

function definitionOf(node: ResolvedSkill, now: Date): Fingerprint['definition'] {
  const known = definitions.get(node);
  if (known) return known;
  const definition = makeDefinition(node, now);
  // What holds the time is another definition for every run.
  if (!holdsTime(node)) {
    definitions.set(node, definition);
    definitionTexts.set(definition, canonicalJson(definition));
  }
  return definition;
}

function makeDefinition(node: ResolvedSkill, now: Date): Fingerprint['definition'] {
  const { skill, scripts, resources, permissions } = node;
  // Values of inputs and parameters stand in the record by themselves: only what nobody gives is filled in here.
  const hasVariables = scripts.some(({ args }) => args.some((argument) => argument.includes('${')));
  const variables = hasVariables ? marked(variablesOf(node, {}, now)) : new Map<string, string>();
  return {
    instructions: skill.instructions === undefined ? null : digestOf(dated(skill.instructions, now)),
    scripts: scripts.map(({ name, language, args, content }) => ({
      name,
      language,
      args: args.map((argument) => fillVariables(argument, variables)),
      content: digestOf(content),
    })),
    templates: (skill.templates ?? []).map(({ name, content }) => ({
      name,
      content: digestOf(dated(content, now)),
    })),
    resources: resources.map(({ name, file, url, content }) => ({
      name,
      file: file === undefined ? null : basename(file),
      url: url ?? null,
      content: content === undefined ? null : digestOf(content),
    })),
    parameters: skill.parametersSchema === undefined ? null : valueDigest(skill.parametersSchema),
    tools: skill.allowedTools ? [...skill.allowedTools] : null,
    permissions: permissions === undefined ? null : valueDigest(permissions),
    produces: (skill.produces ?? []).map(({ key }) => key).sort(compareText),
    requires: (skill.requires ?? []).map(({ key }) => key).sort(compareText),
    files: skill.files ? [...skill.files] : null,
  };
}

/** A value that looks like a placeholder, or like half of one, stands apart from what is still to be filled in. */
function marked(variables: ReadonlyMap<string, string>): Map<string, string> {
  // No argument can hold a NUL.
  return new Map([...variables].map(([name, value]) => [name, /[${}]/.test(value) ? `\0${value}\0` : value]));
}

/** Whether a skill is another one for every run, because its texts hold the date or the time. */
export function holdsTime(node: ResolvedSkill): boolean {
  return [...node.scripts.flatMap(({ args }) => args), ...toldTexts(node)].some(hasTime);
}

/** What a model is told of a skill and may hold the time. */
function toldTexts({ skill }: ResolvedSkill): string[] {
  return [skill.instructions ?? '', ...(skill.templates ?? []).map(({ content }) => content)];
}

function hasTime(text: string): boolean {
  return /\$\{(?:DATE|TIMESTAMP)\}/.test(text);
}

/** A text as it is, but with the time in it where it asks for it: a result of yesterday is none of today then. */
function dated(text: string, now: Date): string {
  if (!hasTime(text)) return text;
  return fillVariables(
    text,
    new Map([
      ['DATE', now.toISOString().slice(0, 10)],
      ['TIMESTAMP', now.toISOString()],
    ]),
  );
}

function interpretersOf(
  { scripts }: ResolvedSkill,
  versions: ReadonlyMap<ScriptLanguage, string>,
): Record<string, string> {
  const used = new Set(scripts.map(({ language }) => language));
  return Object.fromEntries([...versions].filter(([language]) => used.has(language)));
}
