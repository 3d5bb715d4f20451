import { createContext } from 'svelte';
import type { Path } from '#shared/lens/yaml/source.ts';
import type { FormState } from '#renderer/state/form-state.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import type { Suggestion } from './fields.ts';

/** What every field of one form needs to know. */
export interface FormContext {
  readonly tab: Tab;
  readonly form: FormState;
  /** Opens a block of text in an editor of its own; missing where there is none. */
  readonly openBlock?: ((path: Path) => void) | undefined;
  readonly suggestions: (kind: Suggestion) => readonly string[];
}

/** Set by the form, read by its fields. */
export const [getForm, setForm] = createContext<FormContext>();

/** The id of the element that edits the entry at a path. */
export function fieldId(path: Path): string {
  return `field-${path.join('-').replaceAll(/[^\w-]/g, '_')}`;
}
