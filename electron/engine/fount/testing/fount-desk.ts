import { join } from 'node:path';
import { StudioError, type ErrorCode } from '#shared/errors.ts';
import type { DiskWorld } from '../../../testing/disk-world.ts';
import { Log } from '../../store/log.ts';
import type { FountPlaces } from '../fount-source.ts';
import { FountStore } from '../fount-store.ts';
import type { NpmConfig } from '../npm-config.ts';
import { WorkspaceFounts } from '../workspace-founts.ts';

/** The least that makes a package a fount. */
export const skills = { 'docs.skills.yaml': 'skills: []\n' };

/** The text of a `package.json`. */
export function manifest(name: string, version: string, more: object = {}): string {
  return JSON.stringify({ name, version, ...more });
}

/** One user at one workspace, with and without `--frozen`. */
export interface Desk {
  readonly home: string;
  readonly folder: string;
  readonly store: FountStore;
  readonly founts: WorkspaceFounts;
  readonly frozen: WorkspaceFounts;
}

/** A user with an own home and a workspace; the same home again is the same user later. */
export async function openDesk(
  world: DiskWorld,
  options: { founts: FountPlaces; npmConfig?: NpmConfig; home?: string; folder?: string },
): Promise<Desk> {
  const home = options.home ?? join(await world.makeFolder(), 'home of #1');
  const folder = options.folder ?? (await world.makeFolder());
  const log = new Log(join(home, 'logs'));
  const store = new FountStore({
    home,
    founts: options.founts,
    log,
    ...(options.npmConfig && { npmConfig: options.npmConfig }),
  });
  const open = (frozen: boolean) => new WorkspaceFounts({ folder, store, frozen });
  return { home, folder, store, founts: open(false), frozen: open(true) };
}

/** The error that the work is refused with; anything else fails the test. */
export async function refusal(work: Promise<unknown>): Promise<StudioError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StudioError)) throw new Error(`Not refused: ${String(error)}`);
  return error;
}

export async function codeOf(work: Promise<unknown>): Promise<ErrorCode> {
  return (await refusal(work)).code;
}
