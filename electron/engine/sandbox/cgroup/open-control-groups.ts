import { StudioError } from '#shared/errors.ts';
import { prepareLaunch, type Bubblewrap } from '../bubblewrap.ts';
import type { Interpreter } from '../interpreters.ts';
import { limitsFrom } from '../limits.ts';
import { runLaunch } from '../run-script.ts';
import { ControlGroups, type ControlGroup, type ControlGroupPlace, type Walls } from './control-groups.ts';
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
    if (groups) return { groups, [Symbol.dispose]: () => undefined };
  }
  const scope = await openSystemdScope();
  const groups = scope && (await tryPlace(parts, scope.place));
  if (groups) return { groups, [Symbol.dispose]: () => scope[Symbol.dispose]() };
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
  const runWithin = (walls: Walls) => runHog(bubblewrap, bash, () => groups.make(walls));
  const [tooMuch, tooMany] = await Promise.all([
    runWithin({ memoryBytes: hogBytes / 2, processes: 64 }),
    runWithin({ memoryBytes: 8 * hogBytes, processes: 1 }),
  ]);
  if (tooMuch !== 'out of memory' || tooMany !== 'not started') {
    records.clear(owner);
    return undefined;
  }
  proven.add(place);
  return groups;
}

const hogBytes = 32 * 1024 * 1024;
const limits = limitsFrom({ timeoutMs: 5000 });

/** Takes more than one wall allows and starts more than another does; well within every other limit. */
async function runHog(
  bubblewrap: Bubblewrap,
  bash: Interpreter,
  makeGroup: () => ControlGroup,
): Promise<'got through' | 'out of memory' | 'not started'> {
  const script = {
    name: 'hog',
    language: 'bash' as const,
    source: { content: `head -c ${hogBytes} /dev/zero > /tmp/held` },
  };
  try {
    const launch = prepareLaunch(bubblewrap, bash, { script, input: {} }, limits);
    const { limitsHit } = await runLaunch({ ...launch, makeGroup }, { limits });
    return limitsHit.includes('memory') ? 'out of memory' : 'got through';
  } catch (error) {
    if (error instanceof StudioError) return 'not started';
    throw error;
  }
}
