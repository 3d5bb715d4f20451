/** What the permissions of a skill leave of what every script may do; a list that is missing narrows nothing. */
export interface Permitted {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Hosts it asks for. */
  readonly network: readonly string[];
}

/** Reads permissions as lenses and presets write them. They come from strangers: what is malformed permits nothing. */
export function permittedBy(permissions: unknown): Permitted {
  const filesystem = partOf(permissions, 'filesystem');
  const read = listOf(partOf(filesystem, 'read'));
  const write = listOf(partOf(filesystem, 'write'));
  return {
    ...(read && { read }),
    ...(write && { write }),
    network: listOf(partOf(partOf(permissions, 'network'), 'allow')) ?? [],
  };
}

function partOf(value: unknown, key: string): unknown {
  const isMap = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isMap ? (value as Record<string, unknown>)[key] : undefined;
}

function listOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
