import { cyclesByComponent, cycleText } from '#shared/graph/cycles.ts';
import { holdsLocation } from '#shared/lens/holds-location.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { Reason } from '#shared/model/plan.ts';
import type { ScriptLanguage, TrustLevel } from '#shared/model/skill.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { flowOf } from './flow.ts';
import { gapsText, isGap } from './lens-gaps.ts';
import { permittedBy } from './permitted.ts';

/** How far a skill is trusted, or the sentence that says why it may not run. */
export type TrustOf = (node: ResolvedSkill) => TrustLevel | { readonly problem: string };

export interface ProblemFacts {
  readonly resolution: Resolution;
  readonly interpreters: ReadonlyMap<ScriptLanguage, string>;
  readonly trustOf: TrustOf;
  /** Anything that says which model works; undefined for none. */
  readonly model?: unknown;
}

/** A required key without a value is said by name where it is asked for, and a circle with all of its skills. */
const toldOtherwise = new Set(['graph.unsatisfied-requires', 'graph.cycle']);

/** Says of every skill what keeps it from running at all, whatever the cache holds. */
export class StepProblems {
  readonly #facts: ProblemFacts;
  readonly #errors: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly #known = new Map<number, readonly Reason[]>();
  #circles: ReadonlyMap<number, string> | undefined;

  constructor(facts: ProblemFacts) {
    this.#facts = facts;
    const errors = new Map<string, Diagnostic[]>();
    const { lens, diagnostics } = facts.resolution;
    for (const diagnostic of diagnostics) {
      const { severity, code, location } = diagnostic;
      if (severity !== 'error' || toldOtherwise.has(code) || (lens && isGap(lens, diagnostic))) continue;
      const known = errors.get(location.file);
      if (known) known.push(diagnostic);
      else errors.set(location.file, [diagnostic]);
    }
    this.#errors = errors;
  }

  of(index: number): readonly Reason[] {
    let reasons = this.#known.get(index);
    if (!reasons) this.#known.set(index, (reasons = this.#find(index)));
    return reasons;
  }

  #find(index: number): Reason[] {
    const node = this.#facts.resolution.skills[index]!;
    const { skill, scripts, resources } = node;
    const told = this.#ofFile(node);
    const reasons = [
      ...this.#ofLens(),
      ...this.#ofCircle(index),
      ...(told.length > 0 ? told : ofDependencies(node)),
    ];
    const isWhole =
      scripts.length === (skill.scripts?.length ?? 0) && resources.length === (skill.resources?.length ?? 0);
    if (!isWhole && reasons.length === 0) reasons.push(problem('files', 'one of its files cannot be read'));
    const isForModel = hasInstructions(node);
    if (isForModel && this.#facts.model === undefined)
      reasons.push(problem('model', 'needs a model: set one up'));
    if (!isForModel && isWhole && scripts.length === 0) {
      reasons.push(problem('scripts', 'it has neither instructions nor scripts'));
    }
    const { network } = permittedBy(node.permissions);
    if (network.length > 0) {
      reasons.push(
        problem('network', `it asks for the network (${network.join(', ')}), and scripts have none`),
      );
    }
    const trust = this.#facts.trustOf(node);
    const isTrusted = typeof trust === 'string';
    // Without trust a model works by the instructions alone, and the scripts are left out.
    if (!isTrusted && !isForModel) reasons.push(problem('trust', trust.problem));
    for (const language of new Set(scripts.map((script) => script.language))) {
      if (this.#facts.interpreters.has(language) || (isForModel && !isTrusted)) continue;
      reasons.push(problem(language, `no safe ${language} was found: "sunwell doctor" says why`));
    }
    return reasons;
  }

  /** Nothing runs by a lens that may have lost judges: its results would pass unseen. */
  #ofLens(): Reason[] {
    const { lens } = this.#facts.resolution;
    const gaps = lens && gapsText(lens);
    return gaps === undefined
      ? []
      : [problem('lens', `its lens may lack judges: ${gaps}; correct that first`)];
  }

  #ofFile({ origin }: ResolvedSkill): Reason[] {
    const inside = (this.#errors.get(origin.file) ?? []).filter(({ location }) =>
      holdsLocation(origin, location),
    );
    return inside.map(({ code, message }) => problem(code, message));
  }

  #ofCircle(index: number): Reason[] {
    const { graph } = this.#facts.resolution;
    const { waveOf } = flowOf(graph);
    if (waveOf[index]! >= 0) return [];
    this.#circles ??= new Map(
      cyclesByComponent(graph).flatMap((cycle) => cycle.map((node) => [node, cycleText(graph, cycle)])),
    );
    const circle = this.#circles.get(index);
    return [
      problem(
        'graph.cycle',
        circle === undefined
          ? 'it waits for skills that depend on one another in a circle'
          : `it depends on itself: ${circle}`,
      ),
    ];
  }
}

/** Dependencies that lead nowhere; a library's own may stand in another file than the entry that uses it. */
function ofDependencies({ skill, dependsOn }: ResolvedSkill): Reason[] {
  const found = new Set(dependsOn.map(({ dependency }) => dependency.text));
  const lost = (skill.dependsOn ?? []).filter(({ text }) => !found.has(text));
  return lost.map(({ text }) =>
    problem('graph.missing-dependency', `it depends on "${text}", which is not there`),
  );
}

export function problem(subject: string, sentence: string): Reason {
  return { id: 'problem', subject, sentence };
}
