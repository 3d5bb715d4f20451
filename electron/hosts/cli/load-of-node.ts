import { join } from 'node:path';

/** Modules of Node that many of ours name and few commands use. */
const late: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:fs/promises',
  'node:net',
  'node:readline',
  'node:timers/promises',
  'node:worker_threads',
]);

/** A module of Node; one that a command may never use comes with the first use, because it takes longer than planning a skill. */
export function loadOfNode(id: string, folder: string): unknown {
  if (late.has(id)) return lateModule(() => process.getBuiltinModule(id) as object);
  // What is none of Node's is a mistake of the build, and is told as Node tells it.
  return (
    process.getBuiltinModule(id) ??
    process.getBuiltinModule('node:module').createRequire(join(folder, 'x'))(id)
  );
}

function lateModule(load: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(load(), name) as unknown,
      has: (_, name) => Reflect.has(load(), name),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), name);
        // Nobody may be told of a fixed property that the empty object in front does not have.
        return found && { ...found, configurable: true };
      },
    },
  );
}
