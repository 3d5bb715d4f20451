import type { Digest } from '#shared/model/fingerprint.ts';
import type { PlanRequest } from '#shared/model/plan.ts';
import { requiredParameters } from '../fingerprint/variables.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { digestOf, valueText } from '../store/digest.ts';
import { flowOf, type Flow } from './flow.ts';
import { parameterValues, refusedParameters, type RefusedParameter } from './parameter-values.ts';

const noProducers: ReadonlyMap<string, number> = new Map();

type Values = Readonly<Record<string, unknown>>;

/** Where a skill gets a key that it requires: from a skill upstream, from outside, or not at all. */
export type KeySource =
  | { readonly from: 'skill'; readonly index: number }
  | { readonly from: 'outside'; readonly value: unknown }
  | { readonly from: 'nowhere' };

/** What skills get from upstream and from whoever asks for the run; the values of a run and the keys of its plan both come from here. */
export class StepInputs {
  readonly #resolution: Resolution;
  readonly #flow: Flow;
  readonly #outside: ReadonlyMap<string, unknown>;
  readonly #params: Values;
  readonly #isAlone: boolean;
  readonly #digests = new Map<unknown, Digest>();

  constructor(resolution: Resolution, { inputs = {}, params = {}, selection }: PlanRequest) {
    this.#resolution = resolution;
    this.#flow = flowOf(resolution.graph);
    const defaults = (resolution.lens?.inputs ?? [])
      .filter(({ value }) => value.hasDefault)
      .map(({ value }) => [value.name, value.default] as const);
    this.#outside = new Map([...defaults, ...Object.entries(inputs)]);
    this.#params = params;
    this.#isAlone = selection?.alone === true;
  }

  /**
   * What a skill upstream delivers comes before what was given from outside: a skill may take a given value and hand it
   * on improved under the same key.
   */
  sourceOf(index: number, key: string): KeySource {
    const producer = this.#producersFor(index).get(key);
    if (producer !== undefined) return { from: 'skill', index: producer };
    return this.#outside.has(key) ? { from: 'outside', value: this.#outside.get(key) } : { from: 'nowhere' };
  }

  /** Required keys and parameters that nothing and nobody gives, and parameters that are given what their schema does not allow. */
  missingOf(index: number): { keys: string[]; params: string[]; refused: RefusedParameter[] } {
    const { skill } = this.#resolution.skills[index]!;
    const params = this.paramsOf(index);
    return {
      keys: this.#requiredKeys(index).filter((key) => this.sourceOf(index, key).from === 'nowhere'),
      params: requiredParameters(skill.parametersSchema).filter((name) => !Object.hasOwn(params, name)),
      refused: refusedParameters(skill.parametersSchema, this.#params),
    };
  }

  /** The skills that a step waits for: its dependencies, and those further up whose keys it requires. */
  neededBy(index: number): number[] {
    if (this.#isAlone) return [];
    const { dependencyStart, dependencies } = this.#resolution.graph;
    const direct = dependencies.subarray(dependencyStart[index], dependencyStart[index + 1]);
    return [...new Set([...direct, ...this.#flow.producers[index]!.values()])];
  }

  /** A value for every required key, as scripts get it: in the order of the keys, because fingerprints know no other. */
  inputsOf(index: number, outputsOf: (producer: number) => Values): Record<string, unknown> {
    return Object.fromEntries(
      this.#requiredKeys(index).flatMap((key) => {
        const source = this.sourceOf(index, key);
        if (source.from === 'nowhere') return [];
        return [[key, source.from === 'outside' ? source.value : outputsOf(source.index)[key]] as const];
      }),
    );
  }

  /** The parameters of a skill, given or by default. */
  paramsOf(index: number): Record<string, unknown> {
    return parameterValues(this.#resolution.skills[index]!.skill.parametersSchema, this.#params);
  }

  /** The digests of what `inputsOf` gives, by those of the results upstream. */
  inputDigests(
    index: number,
    outputsOf: (producer: number) => Readonly<Record<string, Digest>>,
  ): Record<string, Digest> {
    const digests: [string, Digest][] = [];
    for (const key of this.#requiredKeys(index)) {
      const source = this.sourceOf(index, key);
      if (source.from === 'nowhere') continue;
      const digest = source.from === 'outside' ? this.#digestOf(source.value) : outputsOf(source.index)[key];
      // Every kept result has all keys its skill produces: taking a missing one for "no input" would give a wrong hit.
      if (digest === undefined) throw new Error(`A result that must hold "${key}" does not`);
      digests.push([key, digest]);
    }
    return Object.fromEntries(digests);
  }

  paramDigests(index: number): Record<string, Digest> {
    return Object.fromEntries(
      Object.entries(this.paramsOf(index)).map(([name, value]) => [name, this.#digestOf(value)]),
    );
  }

  /** Dependencies of which the skill gets no key: it may still rely on what they did. */
  keylessDependencies(index: number): { name: string; index: number }[] {
    if (this.#isAlone) return [];
    const { skills, graph } = this.#resolution;
    const delivering = new Set(this.#flow.producers[index]!.values());
    const silent = skills[index]!.dependsOn.map(({ id }) => graph.indexOf.get(id)!).filter(
      (dependency, i, all) => !delivering.has(dependency) && all.indexOf(dependency) === i,
    );
    const names = silent.map((dependency) => skills[dependency]!.name);
    return silent.map((dependency, i) => ({
      index: dependency,
      // By name, because ids hold versions and paths that change nothing.
      name: names.indexOf(names[i]!) === names.lastIndexOf(names[i]!) ? names[i]! : skills[dependency]!.id,
    }));
  }

  /** Nothing upstream is heard by skills that are meant alone. */
  #producersFor(index: number): ReadonlyMap<string, number> {
    return this.#isAlone ? noProducers : this.#flow.producers[index]!;
  }

  #requiredKeys(index: number): readonly string[] {
    return this.#flow.requires[index]!;
  }

  #digestOf(value: unknown): Digest {
    let digest = this.#digests.get(value);
    if (digest === undefined) this.#digests.set(value, (digest = digestOf(valueText(value))));
    return digest;
  }
}
