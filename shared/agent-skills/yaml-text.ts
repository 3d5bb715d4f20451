/** Words that YAML 1.1, which most clients read, takes for something other than text. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|inf|nan)$/i;
const plain = /^[A-Za-z](?:[A-Za-z0-9_/+.,;()' -]*[A-Za-z0-9_/+.,;()'-])?$/;
const needsEscape = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u;

/** A text as a YAML scalar on one line that every YAML reader, of whatever version, reads as exactly this text. */
export function yamlText(text: string): string {
  if (plain.test(text) && !reserved.test(text)) return text;
  if (needsEscape.test(text)) return escaped(text);
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** JSON's quoting is YAML's too, once what JSON leaves raw and YAML forbids is escaped. */
function escaped(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
