import { canonicalJson } from '#shared/graph/canonical-json.ts';
import { digestOf } from '../store/digest.ts';

/** Everything of a skill that decides what it does: its definition as written, and the bytes of its own files. */
export interface SkillContent {
  readonly definition: unknown;
  readonly files: readonly {
    readonly path: string;
    readonly content: Uint8Array;
    readonly isExecutable?: boolean;
  }[];
}

/** One part of a skill as the user agreed to it. */
export interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** What a grant is given for; one other byte makes it another. */
export interface ContentListing {
  readonly hash: string;
  readonly files: readonly ListedFile[];
}

/** How a skill differs from the one the user agreed to. */
export interface ListingDiff {
  readonly added: readonly ListedFile[];
  readonly removed: readonly ListedFile[];
  readonly changed: readonly { readonly before: ListedFile; readonly after: ListedFile }[];
}

/** The name of the definition in a listing; no file can have it. */
export const definitionPath = '(definition)';

/** The bytes behind a listing, in the listing's order. */
export function contentParts({
  definition,
  files,
}: SkillContent): { path: string; content: Uint8Array; isExecutable: boolean }[] {
  const own = files.map(({ path, content, isExecutable = false }) => ({ path, content, isExecutable }));
  own.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [
    { path: definitionPath, content: Buffer.from(canonicalJson(definition)), isExecutable: false },
    ...own,
  ];
}

export function listContent(content: SkillContent): ContentListing {
  const parts = contentParts(content);
  const files = parts.map(({ path, content: bytes }) => ({
    path,
    sha256: digestOf(bytes),
    bytes: bytes.length,
  }));
  const whole = parts.map(({ isExecutable }, i) => [files[i]!.path, files[i]!.sha256, isExecutable]);
  return { hash: digestOf(JSON.stringify(whole)), files };
}

export function diffListings(before: readonly ListedFile[], after: readonly ListedFile[]): ListingDiff {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  return {
    added: after.filter(({ path }) => !old.has(path)),
    removed: before.filter(({ path }) => !now.has(path)),
    changed: after.flatMap((file) => {
      const earlier = old.get(file.path);
      return earlier && earlier.sha256 !== file.sha256 ? [{ before: earlier, after: file }] : [];
    }),
  };
}
