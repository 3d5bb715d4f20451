import type { LanguageFile } from './file-facts.ts';

/** What completion, hover and navigation may look at. */
export interface LanguageContext {
  /** Every lens and library of the workspace with its text as it is now. */
  readonly files: readonly LanguageFile[];
  /** Libraries that are no files of the workspace, such as `sunwell/common`. */
  readonly libraries?: readonly OtherLibrary[];
  /** Tools that a model can be given. */
  readonly tools?: readonly string[];
}

export interface OtherLibrary {
  /** As it is written in a lens. */
  readonly reference: string;
  readonly skills: readonly { readonly name: string; readonly description?: string | undefined }[];
}

export type CompletionKind =
  'property' | 'value' | 'skill' | 'key' | 'name' | 'file' | 'variable' | 'snippet';

/** One thing that can be written at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A word or two beside the label. */
  readonly detail?: string;
  /** Some sentences about it. */
  readonly documentation?: string;
  readonly insert: string;
  /** `insert` holds places to fill in, such as `${1:name}`. */
  readonly isSnippet?: boolean;
  /** What is likely comes first. */
  readonly rank: number;
}

/** What can be written at the cursor, and the text it replaces. */
export interface Completions {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Completion[];
}
