import { basename } from 'node:path';
import { digestOf } from '../store/digest.ts';

/** The name of a workspace below the user's folder: readable, and different for every place. */
export function workspaceKey(root: string): string {
  const hash = digestOf(root).slice(0, 12);
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 40)
    .replace(/^[.-]+|[.-]+$/g, '');
  return `${name === '' ? 'workspace' : name}-${hash}`;
}
