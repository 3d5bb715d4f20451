import type { Scalar } from 'yaml';
import type { LensReference, LibraryReference } from '../reference.ts';

/** What a name can stand for. */
export type SymbolKind = 'skill' | 'key' | 'validator' | 'persona' | 'preset' | 'lens';

/** Where a name stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One place of a file that names something: where it is defined, or where it is used. */
export interface Mention {
  readonly kind: SymbolKind;
  readonly role: 'definition' | 'reference';
  readonly file: string;
  /** As spelled; lookups treat several spellings as one name. */
  readonly name: string;
  /** Names the place within its file, whatever the names in it are. */
  readonly place: string;
  /** Undefined where the text spells the name with escapes or over several lines. */
  readonly span: Span | undefined;
  /** How the text is quoted, where the name is all of it. */
  readonly style: Scalar.Type | undefined;
  /** The key under which it stands, such as `depends_on`. */
  readonly field: string;
  /** The skill it belongs to. */
  readonly skill: string | undefined;
  /** Where a skill reference says to look. */
  readonly library?: LibraryReference;
  /** What the definition says of itself. */
  readonly detail?: string;
}

/** Another file that a file takes something from. */
export type FileLink =
  | { readonly kind: 'extends' | 'compose'; readonly lens: LensReference }
  | {
      readonly kind: 'include';
      readonly library: LibraryReference;
      readonly names: readonly string[] | undefined;
    }
  | { readonly kind: 'search' | 'reference'; readonly library: LibraryReference };
