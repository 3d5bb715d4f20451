import { join } from 'node:path';

/**
 * The package for a browser: for Node it names modules that cannot be joined with ours, and that ask the environment at every token.
 * It is the same code otherwise, and what the page has in any case.
 */
export const yamlModule = join(import.meta.dirname, '../../node_modules/yaml/browser/dist/index.js');

/**
 * Turns the lexer and the parser of the package from generators within generators into plain methods: what they yield they put into
 * a list, which is handed over after every step. Nothing else can be seen of it but that a lens is read sooner.
 * @returns {{ name: string, config: () => { resolve: { alias: { yaml: string } } }, transform: (this: { error: (message: string) => never }, code: string, id: string) => { code: string, map: null } | undefined }}
 */
export function leanYaml() {
  return {
    name: 'lean-yaml',
    config: () => ({ resolve: { alias: { yaml: yamlModule } } }),
    transform(code, id) {
      const change = Object.entries(changes).find(([file]) => id.endsWith(file))?.[1];
      if (!change) return undefined;
      const problem = (/** @type {string} */ what) => this.error(`${id} has ${what}: look at lean-yaml.mjs`);
      const lean = change(code, (text, part, by) => {
        if (text.split(part).length !== 2) problem(`not one "${part}" any more`);
        return text.replace(part, () => by);
      });
      if (/^ *(?![ */]).*\byield\b/m.test(lean.replaceAll(handOver, '').replaceAll(keptGenerators, '')))
        problem('a "yield" that is not known');
      return { code: lean, map: null };
    },
  };
}

/** @typedef {(text: string, part: string, by: string) => string} ReplaceOne */

/** What is left of yielding: a step's whole list. */
const handOver = /yield\* this\.taken\(\);/g;
/** Of the parser; they hand on what `next` and `end` return. */
const keptGenerators = /yield\* this\.(next\(lexeme|end\()\);/g;

const taken = `    made = [];
    taken() {
        if (this.made.length === 0)
            return nothing;
        const { made } = this;
        this.made = [];
        return made;
    }
`;

/** @type {Record<string, (code: string, replaceOne: ReplaceOne) => string>} */
const changes = {
  '/yaml/browser/dist/parse/lexer.js': (code, replaceOne) => {
    const generator = replaceOne(plainMethods(code), '    lex(source', '    *lex(source');
    const step = 'next = this.parseNext(next);';
    const whole = replaceOne(
      generator,
      step,
      `{\n            ${step}\n            yield* this.taken();\n        }`,
    );
    return withList(whole, 'class Lexer {', replaceOne);
  },
  '/yaml/browser/dist/parse/parser.js': (code, replaceOne) => {
    const start = '    *next(source) {';
    const [head = '', body = ''] = code.split(start);
    const plain = plainMethods(start + body);
    const next = replaceOne(
      plain,
      '    next(source) {',
      '    next(source) {\n        this.read(source);\n        return this.taken();\n    }\n    read(source) {',
    );
    const end = replaceOne(
      next,
      '    end() {',
      '    end() {\n        this.readEnd();\n        return this.taken();\n    }\n    readEnd() {',
    );
    return withList(head + end, 'class Parser {', replaceOne);
  },
};

/** @param {string} code */
function plainMethods(code) {
  return code
    .replaceAll(/^ {4}\*(?=\w+\()/gm, '    ')
    .replaceAll('yield* this.', 'this.')
    .replaceAll(/\byield ([^;]+);/g, 'this.made.push($1);');
}

/**
 * @param {string} code
 * @param {string} start
 * @param {ReplaceOne} replaceOne
 */
function withList(code, start, replaceOne) {
  return `const nothing = [];\n${replaceOne(code, start, `${start}\n${taken}`)}`;
}
