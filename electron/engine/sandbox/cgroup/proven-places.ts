import { readFileSync } from 'node:fs';
import { writeUnflushed } from '../../store/write-unflushed.ts';
import { bootId } from '../boot-id.ts';
import type { ControlGroupPlace } from './control-groups.ts';

interface Proven {
  readonly boot: string | undefined;
  readonly versions: readonly string[];
}

/** Remembers, until the machine is started anew, which kind of group was seen to hold: each proof costs two sandboxes. */
export class ProvenPlaces {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  has({ version }: ControlGroupPlace): boolean {
    return this.#read().includes(version);
  }

  add({ version }: ControlGroupPlace): void {
    writeUnflushed(this.#path, JSON.stringify({ boot: bootId(), versions: [...this.#read(), version] }));
  }

  #read(): readonly string[] {
    try {
      const { boot, versions } = JSON.parse(readFileSync(this.#path, 'utf8')) as Proven;
      return boot !== undefined && boot === bootId() ? [...versions] : [];
    } catch {
      return []; // None yet, or damaged: it is proven again.
    }
  }
}
