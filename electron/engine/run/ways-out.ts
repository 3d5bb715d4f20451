import { isBlocked } from '#shared/blocked-names.ts';
import { downstream, upstream } from '#shared/graph/closure.ts';
import type { WayOut } from '#shared/model/run.ts';
import { narrowFiles } from '#shared/narrow-files.ts';
import { permittedBy } from '../plan/permitted.ts';
import type { Resolution } from '../resolve/resolve.ts';

type Files = ReadonlyMap<string, string>;

/** A script that failed, with what it was shown and what there is. */
export interface FailedScript {
  readonly resolution: Resolution;
  /** The skill, by its index in the graph. */
  readonly index: number;
  readonly stderr: string;
  /** What scripts may see of the workspace at all. */
  readonly files: Files;
  /** What this skill is shown of it. */
  readonly seen: Files;
}

/** Scripts complain at the end, and one that complains a lot says the same thing again. */
const readCharacters = 16_384;
const mostTold = 5;

/**
 * What the sandbox keeps from a script looks to it like a file, a key or a host that is not there: says what it is instead,
 * and what to do. Nothing about a failure that is the script's own.
 */
export function waysOutOf(failed: FailedScript): WayOut[] {
  const said = failed.stderr.slice(-readCharacters);
  const lines = said.split('\n');
  const found = [
    ...lines.filter((line) => missing.test(line)).flatMap((line) => unseenFiles(line, failed)),
    ...[...said.matchAll(/^KeyError: '(.+)'$/gm)].flatMap(([, key]) => undeclaredKey(key!, failed)),
    ...(readOnly.test(said) ? [readOnlyWay] : []),
    ...(offline.test(said) ? [offlineWay] : []),
    ...lines.flatMap(notInstalled),
  ];
  const byMeaning = new Map(found.map((way) => [`${way.id} ${way.subject}`, way]));
  return [...byMeaning.values()].slice(0, mostTold);
}

const missing = /no such file or directory|does not exist|cannot (?:open|access|find)/i;
const readOnly = /read-only file system/i;
const offline =
  /\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED)\b|[Cc]onnection refused|name resolution|[Nn]ame or service not known|[Cc]ould not resolve host|[Nn]etwork is unreachable/;

const readOnlyWay: WayOut = {
  id: 'read-only',
  subject: '',
  sentence: 'Scripts cannot change the workspace: write files below $SUNWELL_FILES to propose them',
};

const offlineWay: WayOut = {
  id: 'no-network',
  subject: '',
  sentence: 'Scripts have no network: give them what they need as an input or as a file of the workspace',
};

function unseenFiles(line: string, failed: FailedScript): WayOut[] {
  return pathsIn(line).flatMap((path) => unseenFile(path, failed));
}

/** What may be a path in a complaint: a quoted text, or what stands between colons, spaces and brackets. */
function pathsIn(line: string): string[] {
  const quoted = [...line.matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, single, double]) => (single ?? double)!);
  const texts = [...quoted, ...line.split(': '), ...line.split(/[\s:()[\],;'"]+/)];
  const paths = texts.map((text) =>
    text
      .trim()
      .replace(/^(?:\/workspace\/|\.\/)+/, '')
      .replace(/\/$/, ''),
  );
  return [...new Set(paths)].filter((path) => path !== '' && !path.startsWith('/'));
}

function unseenFile(path: string, { resolution, index, files, seen }: FailedScript): WayOut[] {
  const { name, skill, permissions } = resolution.skills[index]!;
  const parts = path.split('/');
  if (parts.some((part, i) => isBlocked(part, i < parts.length - 1))) {
    const sentence = `"${path}" is kept from every script, as secrets are: give it what it needs as an input`;
    return [{ id: 'blocked-file', subject: path, sentence }];
  }
  const isMeant = (file: string): boolean => file === path || file.startsWith(`${path}/`);
  const meant = new Map([...files].filter(([file]) => isMeant(file)));
  if (meant.size === 0 || [...seen.keys()].some(isMeant)) return [];
  const isHere = `"${path}" is in the workspace`;
  if (narrowFiles(meant, permittedBy(permissions).read).size === 0) {
    const sentence = `${isHere}, but the permissions of "${name}" do not let it read that`;
    return [{ id: 'unpermitted-file', subject: path, sentence }];
  }
  const glob = `${path.replace(/[*?[\]{}\\]/g, '?')}${files.has(path) ? '' : '/**'}`;
  const sees = skill.files?.length === 0 ? 'no files' : 'other files only';
  const sentence = `${isHere}, but "${name}" sees ${sees}: add "${glob}" to its "files"`;
  return [{ id: 'unseen-file', subject: glob, sentence }];
}

/** A key that there is, and that a skill gets only when it asks for it. */
function undeclaredKey(key: string, { resolution, index }: FailedScript): WayOut[] {
  const { graph, skills, lens } = resolution;
  const { name, skill } = skills[index]!;
  if (skill.requires?.some((required) => required.key === key)) return [];
  const way = (source: string, more = ''): WayOut[] => {
    const sentence = `"${name}" does not ask for "${key}", ${source}: add it to its "requires"${more}`;
    return [{ id: 'undeclared-key', subject: key, sentence }];
  };
  const producers = skills.flatMap((other, i) =>
    i !== index && other.skill.produces?.some((produced) => produced.key === key) ? [i] : [],
  );
  const before = new Set(upstream(graph, [index]));
  const after = new Set(downstream(graph, [index]));
  const producer = producers.find((i) => before.has(i)) ?? producers.find((i) => !after.has(i));
  if (producer !== undefined) {
    const { name: from } = skills[producer]!;
    return way(`which "${from}" delivers`, before.has(producer) ? '' : `, and "${from}" to its "depends_on"`);
  }
  return lens?.inputs.some(({ value }) => value.name === key) ? way('an input of the lens') : [];
}

function notInstalled(line: string): WayOut[] {
  const command = /: line \d+: (\S+): command not found$/.exec(line)?.[1];
  const module =
    /^ModuleNotFoundError: No module named '([^'.]+)/.exec(line)?.[1] ??
    /Cannot find (?:package|module) '([^'./][^']*)'/.exec(line)?.[1];
  const [what, subject] =
    command === undefined ? (['module', module] as const) : (['program', command] as const);
  if (subject === undefined) return [];
  const sentence = `There is no ${what} "${subject}" in the sandbox: scripts find what is installed for the whole system, nothing from a home or a workspace`;
  return [{ id: 'not-installed', subject, sentence }];
}
