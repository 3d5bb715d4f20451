import { StudioError } from '#shared/errors.ts';
import { prepareLaunch, type Bubblewrap } from '../bubblewrap.ts';
import type { Interpreter } from '../interpreters.ts';
import { limitsFrom } from '../limits.ts';
import { runLaunch, type ScriptOutcome } from '../run-script.ts';
import { ControlGroups, type ControlGroupPlace, type Walls } from './control-groups.ts';
import { groupPrefix, type GroupRecords } from './group-records.ts';
import { placesHere } from './own-groups.ts';
import type { ProvenPlaces } from './proven-places.ts';
import { openSystemdScope } from './systemd-scope.ts';

/** The kernel's walls on this machine, shown to hold. */
export interface OpenControlGroups extends Disposable {
  readonly groups: ControlGroups;
}

export interface ControlGroupParts {
  readonly bubblewrap: Bubblewrap;
  readonly bash: Interpreter;
  readonly records: GroupRecords;
  readonly proven: ProvenPlaces;
  /** Starts with a process mark and is nobody else's. */
  readonly owner: string;
}

/** Finds a place for groups whose walls were run into and held; undefined where there is none. */
export async function openControlGroups(parts: ControlGroupParts): Promise<OpenControlGroups | undefined> {
  for (const place of placesHere()) {
    const groups = await tryPlace(parts, place);
    if (groups) return { groups, [Symbol.dispose]: () => groups[Symbol.dispose]() };
  }
  const scope = await openSystemdScope();
  const groups = scope && (await tryPlace(parts, scope.place));
  if (groups) {
    const close = () => {
      groups[Symbol.dispose]();
      scope[Symbol.dispose]();
    };
    return { groups, [Symbol.dispose]: close };
  }
  scope?.[Symbol.dispose]();
  return undefined;
}

async function tryPlace(
  { bubblewrap, bash, records, proven, owner }: ControlGroupParts,
  place: ControlGroupPlace,
): Promise<ControlGroups | undefined> {
  records.note(owner, place);
  const groups = new ControlGroups(place, groupPrefix(owner));
  if (proven.has(place)) return groups;
  const isHeld = await Promise.all(
    probes.map(({ walls, content, held }) => {
      const script = { name: 'probe', language: 'bash' as const, source: { content } };
      const launch = prepareLaunch(bubblewrap, bash, { script, input: {} }, limits);
      return runLaunch({ ...launch, makeGroup: () => groups.take(walls) }, { limits }).then(held, notStarted);
    }),
  );
  if (isHeld.includes(false)) {
    groups[Symbol.dispose]();
    records.clear(owner);
    return undefined;
  }
  proven.add(place);
  return groups;
}

const megabyte = 1024 * 1024;
const limits = limitsFrom({ timeoutMs: 5000 });

/** Each runs into one wall, well within every other limit. */
const probes: readonly {
  readonly walls: Walls;
  readonly content: string;
  readonly held: (outcome: ScriptOutcome) => boolean;
}[] = [
  {
    walls: { memoryBytes: 16 * megabyte, processes: 64 },
    content: `head -c ${32 * megabyte} /dev/zero > /tmp/held`,
    held: ({ limitsHit }) => limitsHit.includes('memory'),
  },
  {
    // The keeper, bubblewrap twice, init and the script: the next one is too many. Bash itself would try for a quarter of a minute.
    walls: { memoryBytes: 256 * megabyte, processes: 5 },
    content: 'exec /usr/bin/setsid --fork /usr/bin/true',
    held: ({ exitCode, stderr }) => exitCode !== 0 && stderr.includes('fork'),
  },
];

function notStarted(error: unknown): false {
  if (error instanceof StudioError) return false;
  throw error;
}
