import { lensParts } from '#shared/model/lens-file.ts';
import { asksJudge, retryCauses, validatorMethods, validatorSeverities } from '#shared/model/lens-terms.ts';
import { LibraryFile } from '#shared/model/library.ts';
import {
  EnabledEntry,
  ResourceEntry,
  ScriptEntry,
  SkillEntry,
  TemplateEntry,
  ValidateWithEntry,
} from '#shared/model/skill-entry.ts';
import type { Plain } from '#shared/lens/edit/tree.ts';
import type { Path } from '#shared/lens/yaml/source.ts';
import { fieldOf, fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';

/** Items of one kind: a list, or a map from name to item. */
export interface ItemsContent {
  readonly kind: 'items';
  /** One of them, as people call it. */
  readonly noun: string;
  /** Where they may be written, the usual place first. */
  readonly places: readonly Path[];
  /** A bare text as an item stands for a map with this key. */
  readonly shortKey?: string;
  /** Items that a list holds beside them, and that belong to another section. */
  readonly isOther?: (item: Readonly<Record<string, unknown>>) => boolean;
  readonly fields: (item: unknown) => readonly Field[];
  /** What a new one has beside its name. */
  readonly start: Readonly<Record<string, Plain>>;
  /** The names of items are keys of a map, and their values may be bare texts. */
  readonly isMap?: boolean;
}

/** What a section of the form shows. */
export type SectionContent =
  | { readonly kind: 'fields'; readonly path: Path; readonly fields: readonly Field[] }
  | { readonly kind: 'free'; readonly path: Path }
  | { readonly kind: 'kept' }
  | ItemsContent;

/** One section of the form. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly help: string | undefined;
  readonly content: SectionContent;
}

const long = { kind: 'long' } as const;
const code = { kind: 'code' } as const;
const severity = { editor: { kind: 'choice', options: validatorSeverities } } as const;
const prose = { description: { editor: long } } as const;

const linkFields = (withPriority: boolean): Field[] =>
  fieldsOf(lensParts.lensLink, {
    lens: { suggests: 'lens' },
    version: {},
    ...(withPriority ? {} : { priority: undefined }),
  });

const skillFields = fieldsOf(SkillEntry, {
  name: {},
  description: { editor: long },
  type: {},
  source: { suggests: 'library' },
  path: { label: 'Folder' },
  triggers: {},
  instructions: { heading: 'What it does', editor: long },
  scripts: {
    editor: {
      kind: 'items',
      noun: 'script',
      start: { name: 'script.py', content: 'print("Hello")\n' },
      fields: fieldsOf(ScriptEntry, {
        name: {},
        language: {},
        description: {},
        args: { label: 'Arguments' },
        path: { label: 'File' },
        content: { editor: code },
      }),
    },
  },
  templates: {
    editor: {
      kind: 'items',
      noun: 'template',
      start: { name: 'template', content: '# ${Name}\n' },
      fields: fieldsOf(TemplateEntry, { content: { editor: code } }),
    },
  },
  resources: {
    editor: {
      kind: 'items',
      noun: 'resource',
      start: { name: 'resource', path: './README.md' },
      fields: fieldsOf(ResourceEntry, { name: {}, url: { label: 'Address' }, path: { label: 'File' } }),
    },
  },
  depends_on: {
    heading: 'What flows',
    editor: { kind: 'texts', entryKey: 'source' },
    suggests: 'skill',
  },
  requires: { suggests: 'key' },
  produces: { suggests: 'key' },
  parameters_schema: { label: 'Schema of the parameters' },
  trust: { heading: 'What it may do' },
  timeout: { label: 'Time limit in seconds' },
  files: { editor: { kind: 'texts', keepsEmpty: true } },
  preset: {},
  permissions: {},
  security: {},
  allowed_tools: {},
  'allowed-tools': undefined,
  compatibility: { editor: long },
  cache: {},
  enabled: { label: 'Only if', editor: { kind: 'group', fields: fieldsOf(EnabledEntry) } },
  validate_with: {
    heading: 'What judges it',
    editor: {
      kind: 'group',
      fields: fieldsOf(ValidateWithEntry, {
        validators: { suggests: 'validator' },
        personas: { suggests: 'persona' },
      }),
    },
  },
});

const includeFields: Field[] = [
  {
    ...fieldOf('include', undefined),
    help: '"file.yaml", or "file.yaml::skill-a, skill-b"',
    isRequired: true,
  },
];

const hasInclude = (item: unknown): boolean => typeof item === 'object' && item !== null && 'include' in item;

const skills: Section = {
  id: 'skills',
  title: 'Skills',
  group: 'What it can do',
  help: lensParts.lens.shape.skills.description,
  content: {
    kind: 'items',
    noun: 'skill',
    places: [['skills']],
    fields: (item) => (hasInclude(item) ? includeFields : skillFields),
    start: { description: 'What it does and when to use it', instructions: 'Say what to do.\n' },
  },
};

const kept: Section = {
  id: 'kept',
  title: 'Kept as it is',
  group: 'More',
  help: 'What the studio does not interpret. It stays in the file as it is written; change it in the text.',
  content: { kind: 'kept' },
};

/** A section whose help is that of its key in the lens. */
function section(key: string, parts: Omit<Section, 'id' | 'help'>): Section {
  const shape: Readonly<Record<string, { description?: string | undefined }>> = lensParts.lens.shape;
  return { id: key, help: shape[key]?.description, ...parts };
}

const stepFields: Field[] = [
  { ...fieldOf('skill', undefined), suggests: 'skill' },
  {
    ...fieldOf('parallel', undefined),
    help: 'Skills that run at once',
    editor: { kind: 'texts', entryKey: 'skill' },
    suggests: 'skill',
  },
  { ...fieldOf('name', undefined), help: 'Name of the action' },
  fieldOf('action', undefined),
  { ...fieldOf('quality_gates', undefined), editor: { kind: 'texts' } },
];

const isHeuristic = (item: Readonly<Record<string, unknown>>): boolean => asksJudge((key) => key in item);

/** Every part of a lens, in the order of the form. */
export const lensSections: readonly Section[] = [
  section('metadata', {
    ...{ title: 'About', group: 'The lens' },
    content: {
      kind: 'fields',
      path: ['metadata'],
      fields: fieldsOf(lensParts.metadata, { name: {}, version: {}, domain: {}, ...prose }),
    },
  }),
  {
    ...{
      id: 'links',
      title: 'Builds on',
      group: 'The lens',
      help: 'Lenses whose judgment this one takes over',
    },
    content: {
      kind: 'fields',
      path: [],
      fields: [
        {
          ...fieldOf('extends', lensParts.lens.shape.extends),
          editor: { kind: 'group', fields: linkFields(false), shortKey: 'lens' },
        },
        {
          ...fieldOf('compose', lensParts.lens.shape.compose),
          editor: {
            kind: 'items',
            noun: 'lens',
            start: 'name-of-a-lens',
            fields: linkFields(true),
            shortKey: 'lens',
          },
        },
      ],
    },
  },
  section('heuristics', {
    ...{ title: 'Heuristics', group: 'How it thinks' },
    content: {
      ...{ kind: 'items', noun: 'heuristic' },
      places: [['heuristics'], ['heuristics', 'principles']],
      fields: () =>
        fieldsOf(lensParts.heuristic, { name: {}, rule: { editor: long }, test: { editor: long } }),
      start: { rule: 'The sentence to follow' },
    },
  }),
  section('anti_heuristics', {
    ...{ title: 'Anti-heuristics', group: 'How it thinks' },
    content: {
      ...{ kind: 'items', noun: 'anti-heuristic', shortKey: 'name' },
      places: [['anti_heuristics'], ['heuristics', 'anti_heuristics']],
      fields: () =>
        fieldsOf(lensParts.antiHeuristic, { name: {}, ...prose, triggers: {}, correction: { editor: long } }),
      start: { description: 'What to avoid' },
    },
  }),
  section('communication', {
    ...{ title: 'Communication', group: 'How it thinks' },
    content: { kind: 'free', path: ['communication'] },
  }),
  section('framework', {
    ...{ title: 'Framework', group: 'How it thinks' },
    content: { kind: 'free', path: ['framework'] },
  }),
  section('personas', {
    ...{ title: 'Personas', group: 'How it thinks' },
    content: {
      ...{ kind: 'items', noun: 'persona', places: [['personas']] },
      fields: () =>
        fieldsOf(lensParts.persona, {
          ...{ name: {}, ...prose, background: { editor: long } },
          ...{ goals: {}, friction_points: {}, attack_vectors: {} },
          evaluation_prompt: { editor: long },
          output_format: { editor: long },
        }),
      start: { description: 'Who reads the result' },
    },
  }),
  {
    ...{ id: 'deterministic', title: 'Deterministic validators', group: 'What is good enough' },
    help: 'Checks without a model: a command, a script or a built-in check',
    content: {
      ...{ kind: 'items', noun: 'validator' },
      places: [['validators', 'deterministic'], ['validators']],
      isOther: isHeuristic,
      fields: () =>
        fieldsOf(lensParts.deterministicValidator, {
          ...{ name: {}, ...prose, severity },
          contains: { heading: 'Built-in checks' },
          ...{ not_contains: {}, matches: {}, max_words: {}, json_schema: { label: 'JSON Schema' } },
          command: { heading: 'A process of its own' },
          script: { editor: code },
          ...{ success_pattern: {}, success_when: {}, timeout: { label: 'Time limit in seconds' } },
        }),
      start: { not_contains: 'TODO' },
    },
  },
  {
    ...{ id: 'heuristic', title: 'Heuristic validators', group: 'What is good enough' },
    help: 'Questions that a model answers about the result',
    content: {
      ...{ kind: 'items', noun: 'validator' },
      places: [['validators', 'heuristic'], ['validators']],
      isOther: (item) => !isHeuristic(item),
      fields: (item) =>
        fieldsOf(lensParts.heuristicValidator, {
          ...{ name: {}, ...prose },
          // Of the two spellings the one that is written is shown.
          ...(typeof item === 'object' && item !== null && 'check' in item
            ? { prompt: undefined, check: { label: 'Question', editor: long } }
            : { prompt: { label: 'Question', editor: long }, check: undefined }),
          method: { editor: { kind: 'choice', options: validatorMethods } },
          severity,
        }),
      start: { prompt: 'Is the result clear?' },
    },
  },
  section('quality_policy', {
    ...{ title: 'Quality policy', group: 'What is good enough' },
    content: {
      ...{ kind: 'fields', path: ['quality_policy'] },
      fields: fieldsOf(lensParts.qualityPolicy, {
        ...{ min_confidence: { label: 'Least confidence' }, required_validators: { suggests: 'validator' } },
      }),
    },
  }),
  skills,
  section('skill_sources', {
    ...{ title: 'Libraries', group: 'What it can do' },
    content: {
      ...{ kind: 'fields', path: [] },
      fields: [
        {
          ...fieldOf('skill_sources', lensParts.lens.shape.skill_sources),
          ...{ label: 'Libraries', editor: { kind: 'texts', entryKey: 'source' }, suggests: 'library' },
        },
      ],
    },
  }),
  section('inputs', {
    ...{ title: 'Inputs', group: 'What it can do' },
    content: {
      ...{ kind: 'items', noun: 'input', places: [['inputs']], isMap: true },
      fields: () => fieldsOf(lensParts.input, { ...prose, type: {}, default: {} }),
      start: { description: 'What it is for' },
    },
  }),
  section('workflows', {
    ...{ title: 'Workflows', group: 'What it can do' },
    content: {
      ...{ kind: 'items', noun: 'workflow', places: [['workflows']] },
      fields: () => [
        { ...fieldOf('name', undefined), isRequired: true },
        { ...fieldOf('description', undefined), editor: long },
        {
          ...fieldOf('steps', undefined),
          editor: {
            kind: 'items',
            noun: 'step',
            start: { skill: 'name-of-a-skill' },
            fields: stepFields,
            shortKey: 'skill',
          },
        },
      ],
      start: { steps: [] },
    },
  }),
  section('router', {
    ...{ title: 'Router', group: 'What it can do' },
    help: undefined,
    content: {
      ...{ kind: 'fields', path: ['router'] },
      fields: fieldsOf(lensParts.router, { shortcuts: {} }),
    },
  } as Omit<Section, 'id' | 'help'>),
  section('skill_retry', {
    ...{ title: 'Retries', group: 'What it can do' },
    content: {
      ...{ kind: 'fields', path: ['skill_retry'] },
      fields: fieldsOf(lensParts.skillRetry, {
        max_attempts: { label: 'Most attempts' },
        backoff_ms: { label: 'Pauses in milliseconds', editor: { kind: 'free' } },
      }).map((field) =>
        ['retry_on', 'abort_on'].includes(field.key)
          ? { ...field, help: `${field.help ?? ''} – of ${retryCauses.join(', ')}` }
          : field,
      ),
    },
  }),
  kept,
];

/** Every part of a library, in the order of the form. */
export const librarySections: readonly Section[] = [
  {
    ...{ id: 'about', title: 'About', group: 'The library', help: undefined },
    content: {
      ...{ kind: 'fields', path: [] },
      fields: fieldsOf(LibraryFile, {
        ...{ name: {}, version: {}, ...prose },
        skills: undefined,
        presets: undefined,
      }),
    },
  },
  skills,
  {
    ...{
      id: 'presets',
      title: 'Presets',
      group: 'What it can do',
      help: LibraryFile.shape.presets.description,
    },
    content: {
      ...{ kind: 'items', noun: 'preset', places: [['presets']], isMap: true },
      fields: () => [
        { ...fieldOf('permissions', undefined), editor: { kind: 'free' } },
        { ...fieldOf('security', undefined), editor: { kind: 'free' } },
      ],
      start: { permissions: {} },
    },
  },
  kept,
];
