/** A small seeded generator of numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const keys = [
  'lens', 'metadata', 'name', 'version', 'skills', 'heuristics', 'principles', 'validators', 'deterministic', 'heuristic',
  'personas', 'depends_on', 'requires', 'produces', 'scripts', 'extends', 'compose', 'inputs', 'router', 'shortcuts',
  'tiers', 'behavior', 'workflows', 'steps', 'parallel', 'include', 'source', 'path', 'type', 'trust', 'timeout', 'presets',
  'quality_policy', 'skill_retry', 'backoff_ms', 'framework', 'classification', 'communication', 'anti_heuristics',
  'allowed-tools', 'allowed_tools', 'enabled', 'files', 'cache', 'models', 'founts', 'fixtures', 'expected', 'input',
  '__proto__', 'constructor', '<<', '1', 'null', '? x', '"quoted"', "'s'", '[a]', '{b: c}', '*a', '&a k', '!t k', '',
]; // prettier-ignore
const values = [
  'text', '"quoted"', "'single'", '42', '0.5', 'true', 'null', '~', '', '|', '>-', '|2+', '[a, b]', '{a: 1, b: [2]}', '[',
  '{', ']', '}', '*a', '&a', '&a x', '!!binary abc', '!!set {a}', '!x y', '- a', '# c', '1.0', '2001-01-01', '0x1F', '.nan',
  '.inf', '\ud800', '\u0000', '\ufeff', '\t', '%YAML 1.1', '---', '...', '@x', '`x', 'a: b', '"\\ud800"', '"unclosed',
  "'unclosed", '[[[[[[[[', '{{{{', '? ', ': ', ',', '<<', '__proto__', 'constructor', 'sunwell/common:read-file', './a:b',
  'fount://@team/pkg@^1:x', 'fount://', '\r', '\u2028', '🙂',
]; // prettier-ignore

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** YAML-like text made by a small grammar of everything that is awkward in it. */
export function grammarText(random: () => number): string {
  const lineBreak = random() < 0.1 ? '\r\n' : '\n';
  const lines: string[] = [];
  let indent = 0;
  const count = 1 + Math.floor(random() * 12);
  for (let i = 0; i < count; i++) {
    if (random() < 0.3) indent += 2;
    else if (random() < 0.3) indent = Math.max(0, indent - 2 * Math.ceil(random() * 3));
    const dash = random() < 0.35 ? '- ' : '';
    const entry = random() < 0.8 ? `${pick(random, keys)}: ${pick(random, values)}` : pick(random, values);
    const comment = random() < 0.1 ? ' # note' : '';
    lines.push(' '.repeat(indent) + dash + (random() < 0.05 ? '\t' : '') + entry + comment);
  }
  return lines.join(lineBreak) + (random() < 0.8 ? lineBreak : '');
}

/** Text of random code units, half of them from what YAML gives a meaning. */
export function noiseText(random: () => number): string {
  const special = '-?:,[]{}#&*!|>\'"%@`~<= \t\r\n\\/_.0aA\u0000\u0085\u2028\ufeff';
  let text = '';
  const length = Math.floor(random() * 60);
  for (let i = 0; i < length; i++) {
    text +=
      random() < 0.7
        ? special[Math.floor(random() * special.length)]
        : String.fromCharCode(Math.floor(random() * 65536));
  }
  return text;
}

/** A piece of a real text with a few random injuries. */
export function injuredText(random: () => number, texts: readonly string[]): string {
  const whole = pick(random, texts);
  const size = random() < 0.02 ? whole.length : 40 + Math.floor(random() * 400);
  const from = random() < 0.5 ? 0 : whole.indexOf('\n', Math.floor(random() * whole.length)) + 1;
  let text = whole.slice(from, from + size);
  const injuries = 1 + Math.floor(random() * 4);
  for (let i = 0; i < injuries; i++) {
    const at = Math.floor(random() * (text.length + 1));
    const kind = random();
    if (kind < 0.35) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 4));
    else if (kind < 0.7) text = text.slice(0, at) + pick(random, values) + text.slice(at);
    else if (kind < 0.85)
      text = text.slice(0, at) + text.slice(Math.floor(random() * at), at) + text.slice(at);
    else text = text.slice(0, at) + ' '.repeat(Math.floor(random() * 4)) + text.slice(at).replace(/^ +/, '');
  }
  return text;
}
