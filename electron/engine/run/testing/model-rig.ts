import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '#shared/model/event.ts';
import { FakeServer } from '../../models/testing/fake-server.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { RunsRig } from './runs-rig.ts';

export const wireFormats = ['openai', 'anthropic'] as const;
export type WireFormat = (typeof wireFormats)[number];

/** A workspace with a lens, and a model server on loopback that its only model is behind. */
export class ModelRig implements AsyncDisposable {
  readonly rig: RunsRig;
  readonly server: FakeServer;

  private constructor(rig: RunsRig, server: FakeServer) {
    this.rig = rig;
    this.server = server;
  }

  static async make(options: {
    sandbox: Sandbox;
    skills: string;
    files?: Record<string, string>;
    head?: string;
    wire?: WireFormat;
  }): Promise<ModelRig> {
    const { sandbox, skills, files, head, wire = 'openai' } = options;
    const made = new ModelRig(await RunsRig.make(sandbox, skills, files, head), await FakeServer.start());
    made.rig.environment = { MODEL_KEY: testKey };
    await made.configure('m', wire);
    return made;
  }

  /** Writes the user's configuration with one model; `params` as YAML. */
  async configure(model: string, wire: WireFormat, params = '{}'): Promise<void> {
    const entry = `{provider: ${wire}, model: ${model}, base_url: "${this.server.address}", api_key_env: MODEL_KEY, params: ${params}}`;
    await writeFile(join(this.rig.home, 'config.yaml'), `models:\n  fake: ${entry}\ndefault_model: fake\n`);
  }

  /** The texts of everything that the server was sent with its n-th request. */
  sent(n: number): string {
    return JSON.stringify(this.server.received[n]?.body ?? {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** Long enough to be looked for everywhere, and unlike any real one. */
export const testKey = 'canary-key-0123456789abcdef';

/** One skill with instructions; `more` are further lines of it. */
export function modelSkill(name: string, ...more: readonly string[]): string {
  const fields = ['description: d', 'instructions: Do it', ...more].map((line) => `  ${line}\n`).join('');
  return `- name: ${name}\n${fields}`;
}

/** What happened of these kinds, without what differs from run to run. */
export function toldOf(events: readonly RunEvent[], ...types: readonly RunEvent['type'][]): object[] {
  return events
    .filter(({ type }) => types.includes(type))
    .map(({ seq: _seq, at: _at, run_id: _run, ...event }) => event);
}
