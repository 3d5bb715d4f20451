import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** How this distribution spreads its programs; /usr is always there. */
export interface SystemLayout {
  /** Folders of the root that are links into /usr, with their targets. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** What else programs need from the system, read-only. */
  readonly binds: readonly string[];
}

const rootFolders = ['/bin', '/sbin', '/lib', '/lib64'];
const systemFiles = ['/etc/ld.so.cache', '/etc/alternatives'];

export function readSystemLayout(): SystemLayout {
  const present = rootFolders.filter((path) => lstatSync(path, { throwIfNoEntry: false }));
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  return {
    links: present.filter(isLink).map((path) => ({ path, target: readlinkSync(path) })),
    binds: [...present.filter((path) => !isLink(path)), ...systemFiles.filter((path) => existsSync(path))],
  };
}
