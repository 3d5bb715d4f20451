import { escapeXml } from '../agent-skills/catalog.ts';

/** No text of a lens, a skill, a value or a file may begin like this: it could end its own part, or open another one. */
const ours = /<(?=\s*\/?\s*sunwell-)/gi;

/** A text fenced by tags of ours that nothing inside can close. */
export function element(
  name: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : ` ${key}="${escapeXml(oneLine(value))}"`))
    .join('');
  return `<sunwell-${name}${written}>\n${fenced(text)}\n</sunwell-${name}>`;
}

/** Several elements inside one; what is inside is fenced already. */
export function elements(name: string, inside: readonly string[]): string {
  return `<sunwell-${name}>\n${inside.join('\n')}\n</sunwell-${name}>`;
}

/** A text without anything that looks like one of our tags; all else stays as it is. */
export function fenced(text: string): string {
  return text.replace(ours, '&lt;').trim();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
