import type { Lens } from '../../model/lens.ts';
import type { Library } from '../../model/library.ts';
import type { Skill } from '../../model/skill.ts';
import { readFixtures } from '../read/fixtures.ts';
import { readLens } from '../read/lens.ts';
import { readLibrary } from '../read/library.ts';
import type { YamlSource } from '../yaml/source.ts';
import type { FileLink, Mention } from './mention.ts';
import { MentionReader } from './mentions.ts';

/** A lens, a library or fixtures of the workspace with the text as it is now, saved or not. */
export interface LanguageFile {
  readonly file: string;
  readonly kind: 'lens' | 'library' | 'fixtures';
  readonly text: string;
}

/** What one file says, read once for each text. */
export interface FileFacts {
  readonly file: string;
  readonly kind: LanguageFile['kind'];
  readonly source: YamlSource;
  readonly lens: Lens | undefined;
  readonly library: Library | undefined;
  readonly skills: readonly Skill[];
  readonly mentions: readonly Mention[];
  readonly links: readonly FileLink[];
}

const maxFiles = 500;
/** Completion reads a text without one line, all other calls read it whole: each keeps its own. */
const textsOfFile = 2;
const remembered = new Map<string, readonly { readonly text: string; readonly facts: FileFacts }[]>();

/** Reads a file, or remembers what the same text said before; never throws, whatever the text. */
export function factsOf({ file, kind, text }: LanguageFile): FileFacts {
  const key = `${kind} ${file}`;
  const known = remembered.get(key) ?? [];
  const same = known.find((one) => one.text === text);
  const facts = same?.facts ?? readers[kind](text, file);
  remembered.delete(key);
  remembered.set(key, [{ text, facts }, ...known.filter((one) => one !== same)].slice(0, textsOfFile));
  const [oldest] = remembered.keys();
  if (remembered.size > maxFiles && oldest !== undefined) remembered.delete(oldest);
  return facts;
}

const readers = { lens: lensFacts, library: libraryFacts, fixtures: fixtureFacts } as const;

function lensFacts(text: string, file: string): FileFacts {
  const { value: lens, source } = readLens(text, file);
  const reader = new MentionReader(source);
  reader.lens(lens);
  const { skills } = lens;
  const links: FileLink[] = skillLinks(skills);
  if (lens.extends?.reference) links.push({ kind: 'extends', lens: lens.extends.reference });
  for (const { reference } of lens.compose) if (reference) links.push({ kind: 'compose', lens: reference });
  for (const { library } of lens.skillSources) if (library) links.push({ kind: 'search', library });
  for (const { file: path, names } of lens.includes)
    links.push({ kind: 'include', library: { kind: 'path', path }, names });
  return { file, kind: 'lens', source, lens, library: undefined, skills, mentions: reader.mentions, links };
}

function libraryFacts(text: string, file: string): FileFacts {
  const { value: library, source } = readLibrary(text, file);
  const reader = new MentionReader(source);
  reader.library(library);
  const { skills } = library;
  const links = skillLinks(skills);
  return {
    file,
    kind: 'library',
    source,
    lens: undefined,
    library,
    skills,
    mentions: reader.mentions,
    links,
  };
}

function fixtureFacts(text: string, file: string): FileFacts {
  const { value: fixtures, source } = readFixtures(text, file);
  const reader = new MentionReader(source);
  reader.fixtures(fixtures);
  const { mentions } = reader;
  return {
    ...{ file, kind: 'fixtures', source, lens: undefined, library: undefined },
    ...{ skills: [], mentions, links: [] },
  };
}

function skillLinks(skills: readonly Skill[]): FileLink[] {
  return skills.flatMap((skill) => {
    const libraries = [
      skill.source?.library ?? skill.source?.reference?.library,
      ...(skill.dependsOn ?? []).map(({ reference }) => reference?.library),
    ];
    return libraries.flatMap((library) =>
      library === undefined ? [] : [{ kind: 'reference' as const, library }],
    );
  });
}
