/** Whether a value is what JSON and YAML write as a map: an object, and no list. */
export function isPlainMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
