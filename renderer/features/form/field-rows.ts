import type { Snippet } from 'svelte';
import type { Path } from '#shared/lens/yaml/source.ts';
import type { Field } from './fields.ts';

/** Shows fields of the map at a path; a bare text in its place stands for the key in third place. */
export type FieldRowsSnippet = Snippet<[fields: readonly Field[], item: Path, shortKey: string | undefined]>;
