import type { Plan } from '#shared/model/plan.ts';
import type { StepRecord } from '#shared/model/run.ts';
import { steadyMs } from '../store/steady-clock.ts';
import type { NewRunEvent } from './run-stream.ts';

interface Wave {
  readonly skills: string[];
  startedAt: number | undefined;
  succeeded: number;
  failed: number;
}

/** Tells of a run wave by wave, although steps start as soon as they can: a wave lasts from its first start to its last end. */
export class WaveView {
  readonly #waves = new Map<number, Wave>();
  readonly #total: number;
  readonly #isParallel: boolean;

  constructor(plan: Plan, concurrency: number) {
    this.#isParallel = concurrency > 1;
    for (const { skill, wave } of plan.decisions) {
      // In or behind a circle: part of no wave.
      if (wave < 0) continue;
      const known = this.#waves.get(wave);
      if (known) known.skills.push(skill);
      else this.#waves.set(wave, { skills: [skill], startedAt: undefined, succeeded: 0, failed: 0 });
    }
    this.#total = this.#waves.size;
  }

  get total(): number {
    return this.#total;
  }

  /** What there is to tell when a step starts. */
  start({ wave: index }: Pick<StepRecord, 'wave'>, now = steadyMs()): NewRunEvent[] {
    const wave = this.#waves.get(index);
    if (!wave || wave.startedAt !== undefined) return [];
    wave.startedAt = now;
    return [
      {
        type: 'skill_wave_start',
        wave_index: index,
        total_waves: this.#total,
        skills: wave.skills,
        parallel: this.#isParallel && wave.skills.length > 1,
      },
    ];
  }

  /** What there is to tell when a step has ended. */
  end({ wave: index, state }: Pick<StepRecord, 'wave' | 'state'>, now = steadyMs()): NewRunEvent[] {
    const wave = this.#waves.get(index);
    if (!wave) return [];
    if (state === 'ran' || state === 'cached') wave.succeeded++;
    else wave.failed++;
    if (wave.succeeded + wave.failed < wave.skills.length) return [];
    return [
      {
        type: 'skill_wave_complete',
        wave_index: index,
        duration_ms: now - wave.startedAt!,
        succeeded: wave.succeeded,
        failed: wave.failed,
      },
    ];
  }
}
