import fc from 'fast-check';
import { Document, isMap, isSeq, parse, Parser, visit } from 'yaml';
import type { CST } from 'yaml';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { grammarText, injuredText, seeded } from '../testing/random-yaml.ts';
import { openYaml } from '../yaml/open.ts';
import { keyText, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { insertEntry, insertItem } from './insert.ts';
import { findPlace } from './place.ts';
import type { EditResult } from './place.ts';
import { moveEntry, renameKey } from './rearrange.ts';
import { removeAt } from './remove.ts';
import { setValue } from './set.ts';
import { applyEdits, lineEnd, lineStart } from './text-lines.ts';
import type { Plain } from './tree.ts';

const count = Number(process.env['COUNT'] ?? 150);
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED']);
const settings = { numRuns: count, ...(seed === undefined ? {} : { seed }) };

const scalars: fc.Arbitrary<Plain> = fc.oneof(
  fc.constantFrom<Plain>(
    '',
    'plain text',
    'true',
    '007',
    '- x',
    'a: b',
    '# no comment',
    ' lead',
    'trail ',
    "it's",
    '"q"',
  ),
  fc.constantFrom<Plain>(
    'two\nlines\n',
    'no\nlast break',
    '  indented\nfirst',
    'ends\n\n\n',
    '\nstarts',
    'tab\tin',
    '{x}',
    '[y',
  ),
  fc.constantFrom<Plain>(
    'null',
    '~',
    '@at',
    '%pct',
    '&a',
    '*a',
    '!t',
    'é🙂',
    '${Product Name}',
    'a, b',
    'x #y',
    'C:\\dir',
    '---',
  ),
  fc.string({ maxLength: 12 }),
  fc.integer({ min: -1000, max: 1000 }),
  fc.constantFrom<Plain>(true, false, null, 0.5),
);
const keys = fc.constantFrom('alpha', 'beta gamma', 'x-y', 'Zeta', '::k', '42', 'true', 'ключ');
const plains: fc.Arbitrary<Plain> = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** Texts in many styles: data written by the library with comments at random places. */
const writtenTexts = fc
  .record({
    data: fc.dictionary(keys, plains, { minKeys: 1, maxKeys: 4 }),
    indent: fc.constantFrom(2, 3, 4),
    indentSeq: fc.boolean(),
    flowAt: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    commentAt: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    quotes: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE') as fc.Arbitrary<'PLAIN'>,
  })
  .map(({ data, indent, indentSeq, flowAt, commentAt, quotes }) => {
    const document = new Document(data, { version: '1.2', aliasDuplicateObjects: false });
    let n = 0;
    visit(document, {
      Collection(_, node) {
        if (node !== document.contents && flowAt[n++ % flowAt.length] === true)
          (node as { flow?: boolean }).flow = true;
      },
      Scalar(position, node) {
        const k = n++;
        if (commentAt[k % commentAt.length] === true) {
          if (position === 'key') node.commentBefore = ` before ${k}`;
          else node.comment = ` behind ${k}`;
        }
      },
    });
    return document.toString({
      indent,
      indentSeq,
      lineWidth: 0,
      defaultStringType: quotes,
      defaultKeyType: 'PLAIN',
    });
  })
  .filter((text) => !openYaml(text, 'x').source.isBroken);

const texts = fc
  .record({
    text: fc.oneof(fc.constantFrom(...corpusFiles().map((file) => file.text)), {
      weight: 2,
      arbitrary: writtenTexts,
    }),
    crlf: fc.boolean(),
    endless: fc.boolean(),
    bom: fc.boolean(),
  })
  .map(({ text, crlf, endless, bom }) => {
    let result = endless ? text.replace(/\n+$/, '') : text;
    if (crlf) result = result.replace(/\n/g, '\r\n');
    return bom ? `\ufeff${result}` : result;
  });

/** The paths of all entries, and of all lists and maps. */
function pathsOf(source: YamlSource): { entries: Path[]; lists: Path[]; maps: Path[] } {
  const found = { entries: [] as Path[], lists: [] as Path[], maps: [] as Path[] };
  const walk = (node: unknown, path: Path) => {
    if (isMap(node)) {
      found.maps.push(path);
      for (const pair of pairsOf(node)) {
        const key = keyText(pair.key);
        if (key === undefined) continue;
        found.entries.push([...path, key]);
        walk(pair.value, [...path, key]);
      }
    } else if (isSeq(node)) {
      found.lists.push(path);
      node.items.forEach((item, index) => {
        found.entries.push([...path, index]);
        walk(item, [...path, index]);
      });
    }
  };
  walk(source.root, []);
  return found;
}

function commentsOf(text: string): string[] {
  const comments: string[] = [];
  const walk = (token: unknown): void => {
    if (Array.isArray(token)) token.forEach(walk);
    else if (typeof token === 'object' && token !== null) {
      const { type, source } = token as CST.SourceToken;
      if (type === 'comment') comments.push(source.trimEnd());
      else Object.values(token).forEach(walk);
    }
  };
  for (const token of new Parser().parse(text)) walk(token);
  return comments.sort();
}

/** Data as JavaScript sees it, changed by hand: an oracle that knows nothing of the code under test. */
function changed(
  text: string,
  path: Path,
  change: (parent: unknown, step: string | number) => void,
): unknown {
  const root = parse(text, { version: '1.2', schema: 'core' }) as unknown;
  let parent = root;
  for (const step of path.slice(0, -1)) parent = (parent as Record<string, unknown>)[step];
  change(parent, path.at(-1)!);
  return root;
}

function check(text: string, result: EditResult, expected: unknown): string {
  if (!result.ok) {
    // The blank lines at the end of such a text are part of it, and cannot always go where it goes.
    if (result.reason === 'not-editable' && /[|>]\d?\+/.test(text)) fc.pre(false);
    throw new Error(`Refused: ${result.reason} ${result.message}`);
  }
  const after = applyEdits(text, result.edits);
  expect(after).toBe(result.source.text);
  expect(parse(after, { version: '1.2', schema: 'core' })).toEqual(expected);
  if (text.includes('\r\n')) expect(after.replace(/\r\n/g, '')).not.toContain('\n');
  return after;
}

function pick<T>(list: readonly T[], n: number): T | undefined {
  return list[n % list.length];
}

/** Everything before the first and after the last line of an entry. */
function outside(source: YamlSource, path: Path): { before: string; behind: string } {
  const place = findPlace(source, path.slice(0, -1));
  if (!place.ok) throw new Error(place.message);
  const step = path.at(-1)!;
  const index =
    typeof step === 'number'
      ? step
      : pairsOf(place.node as never).findIndex((pair) => keyText(pair.key) === step);
  const slot = place.slots[index]!;
  const { text } = source;
  return {
    before: text.slice(0, Math.max(0, lineStart(text, slot.start) - 2)),
    behind: text.slice(lineEnd(text, slot.end)).trimStart(),
  };
}

describe('edits of any text', { timeout: 120_000 }, () => {
  test('setValue() changes the one value and keeps every other line', () => {
    fc.assert(
      fc.property(texts, fc.nat(), plains, (text, n, value) => {
        const { source } = openYaml(text, 'a.lens');
        const path = pick(pathsOf(source).entries, n);
        if (path === undefined) return;
        const expected = changed(text, path, (parent, step) => {
          (parent as Record<string, unknown>)[step] = value;
        });
        const after = check(text, setValue(source, path, value), expected);
        const { before, behind } = outside(source, path);
        expect(after.startsWith(before)).toBe(true);
        expect(after.endsWith(behind)).toBe(true);
      }),
      settings,
    );
  });

  test('insertEntry() only adds text and keeps every comment', () => {
    fc.assert(
      fc.property(
        texts,
        fc.nat(),
        plains,
        fc.option(fc.nat({ max: 4 }), { nil: undefined }),
        (text, n, value, index) => {
          const { source } = openYaml(text, 'a.lens');
          const path = pick(pathsOf(source).maps, n);
          if (path === undefined) return;
          const expected = changed(text, [...path, 'brand new'], (parent, step) => {
            (parent as Record<string, unknown>)[step] = value;
          });
          const after = check(text, insertEntry(source, path, 'brand new', value, index), expected);
          expect(commentsOf(after)).toEqual(commentsOf(text));
        },
      ),
      settings,
    );
  });

  test('insertItem() only adds text and keeps every comment', () => {
    fc.assert(
      fc.property(
        texts,
        fc.nat(),
        plains,
        fc.option(fc.nat({ max: 4 }), { nil: undefined }),
        (text, n, value, index) => {
          const { source } = openYaml(text, 'a.lens');
          const path = pick(pathsOf(source).lists, n);
          if (path === undefined) return;
          const expected = changed(text, [...path, 0], (parent) => {
            const list = parent as unknown[];
            list.splice(Math.min(index ?? list.length, list.length), 0, value);
          });
          const after = check(text, insertItem(source, path, value, index), expected);
          expect(commentsOf(after)).toEqual(commentsOf(text));
        },
      ),
      settings,
    );
  });

  test('removeAt() takes the lines of one entry and nothing else', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, n) => {
        const { source } = openYaml(text, 'a.lens');
        const path = pick(pathsOf(source).entries, n);
        if (path === undefined) return;
        const expected = changed(text, path, (parent, step) => {
          if (Array.isArray(parent)) parent.splice(step as number, 1);
          else delete (parent as Record<string, unknown>)[step];
        });
        const after = check(text, removeAt(source, path), expected);
        const place = findPlace(source, path.slice(0, -1));
        if (!place.ok || place.isFlow || place.slots.length === 1) return;
        const { before, behind } = outside(source, path);
        expect(after.startsWith(before)).toBe(true);
        // Of blank lines on both sides one goes, too.
        const isParted = /(?:^|\n)[^\S\n]*\n$/.test(before);
        const rest = isParted ? behind.replace(/^[^\S\n]*\n/, '') : behind;
        expect(after.endsWith(rest)).toBe(true);
      }),
      settings,
    );
  });

  test('moveEntry() and renameKey() lose no comment', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat({ max: 5 }), (text, n, to) => {
        const { source } = openYaml(text, 'a.lens');
        const path = pick(pathsOf(source).entries, n);
        if (path === undefined) return;
        const expected = changed(text, path, (parent, step) => {
          if (!Array.isArray(parent)) return;
          const [item] = (parent as unknown[]).splice(step as number, 1);
          (parent as unknown[]).splice(Math.min(to, parent.length), 0, item);
        });
        expect(commentsOf(check(text, moveEntry(source, path, to), expected))).toEqual(commentsOf(text));
        if (typeof path.at(-1) === 'number') return;
        const renamed = changed(text, path, (parent, step) => {
          const map = parent as Record<string, unknown>;
          map['other name: #1'] = map[step];
          delete map[step];
        });
        const after = check(text, renameKey(source, path, 'other name: #1'), renamed);
        expect(commentsOf(after)).toEqual(commentsOf(text));
      }),
      settings,
    );
  });

  test('edits of hostile texts are made or refused, but nothing is thrown', () => {
    const random = seeded(seed ?? 7);
    const files = corpusFiles().map((file) => file.text);
    let made = 0;
    for (let i = 0; i < count * 8; i++) {
      const text = random() < 0.6 ? grammarText(random) : injuredText(random, files);
      const { source } = openYaml(text, 'a.lens');
      const { entries } = pathsOf(source);
      const path = entries[Math.floor(random() * entries.length)];
      if (path === undefined) continue;
      const results = [
        setValue(source, path, ['new', { value: 'x\ny' }]),
        removeAt(source, path),
        moveEntry(source, path, 0),
        renameKey(source, path, 'renamed'),
        insertEntry(source, path, 'added', 1),
        insertItem(source, path, 'added'),
      ];
      made += results.filter((result) => result.ok).length;
    }
    expect(made).toBeGreaterThan(count / 2);
  });
});
