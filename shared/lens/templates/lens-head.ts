/** The first lines of a lens with this name. */
export function head(name: string, description: string, tags: string): string {
  return `lens:
  metadata:
    name: ${JSON.stringify(name)}
    version: 0.1.0
    description: ${description}
    tags: [${tags}]
`;
}
