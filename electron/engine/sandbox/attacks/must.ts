/** Says what is wrong; used where an attack is judged both by tests and by the mutation check. */
export function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
