import { expect, test } from 'vitest';
import { fileAttacks } from './files.ts';
import { kernelAttacks } from './kernel.ts';
import { limitAttacks } from './limits.ts';
import { processAttacks } from './processes.ts';

const inTables = [...fileAttacks, ...processAttacks, ...kernelAttacks, ...limitAttacks].map(({ row }) => row);

/** Rows that have a test of their own, because a script and its control cannot show them. */
const elsewhereHere: Readonly<Record<number, string>> = {
  15: 'attacks/start.test.ts',
  24: 'attacks/start.test.ts',
  25: 'attacks/start.test.ts',
  52: 'attacks/start.test.ts',
  66: 'attacks/start.test.ts',
  67: 'attacks/start.test.ts',
  70: 'attacks/start.test.ts',
  71: 'attacks/start.test.ts',
  80: 'trust/grant-store.test.ts',
  81: 'trust/grant-store.test.ts',
  84: 'sandbox.test.ts',
  89: 'sandbox.test.ts, the part about arguments; the validator’s command belongs to judge',
  90: 'sandbox.test.ts',
  91: 'shared/glob.test.ts, the part about globs; success_pattern belongs to judge',
  93: 'sandbox.test.ts, the part about limits; the refine loop belongs to run',
  96: 'trust/grant-store.test.ts',
};

/** Rows of other layers, which the sandbox cannot test. */
const otherLayers: Readonly<Record<number, string>> = {
  72: 'reader of lenses',
  73: 'reader of lenses',
  74: 'reader of lenses',
  75: 'reader of lenses',
  76: 'reader of lenses',
  77: 'reader of lenses',
  78: 'reader of lenses and skills',
  79: 'reader of lenses and skills; staging reads regular files only, in attacks/start.test.ts',
  82: 'reader of lenses; staged paths are checked in sandbox.test.ts',
  83: 'reader of lenses',
  85: 'reader of skill folders: what is staged here are bytes already read',
  86: 'import of archives',
  87: 'founts',
  88: 'founts',
  92: 'graph',
  94: 'prompts',
  95: 'visible-text.test.ts of the permission card, and lint.test.ts of the reader of skills',
  97: 'by-hand.spec.ts, navigation and the content security policy of the hosts',
  98: 'fingerprint',
  99: 'fingerprint',
  100: 'fingerprint',
  102: 'cache',
  103: 'cache',
  104: 'cache',
  105: 'cache',
  106: 'cache',
  107: 'cache',
};

test('every row of the attack suite up to 107 is tested here or has a named owner', () => {
  const rows = [
    ...new Set([
      ...inTables,
      ...Object.keys(elsewhereHere).map(Number),
      ...Object.keys(otherLayers).map(Number),
    ]),
  ];
  expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: 107 }, (_, i) => i + 1));
});
