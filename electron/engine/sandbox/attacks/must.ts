/** Says what is wrong; used where an attack is judged both by tests and by the mutation check. */
export function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

/** Waits for something that another process has yet to do. */
export async function within(ms: number, isTrue: () => boolean, otherwise: string): Promise<void> {
  for (const end = performance.now() + ms; !isTrue() && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 5));
  must(isTrue(), otherwise);
}
