/** Things that turn out to be one and the same, joined pair by pair. */
export class Groups<T> {
  readonly #parents = new Map<T, T>();

  join(a: T, b: T): void {
    const [first, second] = [this.#root(a), this.#root(b)];
    if (first !== second) this.#parents.set(second, first);
  }

  joinAll(members: readonly T[]): void {
    for (const member of members.slice(1)) this.join(members[0]!, member);
  }

  /** Everything of the list that is the same as the one given, in the order of the list. */
  of(one: T, all: readonly T[]): T[] {
    const root = this.#root(one);
    return all.filter((other) => this.#root(other) === root);
  }

  /** The list parted into groups, in the order of their first members. */
  partition(all: readonly T[]): T[][] {
    const byRoot = new Map<T, T[]>();
    for (const one of all) {
      const root = this.#root(one);
      const group = byRoot.get(root);
      if (group) group.push(one);
      else byRoot.set(root, [one]);
    }
    return [...byRoot.values()];
  }

  #root(one: T): T {
    let root = one;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root))
      root = parent;
    for (let at = one; at !== root;) {
      const next = this.#parents.get(at)!;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }
}
