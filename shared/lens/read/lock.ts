import type { Lock, LockedFount } from '../../model/lock.ts';
import { lockKeys, lockVersion } from '../../model/lock.ts';
import { quote } from '../problems.ts';
import { parseLibraryReference } from '../reference.ts';
import { openYaml } from '../yaml/open.ts';
import type { Fields } from './fields.ts';
import { Reader } from './fields.ts';
import { given } from './given.ts';
import { rootFields } from './root.ts';
import type { Read } from './root.ts';

const exactVersion = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Reads `sunwell.lock`; an entry that pins nothing exact is left out, so that it cannot be trusted. Never throws. */
export function readLock(text: string, file: string): Read<Lock> {
  const { source, problems } = openYaml(text, file);
  const reader = new Reader(source, problems);
  const root = rootFields(reader, 'a map with "version:" and "founts:"');
  root?.rest(lockKeys.lock);
  if (root !== undefined && root.plain('version') !== lockVersion) {
    const message = `Cannot read the lock: its version is not ${lockVersion}`;
    reader.report('lock.unknown-version', root.has('version') ? root.get('version')! : root.node, message);
    return { value: { founts: [] }, diagnostics: problems.diagnostics, source };
  }
  const map = root?.map('founts');
  const founts = map === undefined ? [] : [...map.keys()].flatMap((request) => readFount(map, request) ?? []);
  return { value: { founts }, diagnostics: problems.diagnostics, source };
}

function readFount(map: Fields, request: string): LockedFount | undefined {
  const { reader } = map;
  const fields = map.map(request);
  fields?.rest(lockKeys.fount);
  const version = fields?.text('version');
  const integrity = fields?.text('integrity');
  const parsed = parseLibraryReference(request);
  const isPackage = parsed.ok && (parsed.value.kind === 'fount' || parsed.value.kind === 'agentskills');
  const isExact = version !== undefined && exactVersion.test(version);
  if (!isPackage || !isExact || integrity === undefined || !sha512.test(integrity)) {
    const message = `Lock entry ${quote(request)} does not pin an exact version and a sha512 digest`;
    reader.report('lock.bad-entry', map.keyNode(request), message);
    return undefined;
  }
  return given({
    request,
    version,
    integrity,
    resolved: fields?.text('resolved'),
    at: reader.source.at(map.keyNode(request)),
    path: map.pathOf(request),
  });
}
