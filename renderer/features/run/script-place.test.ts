import { expect, test } from 'vitest';
import { lineIn } from './script-place.ts';

test('lineIn() finds the line of the script itself, not of the modules it calls', () => {
  const python =
    'Traceback (most recent call last):\n  File "/skill/scripts/a+b.py", line 3, in <module>\n' +
    '  File "/skill/scripts/a+b.py", line 9, in main\n  File "/usr/lib/python3.11/json/x.py", line 355, in y\n';
  const node =
    'file:///skill/scripts/check.mjs:12\nthrow new Error("x")\n  at file:///skill/scripts/check.mjs:40:7\n';
  expect([
    lineIn(python, 'a+b.py'),
    lineIn(node, 'check.mjs'),
    lineIn('/skill/scripts/run.sh: line 4: nope: command not found', 'run.sh'),
    lineIn('no luck', 'run.sh'),
  ]).toEqual([9, 12, 4, undefined]);
});
