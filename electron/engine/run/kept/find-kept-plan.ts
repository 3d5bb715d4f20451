import type { ScriptLanguage } from '#shared/model/skill.ts';
import { blobStamp, cacheFolder, stillStands } from '../../cache/kept-standing.ts';
import { fileListOf } from '../../fingerprint/file-list.ts';
import { isUnchanged, stampOf } from '../../resolve/footprint.ts';
import { sandboxIdentity } from '../../sandbox/identity.ts';
import { findInterpreter } from '../../sandbox/interpreters.ts';
import { openPrivateFolder } from '../../sandbox/private-folder.ts';
import { StageStore } from '../../sandbox/stage/stage-store.ts';
import { installKey } from '../../store/install-key.ts';
import type { KeptPlan } from './kept-plan.ts';
import { openPlanStore } from './plan-store.ts';
import { placeName, type PlanPlace, type Premises } from './premises.ts';

export interface FoundPlan extends Pick<Premises, 'problems'> {
  readonly plan: KeptPlan;
  /** The plan as it was written, to be written again. */
  readonly text: string;
}

/**
 * The plan for the whole of a lens without any inputs, where it was made before and nothing it rests on has changed since;
 * undefined for every other reason there can be, and then it is to be made.
 */
export async function findKeptPlan(
  place: PlanPlace & { readonly environment: Readonly<Record<string, string | undefined>> },
  build?: string,
): Promise<FoundPlan | undefined> {
  const { home, environment } = place;
  const kept = openPlanStore(home, build)?.read(placeName(place))?.toString();
  if (kept === undefined) return undefined;
  const end = kept.indexOf('\n');
  const premises = JSON.parse(kept.slice(0, end)) as Premises;
  if (!isUnchanged(premises.footprint, installKey(home), environment)) return undefined;
  if (!hasSameInterpreters(premises, place.root, environment['PATH'] ?? '')) return undefined;
  const text = kept.slice(end + 1);
  const plan = JSON.parse(text) as KeptPlan;
  if (!hasSameResults(premises, plan, home)) return undefined;
  if (premises.files !== null && (await filesDigest(place.root)) !== premises.files) return undefined;
  return { plan, text, problems: premises.problems };
}

function hasSameInterpreters({ interpreters }: Premises, root: string, searchPath: string): boolean {
  const search = { searchPath, identity: sandboxIdentity(), workspaces: [root] };
  return Object.entries(interpreters).every(([language, [path, stamp]]) => {
    const { interpreter } = findInterpreter(language as ScriptLanguage, search);
    return interpreter?.path === path && stampOf(path) === stamp;
  });
}

function hasSameResults({ index, blobs }: Premises, { steps }: KeptPlan, home: string): boolean {
  const folder = cacheFolder(home);
  for (const [digest, stamp] of blobs) if (blobStamp(folder, digest) !== stamp) return false;
  return stillStands(
    home,
    index,
    steps.map(([, , , , key]) => key),
  );
}

async function filesDigest(root: string): Promise<string | undefined> {
  try {
    const identity = sandboxIdentity();
    const { files } = await new StageStore(openPrivateFolder(identity), identity).hash(root);
    return fileListOf(files).digest;
  } catch {
    return undefined; // Whoever makes the plan says why files cannot be read.
  }
}
