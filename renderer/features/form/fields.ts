import type { z } from 'zod';
import type { Plain } from '#shared/lens/edit/tree.ts';

/** What a field suggests while it is filled in. */
export type Suggestion = 'skill' | 'key' | 'validator' | 'persona' | 'lens' | 'library';

/** How a field is edited. */
export type FieldEditor =
  | { readonly kind: 'text' | 'long' | 'code' | 'number' | 'flag' | 'free' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | {
      readonly kind: 'texts';
      readonly entryKey?: string;
      /** An empty list says something else than none. */
      readonly keepsEmpty?: boolean;
    }
  | { readonly kind: 'group'; readonly fields: readonly Field[]; readonly shortKey?: string }
  | {
      readonly kind: 'items';
      readonly noun: string;
      readonly fields: readonly Field[];
      readonly shortKey?: string;
      /** A new one. */
      readonly start: Plain;
    };

/** One field of a form. */
export interface Field {
  readonly key: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly editor: FieldEditor;
  readonly suggests?: Suggestion | undefined;
  /** Stands above the field and those that follow. */
  readonly heading?: string | undefined;
  readonly isRequired: boolean;
}

/** What the schema does not say about a field. */
export type FieldWish = Partial<Pick<Field, 'label' | 'editor' | 'suggests' | 'heading'>>;

/**
 * The fields of a part of a lens in the order of its schema, which also says what each may hold.
 * Wishes say what is shown otherwise, in which order; undefined leaves a field out.
 */
export function fieldsOf(
  { shape }: { readonly shape: Readonly<Record<string, z.core.$ZodType>> },
  wishes: Readonly<Record<string, FieldWish | undefined>> = {},
): Field[] {
  const keys = [...new Set([...Object.keys(wishes), ...Object.keys(shape)])];
  return keys.flatMap((key) => {
    const schema = shape[key];
    if (key in wishes && wishes[key] === undefined) return [];
    return [{ ...fieldOf(key, schema), ...wishes[key] }];
  });
}

/** A field of its own, for parts that no schema describes. */
export function fieldOf(key: string, schema: z.core.$ZodType | undefined): Field {
  const def = schema?._zod.def;
  const help = schema && (schema as { description?: string }).description;
  return {
    key,
    label: labelOf(key),
    help,
    editor: schema ? editorOf(schema) : { kind: 'text' },
    isRequired: def !== undefined && def.type !== 'optional',
  };
}

/** A key as people read it: `use_cases` is "Use cases". */
export function labelOf(key: string): string {
  const words = key.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function editorOf(schema: z.core.$ZodType): FieldEditor {
  const def = schema._zod.def as z.core.$ZodTypes['_zod']['def'];
  switch (def.type) {
    case 'optional':
      return editorOf(def.innerType);
    case 'string':
      return { kind: 'text' };
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'flag' };
    case 'enum':
      return { kind: 'choice', options: Object.values(def.entries).map(String) };
    case 'union': {
      const kinds = def.options.map((option) => option._zod.def.type);
      return { kind: kinds.includes('array') && kinds.includes('string') ? 'texts' : 'free' };
    }
    default:
      return { kind: 'free' };
  }
}
