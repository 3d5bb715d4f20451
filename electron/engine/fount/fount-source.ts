import { isAbsolute, resolve } from 'node:path';
import semver from 'semver';
import { badReference, requestOf, type FountReference } from './fount-reference.ts';
import type { NpmConfig } from './npm-config.ts';

/** `default` and `@scope`: the address of a registry, or a folder that holds packages. */
export type FountPlaces = Readonly<Record<string, string>>;

/** Where the bytes of a fount come from. */
export type FountSource =
  | { readonly kind: 'registry'; readonly registry: string | undefined }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'git'; readonly address: string }
  | { readonly kind: 'tarball'; readonly address: string }
  | { readonly kind: 'path'; readonly path: string };

const git = /^git(?:\+(?:https|ssh|file))?:\/\//;
const web = /^https?:\/\//;
const secret = /^(?:git\+)?https?:\/\/[^/@]*@|^git[^/]*\/\/[^/@]*:[^/@]*@/;
const tag = /^[a-z][a-z0-9._-]*$/i;

/** Our settings over the user's npm settings: a scope's place first, then the default. */
export function mergePlaces(founts: FountPlaces, npmConfig: NpmConfig): FountPlaces {
  const places: Record<string, string> = {};
  for (const [key, value] of Object.entries(npmConfig)) {
    if (key === 'registry') places['default'] = value;
    else if (key.endsWith(':registry')) places[key.slice(0, -':registry'.length)] = value;
  }
  return { ...places, ...founts };
}

/** Decides where a fount comes from; `base` is what a relative `file:` path starts at. */
export function sourceOf(
  reference: FountReference,
  options: { readonly places: FountPlaces; readonly home: string; readonly base: string },
): FountSource {
  const { package: name, range } = reference;
  if (semver.validRange(range) !== null || tag.test(range)) {
    const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined;
    const place = (scope && options.places[scope]) ?? options.places['default'];
    if (place === undefined || web.test(place)) return { kind: 'registry', registry: place };
    return { kind: 'folder', folder: isAbsolute(place) ? place : resolve(options.home, place) };
  }
  if (secret.test(range)) {
    const clean = requestOf({ ...reference, range: range.replace(/\/\/[^/@]*@/, '//') });
    throw badReference(
      clean,
      'an address with a password would be in every lens, lock and message; leave it to git or .npmrc',
    );
  }
  if (git.test(range)) return { kind: 'git', address: range };
  if (web.test(range)) return { kind: 'tarball', address: range };
  if (range.startsWith('file:')) {
    return { kind: 'path', path: resolve(options.base, range.slice('file:'.length)) };
  }
  throw badReference(
    requestOf(reference),
    `"${range}" is no version range: use one such as "^1.0.0", "git+https://…#v1", "https://….tgz" or "file:./folder"`,
  );
}
