import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorAt, CursorFinder } from './cursor.ts';

/** What the cursor, written as "‸", is at; in one line. */
function at(marked: string): string | undefined {
  const offset = marked.indexOf('‸');
  const place = cursorAt(marked.replace('‸', ''), offset);
  if (!place) return undefined;
  const kinds = [place.mayBeKey && 'key', place.mayBeValue && 'value', place.isText && 'text'];
  const extras = [place.needsDash && 'dash', place.isFlow && 'flow', ...place.keys.map((key) => `-${key}`)];
  return [`/${place.path.join('/')}`, ...kinds, JSON.stringify(place.prefix), ...extras]
    .filter((part) => part !== false)
    .join(' ');
}

describe('cursorAt()', () => {
  it.each([
    ['at the top', 'ski‸', '/ key value "ski"'],
    ['a key beside others', 'a: 1\nsk‸\nb: 2\n', '/ key "sk" -a -b'],
    ['a value', 'lens:\n  extends: ba‸', '/lens/extends value "ba"'],
    ['a value between quotes', 'extends: "ba‸se"', '/extends value "ba"'],
    ['below a key', 'skills:\n  ‸', '/skills key value ""'],
    ['behind a dash', 'skills:\n  - ‸', '/skills/0 key value ""'],
    ['in a second item', 'skills:\n  - name: a\n  - na‸', '/skills/1 key value "na"'],
    ['a second key of an item', 'skills:\n  - name: a\n    de‸', '/skills/0 key "de" -name'],
    ['at the column of the dashes', 'skills:\n  - name: a\n  ‸', '/skills key value "" dash'],
    ['a list at the column of its key', 'skills:\n- name: a\n  ‸', '/skills/0 key "" -name'],
    ['the key after such a list', 'skills:\n- name: a\n‸', '/ key "" -skills'],
    ['an item of an item', 'a:\n  - - x\n    - ‸', '/a/0/1 key value ""'],
    ['brackets', 'depends_on: [a, b‸]', '/depends_on/1 value "b" flow'],
    ['brackets over lines', 'x:\n  d: [\n    a,  # one, two\n    b‸', '/x/d/1 value "b" flow'],
    ['a key between braces', 'v: {name: x, se‸}', '/v key "se" flow -name'],
    ['a value between braces', 'v: [{name: x, severity: e‸}]', '/v/0/severity value "e" flow'],
    ['a quoted text between brackets', 'r: [a, "b‸"]', '/r/1 value "b" flow'],
    ['a block of text', 'i: |\n  Read ${dr‸\n', '/i value text "dr"'],
    ['a block of text without a placeholder', 'i: |\n  Read‸\n', '/i text ""'],
    ['after a block of text', 'i: |\n  skills:\n    - a\nj‸', '/ key "j" -i'],
    ['a block of text in a list', 's:\n  - content: |\n      a: b\n    na‸', '/s/0 key "na" -content'],
    ['a text over lines', 'i: "one\n  two ${‸', '/i value text ""'],
    ['a broken line above', 'skills:\n  - name: [\n  - na‸', '/skills/1 key value "na"'],
    ['a placeholder in a value', 'args: --x=${dr‸', '/args value text "dr"'],
  ])('finds %s', (_, marked, expected) => {
    expect(at(marked)).toBe(expected);
  });

  it.each([
    ['a comment', 'a: 1 # sk‸'],
    ['behind a colon', 'a:‸'],
    ['behind a closed quote', 'a: "b" ‸'],
    ['behind an anchor', 'a: &x‸'],
    ['the indent of a line', 'a:\n ‸  b: 1'],
  ])('finds nothing in %s', (_, marked) => {
    expect(at(marked)).toBeUndefined();
  });
});

describe('CursorFinder', () => {
  it('finds the same places whatever was asked before', () => {
    const text = `a: 1\nskills:\n  - name: x\n    requires: [a,\n      b]\n    instructions: |\n      Say \${a}\n  - na\n`;
    const finder = new CursorFinder();
    const offsets = fc.array(fc.tuple(fc.nat(text.length), fc.constantFrom('', 'k: ', '\n', '- ', '"')));
    fc.assert(
      fc.property(offsets, (asked) => {
        let now = text;
        for (const [offset, typed] of asked) {
          now = now.slice(0, offset) + typed + now.slice(offset);
          const at = offset + typed.length;
          expect(finder.at(now, at)).toEqual(cursorAt(now, at));
        }
      }),
    );
  });
});
