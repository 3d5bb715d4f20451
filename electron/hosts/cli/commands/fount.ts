import { ReadCache } from '#engine/resolve/read-cache.ts';
import { usedFounts } from '#engine/resolve/used-founts.ts';
import { classify } from '#engine/workspace/discovery.ts';
import type { FountReference } from '#engine/fount/fount-reference.ts';
import type { FountChange, FountState } from '#shared/model/fount.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';

/** Fetches a fount and pins it in `sunwell.lock`. */
export async function fountAdd(invocation: Invocation, spec: string): Promise<ExitCode> {
  const { output } = invocation;
  const { founts } = await CommandWorkspace.open(invocation);
  const change = await (await founts()).add(spec);
  if (output.isJson) output.document(change);
  else output.line(changeLine(change, 'is already pinned'));
  return ExitCode.ok;
}

/** Takes the highest version in the range for every fount of the lock, or for one package. */
export async function fountUpdate(invocation: Invocation, name: string | undefined): Promise<ExitCode> {
  const { output } = invocation;
  const { founts } = await CommandWorkspace.open(invocation);
  const changes = await (await founts()).update(name);
  if (output.isJson) output.document(changes);
  else for (const change of changes) output.line(changeLine(change, 'is up to date'));
  if (changes.length === 0) output.note('No founts in sunwell.lock: add one with "sunwell fount add"');
  return ExitCode.ok;
}

/** Prints how every fount stands; fails where what is here is not what the lock pins, or the lock lacks one in use. */
export async function fountOutdated(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const workspace = await CommandWorkspace.open(invocation);
  const states = await (await workspace.founts()).outdated(await fountsInUse(workspace));
  if (output.isJson) output.document(states);
  else if (states.length > 0) printStates(output, states);
  else output.note('No founts here: add one with "sunwell fount add"');
  for (const { request, problem } of states) {
    if (problem) output.note(inert(`Cannot ask for news of "${request}": ${problem.message}`));
  }
  const hasDrifted = states.some(({ state }) => state === 'changed-on-disk' || state === 'not-in-lock');
  return hasDrifted ? ExitCode.failed : ExitCode.ok;
}

async function fountsInUse({ files, resolver }: CommandWorkspace): Promise<readonly FountReference[]> {
  const cache = new ReadCache();
  const used: FountReference[] = [];
  for (const file of await files()) {
    const kind = classify(file);
    const source = resolver.source(file);
    const read = kind === 'agent-skill' ? undefined : cache.text(source.path);
    if (!read || 'unreadable' in read) continue; // "sunwell validate" says why.
    used.push(
      ...usedFounts(
        (kind === 'lens' ? cache.lens(source, read.text) : cache.library(source, read.text)).value,
      ),
    );
  }
  return used;
}

function changeLine({ request, from, to, changed }: FountChange, unchanged: string): string {
  const what = from === undefined ? to : from === to ? `${to}, with new content` : `${from} → ${to}`;
  return inert(`${request}: ${changed ? what : `${to} ${unchanged}`}`);
}

function printStates(output: Output, states: readonly FountState[]): void {
  const rows = states.map(({ request, version, update, latest, state }) => [
    request,
    version ?? '–',
    update ?? '–',
    latest ?? '–',
    state,
  ]);
  printTable(output, ['FOUNT', 'LOCKED', 'UPDATE', 'LATEST', 'STATE'], rows);
}
