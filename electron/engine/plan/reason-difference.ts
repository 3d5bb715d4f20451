import { canonicalJson } from '#shared/graph/canonical-json.ts';
import type { Reason, ReasonDifference } from '#shared/model/plan.ts';
import { contentOfSeen } from '#shared/seen-file.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { valueText } from '../store/digest.ts';

/** A file of the workspace as text; undefined where it is none, or gone. */
export type FileText = (path: string) => string | undefined;

export interface DifferenceFacts {
  readonly node: ResolvedSkill;
  readonly cache: Pick<ActionCache, 'text'>;
  /** Values given for the run. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly task: string | undefined;
  /** What its lens tells a model. */
  readonly lens: string;
  readonly fileText: FileText | undefined;
}

/** Both sides of a reason as text; a side whose text nobody keeps is null. */
export function differenceOf(reason: Reason, facts: DifferenceFacts): ReasonDifference {
  const language = languageOf(reason, facts.node);
  const shown = (text: string | undefined): string | null =>
    text === undefined ? null : language === 'json' ? readable(text) : text;
  return {
    before: shown(sideText(reason.before, facts)),
    after: shown(currentText(reason, facts) ?? sideText(reason.after, facts)),
    language,
  };
}

/** The text of a part of a skill as it is now; undefined for parts that are no text. */
export function definitionText(
  { skill, scripts, resources }: ResolvedSkill,
  { id, subject }: Pick<Reason, 'id' | 'subject'>,
): string | undefined {
  switch (id) {
    case 'instructions-changed':
      return skill.instructions;
    case 'script-changed':
      return scripts.find(({ name }) => name === subject)?.content;
    case 'template-changed':
      return skill.templates?.find(({ name }) => name === subject)?.content;
    case 'resource-changed':
      return resources.find(({ name }) => name === subject)?.content;
    default:
      return undefined;
  }
}

function currentText(reason: Reason, facts: DifferenceFacts): string | undefined {
  const { node, inputs, task, lens, fileText } = facts;
  if (reason.after === undefined) return undefined;
  if (reason.id === 'task-changed') return task;
  if (reason.id === 'lens-changed') return lens;
  if (reason.id === 'file-changed') return fileText?.(reason.subject);
  if (reason.id === 'input-changed' && Object.hasOwn(inputs, reason.subject)) {
    return valueText(inputs[reason.subject]);
  }
  if (reason.id === 'definition-changed' && reason.subject === 'parameters') {
    return canonicalJson(node.skill.parametersSchema);
  }
  if (reason.id === 'definition-changed' && reason.subject === 'permissions')
    return canonicalJson(node.permissions);
  return definitionText(node, reason);
}

/** A digest stands for a text that may be kept; anything else is the value itself. */
function sideText(side: string | undefined, { cache }: DifferenceFacts): string | undefined {
  if (side === undefined) return undefined;
  const digest = contentOfSeen(side);
  return /^[0-9a-f]{64}$/.test(digest) ? cache.text(digest) : side;
}

/** A value of JSON over several lines, and a text as it is, so that two of them can be compared by lines. */
function readable(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  } catch {
    return json; // A short value that is shown as it is.
  }
}

const languages: Readonly<Record<string, string>> = {
  md: 'markdown',
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  sh: 'shell',
  bash: 'shell',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
};

function languageOf({ id, subject }: Reason, { scripts }: ResolvedSkill): string {
  if (id === 'instructions-changed' || id === 'lens-changed') return 'markdown';
  if (id === 'input-changed' || id === 'definition-changed' || id === 'model-changed') return 'json';
  const extension = /\.(\w+)$/.exec(subject)?.[1]?.toLowerCase() ?? '';
  const script = id === 'script-changed' ? scripts.find(({ name }) => name === subject) : undefined;
  return languages[extension] ?? (script && scriptLanguage[script.language]) ?? 'text';
}

const scriptLanguage = { python: 'python', node: 'javascript', bash: 'shell' } as const;
