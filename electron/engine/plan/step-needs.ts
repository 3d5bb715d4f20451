import type { Reason } from '#shared/model/plan.ts';
import { needsInputReason, refusedParameterReason } from './reasons.ts';
import type { StepInputs } from './step-inputs.ts';
import type { StepProblems } from './step-problems.ts';

/** What a step waits for, and what keeps it from running whatever comes of that. */
export interface Needs {
  readonly needed: readonly number[];
  /** Those of which it gets no key. */
  readonly silent: ReturnType<StepInputs['keylessDependencies']>;
  readonly lacking: readonly Reason[];
}

/** What steps need, by index; looked up once, because a run asks for the same as its plan. */
export class StepNeeds {
  readonly #inputs: StepInputs;
  readonly #problems: StepProblems;
  readonly #known = new Map<number, Needs>();

  constructor(inputs: StepInputs, problems: StepProblems) {
    this.#inputs = inputs;
    this.#problems = problems;
  }

  of(index: number): Needs {
    let needs = this.#known.get(index);
    if (!needs) this.#known.set(index, (needs = this.#find(index)));
    return needs;
  }

  #find(index: number): Needs {
    const { keys, params, refused } = this.#inputs.missingOf(index);
    return {
      needed: this.#inputs.neededBy(index),
      silent: this.#inputs.keylessDependencies(index),
      lacking: [
        ...this.#problems.of(index),
        ...keys.map((key) => needsInputReason('input', key)),
        ...params.map((name) => needsInputReason('parameter', name)),
        ...refused.map(refusedParameterReason),
      ],
    };
  }
}
