import { StudioError } from '#shared/errors.ts';
import { quote } from '#shared/lens/problems.ts';
import type { Diagnostic, Location } from '#shared/model/diagnostic.ts';
import { composePriorityDefault } from '#shared/model/lens.ts';
import type { Lens, LensLink } from '#shared/model/lens.ts';
import { hasDrifted } from '../fount/fount-errors.ts';
import { lensFilesBelow } from './fount-files.ts';
import { neighbour } from './place.ts';
import type { SourceFile } from './place.ts';
import type { Session } from './session.ts';

/** One lens file that takes part in a resolution. */
export interface Layer {
  readonly lens: Lens;
  readonly source: SourceFile;
}

export interface Layers {
  /** Weakest first; the lens itself comes last. A lens reached by two ways takes part once, where it is weakest. */
  readonly layers: readonly Layer[];
  /** The files that the lens extends, nearest first. */
  readonly extended: readonly string[];
  /** Why judges may be missing: links that lead nowhere, and what of the files could not be read. */
  readonly gaps: readonly Diagnostic[];
}

/** Follows `extends` and `compose` from a lens; a link that leads nowhere or in a circle is reported and left out. */
export async function collectLayers(session: Session, top: Layer): Promise<Layers> {
  const layers = new Map<string, Layer>();
  const extended: string[] = [];
  const lost: Location[] = [];
  const followed = async (link: LensLink, here: readonly Layer[]): Promise<Layer | undefined> => {
    const found = await follow(session, link, here);
    if (!found) lost.push(link.at);
    return found;
  };
  const visit = async (layer: Layer, chain: readonly Layer[], isSpine: boolean): Promise<void> => {
    const here = [...chain, layer];
    if (layer.lens.extends) {
      const parent = await followed(layer.lens.extends, here);
      if (parent && isSpine) extended.push(parent.source.file);
      if (parent) await visit(parent, here, isSpine);
    }
    for (const link of weakestFirst(layer.lens.compose)) {
      const composed = await followed(link, here);
      if (composed) await visit(composed, here, false);
    }
    if (!layers.has(layer.source.path)) layers.set(layer.source.path, layer);
  };
  await visit(top, [], true);
  const reported = session.diagnostics.filter(
    ({ severity, location }) => severity === 'error' && lost.some((at) => isSamePlace(at, location)),
  );
  const unread = [...layers.values()].flatMap(({ lens }) => lens.gaps ?? []);
  return { layers: [...layers.values()], extended, gaps: [...new Set([...reported, ...unread])] };
}

function isSamePlace(a: Location, b: Location): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}

/** The higher priority wins, equal priority: the later. A stable sort keeps equal ones in their order. */
function weakestFirst(links: readonly LensLink[]): readonly LensLink[] {
  const priority = (link: LensLink): number => link.priority ?? composePriorityDefault;
  return [...links].sort((a, b) => priority(a) - priority(b));
}

async function follow(session: Session, link: LensLink, chain: readonly Layer[]): Promise<Layer | undefined> {
  const from = chain[chain.length - 1]!;
  const source = await findLens(session, link, from.source);
  if (!source) return undefined;
  const start = chain.findIndex((layer) => layer.source.path === source.path);
  if (start >= 0) {
    const names = [...chain.slice(start), chain[start]!].map((layer) => layer.source.file);
    session.report('lens.cycle', link.at, `Lenses extend one another in a circle: ${names.join(' → ')}`);
    return undefined;
  }
  const read = await session.lens(source);
  if ('problem' in read) {
    session.report('lens.not-found', link.at, `Cannot read lens ${quote(link.text)}: ${read.problem}`);
    return undefined;
  }
  const found = read.value.metadata.version;
  if (link.version !== undefined && found !== undefined && !(await satisfies(found, link.version))) {
    const message = `Lens ${quote(link.text)} has version ${quote(found)}, but ${quote(link.version)} is asked for`;
    session.report('lens.version-mismatch', link.at, message);
  }
  return { lens: read.value, source };
}

/** Loaded only here: most lenses ask for no version. */
async function satisfies(version: string, range: string): Promise<boolean> {
  const { default: semver } = await import('semver');
  return semver.satisfies(version, range);
}

async function findLens(session: Session, link: LensLink, from: SourceFile): Promise<SourceFile | undefined> {
  const { reference } = link;
  if (!reference) return undefined; // Malformed: the reader has said so.
  switch (reference.kind) {
    case 'path':
      return neighbour(from, reference.path);
    case 'name': {
      const found = await session.options.lensesNamed(reference.name);
      if (found.length === 1) return found[0];
      const files = found.map((source) => quote(source.file)).join(' and ');
      const message =
        found.length === 0
          ? `Cannot find lens ${quote(link.text)}: no lens of the workspace or the user has that name`
          : `Cannot choose lens ${quote(link.text)}: it could be ${files}; write a path such as "./base.lens"`;
      session.report('lens.not-found', link.at, message);
      return undefined;
    }
    case 'fount':
      try {
        const found = await session.options.fount(reference);
        const files = await lensFilesBelow(session, found);
        if (files.length === 1) return files[0];
        const message = `Cannot extend ${quote(link.text)}: the package holds ${files.length} lenses, one is needed`;
        session.report('lens.not-found', link.at, message);
      } catch (error) {
        if (!(error instanceof StudioError)) throw error;
        session.report(hasDrifted(error) ? 'lock.mismatch' : 'lens.not-found', link.at, error.message);
      }
      return undefined;
  }
}
