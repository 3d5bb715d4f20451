import type { DoctorReport } from '#shared/model/doctor.ts';
import type { EngineConnection } from './connection.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

export type SandboxPhase =
  | { readonly phase: 'unknown' }
  | { readonly phase: 'asking' }
  | { readonly phase: 'known' }
  | { readonly phase: 'failed'; readonly failure: Failure };

/** Whether scripts can run on this machine. The last report stays until a newer one is there. */
export class SandboxView {
  readonly #engine: Pick<EngineConnection, 'client'>;
  #phase = $state.raw<SandboxPhase>({ phase: 'unknown' });
  #report = $state.raw<DoctorReport>();

  constructor(engine: Pick<EngineConnection, 'client'>) {
    this.#engine = engine;
  }

  get phase(): SandboxPhase {
    return this.#phase;
  }

  /** Undefined until the engine has answered for the first time. */
  get report(): DoctorReport | undefined {
    return this.#report;
  }

  /** Asks for what the engine knows; `again` has it try every way out of the sandbox anew. */
  async ask({ again }: { again: boolean } = { again: false }): Promise<void> {
    if (this.#phase.phase === 'asking') return;
    this.#phase = { phase: 'asking' };
    try {
      this.#report = await this.#engine.client.sandbox.report({ again });
      this.#phase = { phase: 'known' };
    } catch (error) {
      this.#phase = { phase: 'failed', failure: toFailure(error) };
    }
  }
}
