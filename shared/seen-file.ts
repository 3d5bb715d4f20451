const executable = 'x';

/** What a script sees of a file: the SHA-256 of its bytes, and a mark where it could be started as a program. */
export function seenFile(sha256: string, mode: number): string {
  return (mode & 0o100) === 0 ? sha256 : sha256 + executable;
}

/** The SHA-256 of the bytes alone. */
export function contentOfSeen(seen: string): string {
  return seen.endsWith(executable) ? seen.slice(0, -executable.length) : seen;
}
