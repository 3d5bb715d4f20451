import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { Lexer, Parser } from 'yaml';
import { expect, test } from 'vitest';
import { leanYaml } from './lib/lean-yaml.mjs';

/** The package as it is, which nobody turned into anything. */
const plain = createRequire(import.meta.url)('yaml') as { Lexer: typeof Lexer; Parser: typeof Parser };

type Yaml = typeof plain;

/** Everything that comes out of lexer and parser, in its order, with where each piece came. */
function read({ Lexer, Parser }: Yaml, text: string): unknown[] {
  const parser = new Parser();
  const out: unknown[] = [];
  for (const lexeme of new Lexer().lex(text)) out.push(lexeme, ...parser.next(lexeme), parser.stack.length);
  return [...out, ...parser.end()];
}

/** A lexer that gets its text piece by piece, as from a stream. */
function lexPieces({ Lexer }: Yaml, pieces: readonly string[]): string[] {
  const lexer = new Lexer();
  return [...pieces.flatMap((piece) => [...lexer.lex(piece, true)]), ...lexer.lex('')];
}

const pieces = fc.constantFrom(
  ...[
    'a',
    'b c',
    '"q',
    "'s",
    '-',
    '- ',
    '? ',
    ': ',
    ':',
    ', ',
    '[',
    ']',
    '{',
    '}',
    '#c',
    ' #c',
    '&a ',
    '*a',
    '!t ',
  ],
  ...[
    '|\n',
    '>-\n',
    '|2+\n',
    '\n',
    '\r\n',
    '\r',
    '  ',
    '    ',
    '\t',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    '\uFEFF',
    '\0',
    'é',
  ],
);

test('the parser of YAML as it is built reads whatever text as the package does', () => {
  expect(Array.isArray(new Parser().next('a'))).toBe(true);
  expect(Array.isArray(new plain.Parser().next('a'))).toBe(false);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      expect(read({ Lexer, Parser }, text)).toEqual(read(plain, text));
      expect(lexPieces({ Lexer, Parser }, parts)).toEqual(lexPieces(plain, parts));
      expect([...new Parser().parse(text)]).toEqual([...new plain.Parser().parse(text)]);
    }),
    { numRuns: 3000 },
  );
});

test('the parser of YAML as it is built reads every lens and library that ships as the package does', () => {
  const folder = join(import.meta.dirname, '../resources');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(lens|yaml)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(read({ Lexer, Parser }, text)).toEqual(read(plain, text));
  }
});

test('leanYaml() refuses a version of the package that it does not know', () => {
  const id = join(import.meta.dirname, '../node_modules/yaml/browser/dist/parse/lexer.js');
  const code = readFileSync(id, 'utf8');
  const turn = (changed: string) => () =>
    leanYaml().transform.call(
      {
        error: (message) => {
          throw new Error(message);
        },
      },
      changed,
      id,
    );
  expect(turn(code)).not.toThrow();
  expect(turn(code.replace('next = yield* this.parseNext(next);', ''))).toThrow('look at lean-yaml.mjs');
  expect(turn(`${code}\nfunction* more() {\n  yield* others();\n}\n`)).toThrow('a "yield" that is not known');
});
