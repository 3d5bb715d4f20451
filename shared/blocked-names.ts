/** Names that are never shown to a script or a page, at any depth, whatever their case. */
const blockedNames = new Set(['.git', '.envrc', '.npmrc', '.netrc', '.ssh', '.aws']);

/** How files begin that the studio writes beside those of a workspace and renames into their places. */
const passingStart = '.sunwell-apply-';

/** The name of a file that lies in a workspace only while another one is written; the writing's own id tells them apart. */
export function passingName(id: string, index: number): string {
  return `${passingStart}${id}-${index}`;
}

/** Says whether a file is such a passing one, of this process or of one that was killed: nobody is told of it. */
export function isPassing(name: string): boolean {
  return name.startsWith(passingStart);
}

/** Says whether a file or folder of this name stays away from scripts, and with a folder all that is in it. */
export function isBlocked(name: string, isFolder: boolean): boolean {
  // Asked of every file of a workspace: what begins and ends like none of these needs no closer look.
  if (/^[^.iIsS\x80-\uffff][ -~]*[^mMyY\x80-\uffff]$/.test(name)) return false;
  const plain = /^[ -~]*$/.test(name) ? name.toLowerCase() : plainName(name);
  if (blockedNames.has(plain) || plain.startsWith('id_') || /\.(?:pem|key)$/.test(plain)) return true;
  if (plain.startsWith('.env')) return plain !== '.env.example';
  // With what stands beside a file while it is written.
  if (plain.startsWith('.sunwell')) return true;
  return isFolder && plain === 'secrets';
}

/** Some file systems take letters of other widths and invisible characters for the plain name. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
}
