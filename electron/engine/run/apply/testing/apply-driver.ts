import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { digestOf } from '../../../store/digest.ts';
import { applyChanges, reviewChanges } from '../../apply-changes.ts';
import type { ProposedChange } from '../../step-result.ts';

/** Applies changes in a process of its own, and kills it before one of its calls into the file system. */
const { root, history, run, changes, killAt } = JSON.parse(process.argv[2]!) as {
  root: string;
  history: string;
  run: string;
  /** No text is a deletion. */
  changes: { path: string; text?: string; isExecutable?: boolean }[];
  /** The number of the call, among all or among those of one name. */
  killAt?: { name?: string; nth: number };
};

type Call = (this: unknown, ...values: unknown[]) => Promise<unknown>;
const calls: string[] = [];

async function count(name: string, target: unknown, given: readonly unknown[]): Promise<void> {
  calls.push(name);
  const nth = killAt?.name === undefined ? calls.length : calls.filter((other) => other === name).length;
  const isMeant = killAt && (killAt.name ?? name) === name && nth === killAt.nth;
  if (!isMeant) return;
  // Half of what was to be written is there, as of a process that is killed within the call.
  if (name === 'writeFile') {
    const content = Buffer.from(given[0] as Uint8Array);
    await (target as fs.promises.FileHandle).write(content.subarray(0, content.length >> 1));
  }
  process.kill(process.pid, 'SIGKILL');
}

function watchOver(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const real = Reflect.get(owner, name) as Call;
    const counted: Call = async function (...given) {
      await count(name, this, given);
      return real.apply(this, given);
    };
    Reflect.set(owner, name, counted);
  }
}

const handle = await fs.promises.open('/dev/null');
watchOver(Object.getPrototypeOf(handle) as object, ['writeFile', 'sync', 'chmod']);
await handle.close();
watchOver(fs.promises, ['open', 'rename', 'unlink', 'mkdir', 'rmdir']);
syncBuiltinESMExports();

const proposed = changes.map(({ path, text, isExecutable = false }): ProposedChange => {
  if (text === undefined) return { operation: 'delete', path };
  const content = Buffer.from(text);
  return { operation: 'write', path, content, sha256: digestOf(content), mode: isExecutable ? 0o755 : 0o644 };
});
const reviewed = await reviewChanges(root, proposed);
const files = new Map(reviewed.flatMap(({ path, before }) => (before ? [[path, digestOf(before)]] : [])));
calls.length = 0;
process.stdout.write('begin\n');
await applyChanges({ root, startedAt: new Date(), files }, reviewed, { history, run });
process.stdout.write(`${JSON.stringify(calls)}\n`);
