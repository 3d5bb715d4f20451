import { expect, test } from 'vitest';
import { lineIn } from './script-place.ts';

test('lineIn() finds the line of the script itself, not of the modules it calls', () => {
  const python =
    'Traceback (most recent call last):\n  File "/sunwell/script.py", line 3, in <module>\n' +
    '  File "/sunwell/script.py", line 9, in main\n  File "/usr/lib/python3.11/json/x.py", line 355, in y\n';
  const node = 'file:///sunwell/script.mjs:12\nthrow new Error("x")\n  at file:///sunwell/script.mjs:40:7\n';
  const bash = '/sunwell/script.sh: line 4: nope: command not found';
  expect([python, node, bash, 'no luck'].map(lineIn)).toEqual([9, 12, 4, undefined]);
});
