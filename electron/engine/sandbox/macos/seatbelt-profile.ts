/** What a script sees on macOS; the same staged folders as on Linux, mounted nowhere but named. */
export interface SeatbeltSpec {
  readonly workspace?: string;
  readonly skill?: string;
  /** The one folder the script may write to: temporary files and artifacts. */
  readonly scratch: string;
  /** The input document and, if it is not one of the skill's files, the script. */
  readonly placed: readonly string[];
  /** Prefixes of interpreters that are not part of the system. */
  readonly prefixes: readonly string[];
}

const systemFolders = [
  '/usr/lib',
  '/usr/bin',
  '/bin',
  '/usr/share',
  '/System/Library',
  '/Library/Apple',
  '/private/var/db/dyld',
];
const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'];

/** The profile for `sandbox-exec -p`: everything is denied that is not named. */
export function seatbeltProfile(spec: SeatbeltSpec): string {
  const readable = [...systemFolders, ...spec.prefixes, spec.workspace, spec.skill, spec.scratch].filter(
    (path) => path !== undefined,
  );
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    ...[...systemFolders, ...spec.prefixes, spec.scratch].map(
      (path) => `(allow process-exec (subpath ${quoted(path)}))`,
    ),
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    ...readable.map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    ...spec.placed.map((path) => `(allow file-read* (literal ${quoted(path)}))`),
    ...devices.map((path) => `(allow file-read* file-write-data (literal ${quoted(path)}))`),
    `(allow file-write* (subpath ${quoted(spec.scratch)}))`,
    '(deny file-write-setugid)',
    '(deny network*)',
    '(deny mach-lookup)',
    '(deny ipc-posix*)',
    '(deny ipc-sysv*)',
    '',
  ].join('\n');
}

/** A path as a string of the profile language; a quote or a backslash in a folder's name must not end it. */
function quoted(path: string): string {
  if (!path.startsWith('/')) throw new Error(`"${path}" is not an absolute path`);
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
