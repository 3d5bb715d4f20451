import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKeyPressed, keyLabel, keyOfPress, keyProblem, normalKey } from './keys.ts';
import type { KeyPress } from './keys.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
  return { key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held };
}

test('keyOfPress() writes a key as the tables do, and nothing while only modifiers are down', () => {
  const held = { ctrlKey: true, shiftKey: true };
  expect([
    keyOfPress(press('k', held), false),
    keyOfPress(press('k', { metaKey: true, ctrlKey: true }), true),
    keyOfPress(press('+', { ctrlKey: true }), false),
    // With Alt a Mac types another character: the key's place says which it is.
    keyOfPress({ ...press('n', { altKey: true }), key: '˜' }, true),
    keyOfPress(press('Control', { ctrlKey: true }), false),
    keyOfPress(press('k', { metaKey: true }), false),
  ]).toEqual(['Mod+Shift+K', 'Mod+Ctrl+K', 'Mod+Plus', 'Alt+N', undefined, undefined]);
});

test('keyOfPress() names a key that isKeyPressed() finds again', () => {
  const keys = fc.constantFrom(...'abkz059', 'F1', 'F12', 'ArrowUp', 'PageDown', 'Enter', '+', ',', ' ');
  const held = fc.record({ ctrlKey: fc.boolean(), shiftKey: fc.boolean(), altKey: fc.boolean() });
  fc.assert(
    fc.property(keys, held, fc.boolean(), (name, modifiers, isMac) => {
      const given = press(name, modifiers);
      const key = keyOfPress(given, isMac)!;
      expect(isKeyPressed(given, key, isMac)).toBe(true);
      expect(normalKey(key, isMac)).toBe(key);
    }),
  );
});

test('normalKey() makes two writings of one key equal', () => {
  expect([
    normalKey('Ctrl+Shift+Tab', false),
    normalKey('Shift+Mod+Tab', false),
    normalKey('Ctrl+Tab', true),
    normalKey('Alt+Mod+b', true),
  ]).toEqual(['Mod+Shift+Tab', 'Mod+Shift+Tab', 'Ctrl+Tab', 'Mod+Alt+B']);
});

test('keyLabel() says what is printed on the keyboard', () => {
  expect([
    keyLabel('Mod+Shift+P', false),
    keyLabel('Mod+Shift+P', true),
    keyLabel('Alt+ArrowUp', false),
  ]).toEqual([
    ['Ctrl', 'Shift', 'P'],
    ['⌘', '⇧', 'P'],
    ['Alt', '↑'],
  ]);
});

test('keyProblem() refuses keys for typing and keys that never arrive', () => {
  const problemOf = (key: string, host: 'desktop' | 'browser'): string | undefined =>
    keyProblem(key, { host, isMac: false });
  expect([
    problemOf('Shift+K', 'desktop'),
    problemOf('Mod+C', 'desktop'),
    problemOf('Ctrl+W', 'browser'),
    problemOf('Mod+W', 'desktop'),
    problemOf('Mod+R', 'desktop'),
    problemOf('F2', 'browser'),
    problemOf('Alt+Shift+K', 'browser'),
  ]).toEqual([
    '"Shift K" alone is for typing: hold Ctrl or Alt with it',
    '"Ctrl+C" is for text and search: choose another key',
    'The browser keeps "Ctrl+W": choose another key',
    undefined,
    'The window\'s menu keeps "Ctrl+R": choose another key',
    undefined,
    undefined,
  ]);
});
