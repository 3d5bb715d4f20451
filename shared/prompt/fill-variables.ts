/** Puts values in once: a value that looks like a placeholder stays text, and an unknown placeholder stays as it is. */
export function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, key: string) => variables.get(key) ?? whole);
}
