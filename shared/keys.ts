/** What a keyboard event tells of itself. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Where keys are pressed: what the browser or the window's menu keeps differs, and so do the names on the keys. */
export interface Keyboard {
  readonly host: 'desktop' | 'browser';
  readonly isMac: boolean;
}

const modifiers = ['Mod', 'Ctrl', 'Alt', 'Shift'];
const spelled: Readonly<Record<string, string>> = { '+': 'Plus', ' ': 'Space' };
const notOnTheirOwn = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process']);

/** Whether this press is that key. */
export function isKeyPressed(press: KeyPress, key: string, isMac: boolean): boolean {
  const { names, last } = partsOf(key);
  const wants = (name: string): boolean => names.includes(name);
  const control = wants('Ctrl') || (wants('Mod') && !isMac);
  return (
    press.ctrlKey === control &&
    press.metaKey === (wants('Mod') && isMac) &&
    press.shiftKey === wants('Shift') &&
    press.altKey === wants('Alt') &&
    // Alt and Shift change the character of a key, so letters and digits go by their place too.
    (spell(press.key).toLowerCase() === last.toLowerCase() ||
      press.code === `Key${last}` ||
      press.code === `Digit${last}`)
  );
}

/** The key that a press is, as the tables write it; undefined while only modifiers are down. */
export function keyOfPress(press: KeyPress, isMac: boolean): string | undefined {
  if (notOnTheirOwn.has(press.key) || (press.metaKey && !isMac)) return undefined;
  const place = /^(?:Key|Digit)(.)$/.exec(press.code)?.[1];
  const isPlain = /^[a-z0-9]$/i.test(press.key);
  const last = isPlain ? press.key.toUpperCase() : (place ?? spell(press.key));
  const down = {
    Mod: isMac ? press.metaKey : press.ctrlKey,
    Ctrl: isMac && press.ctrlKey,
    Alt: press.altKey,
    Shift: press.shiftKey,
  };
  return [...modifiers.filter((name) => down[name as keyof typeof down]), last].join('+');
}

/** One way to write a key, so that two that are the same here are equal. */
export function normalKey(key: string, isMac: boolean): string {
  const { names, last } = partsOf(key);
  const meant = new Set(names.map((name) => (name === 'Ctrl' && !isMac ? 'Mod' : name)));
  const upper = last.length === 1 ? last.toUpperCase() : last;
  return [...modifiers.filter((name) => meant.has(name)), upper].join('+');
}

const macLabels: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const labels: Readonly<Record<string, string>> = {
  ...{ Mod: 'Ctrl', Plus: '+', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' },
};

/** A key as printed on the keyboard, one part per key. */
export function keyLabel(key: string, isMac: boolean): string[] {
  const { names, last } = partsOf(key);
  return [...names, last].map((part) => (isMac ? macLabels[part] : undefined) ?? labels[part] ?? part);
}

const textKeys = ['Mod+C', 'Mod+X', 'Mod+V', 'Mod+A', 'Mod+Shift+V', 'Mod+F'];
const browserKeys = [
  ...['Mod+W', 'Mod+T', 'Mod+N', 'Mod+Shift+W', 'Mod+Shift+T', 'Mod+Shift+N', 'Mod+Q', 'Mod+R'],
  ...['Mod+L', 'Mod+Tab', 'Mod+Shift+Tab', 'Mod+PageUp', 'Mod+PageDown', 'F5', 'F11', 'F12'],
];
const menuKeys = ['Mod+R', 'Mod+Shift+R', 'Mod+Q', 'Mod+Shift+W', 'Mod+0', 'Mod+Plus', 'Mod+-', 'F11'];

/** Whether a key is typed into a text where one has the focus. */
export function isTypingKey(key: string): boolean {
  const { names, last } = partsOf(key);
  return !/^F\d{1,2}$/.test(last) && !names.some((name) => name !== 'Shift');
}

/** Why a key cannot run a command here, in a sentence; undefined when it can. */
export function keyProblem(key: string, { host, isMac }: Keyboard): string | undefined {
  const normal = normalKey(key, isMac);
  if (isTypingKey(normal)) {
    return `"${keyLabel(key, isMac).join(' ')}" alone is for typing: hold ${isMac ? '⌘' : 'Ctrl'} or Alt with it`;
  }
  const named = `"${keyLabel(key, isMac).join('+')}"`;
  if (textKeys.includes(normal)) return `${named} is for text and search: choose another key`;
  if (host === 'browser' && browserKeys.includes(normal))
    return `The browser keeps ${named}: choose another key`;
  if (host === 'desktop' && menuKeys.includes(normal))
    return `The window's menu keeps ${named}: choose another key`;
  return undefined;
}

function partsOf(key: string): { names: string[]; last: string } {
  const names = key.split('+');
  const last = names.pop() ?? '';
  return { names, last };
}

function spell(key: string): string {
  return spelled[key] ?? key;
}
