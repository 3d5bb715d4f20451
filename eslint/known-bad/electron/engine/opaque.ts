export const load = async (name: string): Promise<unknown> => await import(`#engine/${name}`);
