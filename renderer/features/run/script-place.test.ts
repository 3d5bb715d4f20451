import { expect, test } from 'vitest';
import { lastWord, lineIn } from './script-place.ts';

test('lineIn() finds the line of the script itself, not of the modules it calls', () => {
  const python =
    'Traceback (most recent call last):\n  File "/sunwell/script.py", line 3, in <module>\n' +
    '  File "/sunwell/script.py", line 9, in main\n  File "/usr/lib/python3.11/json/x.py", line 355, in y\n';
  const node = 'file:///sunwell/script.mjs:12\nthrow new Error("x")\n  at file:///sunwell/script.mjs:40:7\n';
  const bash = '/sunwell/script.sh: line 4: nope: command not found';
  expect([python, node, bash, 'no luck'].map(lineIn)).toEqual([9, 12, 4, undefined]);
});

test('lastWord() is what an interpreter says at the end, where the message does not say it', () => {
  const python =
    'Traceback (most recent call last):\n  File "/sunwell/script.py", line 3\nFileNotFoundError: no a.md\n\n';
  const node =
    'file:///sunwell/script.mjs:1\nthrow new Error("no luck")\n      ^\n\nError: no luck\n' +
    '    at file:///sunwell/script.mjs:1:7\n    at Module._compile (node:internal:1:1) {\n}\n\nNode.js v22.1.0\n';
  const message = 'Script "a.py" of "a" ended with exit code 1';
  const words = [python, node, 'sorry\n', 'ended with exit code 1\n', ' \n', 'x'.repeat(999)].map((stderr) =>
    lastWord({ message, stderr }),
  );
  expect([...words, lastWord({ message })]).toEqual([
    ...['FileNotFoundError: no a.md', 'Error: no luck', 'sorry', undefined, undefined, 'x'.repeat(300)],
    undefined,
  ]);
});
