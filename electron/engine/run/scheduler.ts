/** Items to work through, each once; what an item needs and is not among them counts as done. */
export interface Schedule {
  readonly items: readonly number[];
  readonly dependenciesOf: (item: number) => Iterable<number>;
  readonly concurrency: number;
  /** Does one item; called when everything it depends on is done, however that ended. */
  readonly work: (item: number) => Promise<void>;
}

/** Works through a graph by readiness: an item starts as soon as what it needs is done and a place is free. */
export async function workByReadiness({ items, dependenciesOf, concurrency, work }: Schedule): Promise<void> {
  const waiting = new Map(items.map((item) => [item, 0]));
  const dependents = new Map<number, number[]>(items.map((item) => [item, []]));
  for (const item of items) {
    for (const needed of dependenciesOf(item)) {
      if (!waiting.has(needed)) continue;
      waiting.set(item, waiting.get(item)! + 1);
      dependents.get(needed)!.push(item);
    }
  }
  const ready = items.filter((item) => waiting.get(item) === 0);
  let next = 0;
  let running = 0;
  let left = waiting.size;
  const finish = (item: number): void => {
    running--;
    left--;
    for (const dependent of dependents.get(item)!) {
      const count = waiting.get(dependent)! - 1;
      waiting.set(dependent, count);
      if (count === 0) ready.push(dependent);
    }
  };
  await new Promise<void>((resolve, reject) => {
    const start = (): void => {
      while (running < concurrency && next < ready.length) {
        const item = ready[next++]!;
        running++;
        work(item).then(() => {
          finish(item);
          start();
        }, reject);
      }
      if (left === 0) resolve();
      else if (running === 0) reject(new Error('Cannot schedule a cycle'));
    };
    start();
  });
}
