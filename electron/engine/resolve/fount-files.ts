import { join } from 'node:path';
import { sourceFile } from './place.ts';
import type { Place, SourceFile } from './place.ts';
import type { FountPackage, Session } from './session.ts';

/** The place of a fetched package: its files are named by package and version, never by where they were put. */
export function fountPlace(found: FountPackage): Place {
  return { root: found.folder, label: `fount://${found.name}@${found.version}` };
}

/** The lens files at the top of a fetched package. */
export async function lensFilesBelow(session: Session, found: FountPackage): Promise<SourceFile[]> {
  const place = fountPlace(found);
  const names = (await session.namesIn(found.folder)).filter((name) => /\.lens(\.yaml)?$/.test(name));
  return names.map((name) => sourceFile(place, join(found.folder, name)));
}
