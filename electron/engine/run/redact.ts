const mark = '[redacted]';

/** Tokens that services give out, by their shape. */
const tokens = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|dop_v1_|shpat_|SG\.)[A-Za-z0-9_.-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
];
/** What follows one of these words is a secret, whatever it looks like. */
const named =
  /((?:authorization|x-api-key)["']?\s*[:=]\s*["']?(?:bearer |basic |token )?|\bbearer |(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key)["']?\s*[:=]\s*["']?)([^\s"'<>&;,]{6,})/gi;
const addressed = /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"']*:)[^\s/@"']+(@)/gi;
const secretName = /(?:KEY|TOKEN|SECRET|PASSW(?:OR)?D|CREDENTIALS?|_AUTH|_PAT)$/i;
/** A shorter value is likely to be an ordinary word that stands everywhere. */
const shortestValue = 8;

/** Takes secrets out of a text that leaves the machine: what is shaped like a key, and what the environment calls one. */
export function redact(text: string, environment: Readonly<Record<string, string | undefined>> = {}): string {
  let safe = text;
  const values = Object.entries(environment)
    .flatMap(([name, value = '']) => (secretName.test(name) && value.length >= shortestValue ? [value] : []))
    .sort((a, b) => b.length - a.length);
  for (const value of values) safe = safe.replaceAll(value, mark);
  for (const token of tokens) safe = safe.replace(token, mark);
  return safe.replace(named, `$1${mark}`).replace(addressed, `$1${mark}$2`);
}
