import { compareText } from './compare-text.ts';

/** One skill as the graph sees it. `id` is the qualified id; `dependsOn` holds ids. */
export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly produces: readonly string[];
  readonly requires: readonly string[];
}

/**
 * Skills and their dependencies as integer arrays. A skill is its index in declaration order; the
 * dependencies of skill `i` are `dependencies[dependencyStart[i] .. dependencyStart[i + 1])`, and the
 * same holds for dependents. Cycles are allowed; a dependency that no skill has is in `missing` only.
 */
export interface SkillGraph {
  readonly size: number;
  readonly nodes: readonly GraphNode[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly dependencyStart: Int32Array;
  readonly dependencies: Int32Array;
  readonly dependentStart: Int32Array;
  readonly dependents: Int32Array;
  readonly missing: readonly MissingDependency[];
}

/** The edges of a graph, all that its layout depends on. */
export type GraphEdges = Pick<
  SkillGraph,
  'size' | 'dependencyStart' | 'dependencies' | 'dependentStart' | 'dependents'
>;

/** A declared dependency on an id that is not in the graph; `from` is the index of the skill that declares it. */
export interface MissingDependency {
  readonly from: number;
  readonly to: string;
}

/** Builds the graph of these skills; repeated dependencies count once. Ids must be unique. */
export function buildGraph(nodes: readonly GraphNode[]): SkillGraph {
  const size = nodes.length;
  const ids = new Array<string>(size);
  const names = new Array<string>(size);
  const indexOf = new Map<string, number>();
  let declared = 0;
  for (let i = 0; i < size; i++) {
    const node = nodes[i]!;
    ids[i] = node.id;
    names[i] = node.name;
    indexOf.set(node.id, i);
    declared += node.dependsOn.length;
  }
  if (indexOf.size !== size) {
    const repeated = ids.find((id, i) => indexOf.get(id) !== i);
    throw new Error(`Cannot build a graph: skill id ${JSON.stringify(repeated)} is declared twice`);
  }

  const dependencyStart = new Int32Array(size + 1);
  const dependentStart = new Int32Array(size + 1);
  const targets = new Int32Array(declared);
  const lastSeenFrom = new Int32Array(size).fill(-1);
  const missing: MissingDependency[] = [];
  let count = 0;
  for (let from = 0; from < size; from++) {
    const dependsOn = nodes[from]!.dependsOn;
    for (let k = 0; k < dependsOn.length; k++) {
      const target = indexOf.get(dependsOn[k]!);
      if (target === undefined) {
        if (dependsOn.indexOf(dependsOn[k]!) === k) missing.push({ from, to: dependsOn[k]! });
      } else if (lastSeenFrom[target] !== from) {
        lastSeenFrom[target] = from;
        targets[count++] = target;
        dependentStart[target + 1]!++;
      }
    }
    dependencyStart[from + 1] = count;
  }
  const dependencies = targets.subarray(0, count);
  const dependents = transpose({ size, dependencyStart, dependencies, dependentStart });
  return {
    size,
    nodes,
    ids,
    names,
    indexOf,
    dependencyStart,
    dependencies,
    dependentStart,
    dependents,
    missing,
  };
}

/** Orders skills by name, then id, so that no result depends on the order of declaration. */
export function byName(graph: SkillGraph): (a: number, b: number) => number {
  const { names, ids } = graph;
  return (a, b) => compareText(names[a]!, names[b]!) || compareText(ids[a]!, ids[b]!);
}

/** Fills the dependents from the dependencies; `dependentStart` comes in as counts and leaves as offsets. */
function transpose(
  graph: Pick<SkillGraph, 'size' | 'dependencyStart' | 'dependencies' | 'dependentStart'>,
): Int32Array {
  const { size, dependencyStart, dependencies, dependentStart } = graph;
  for (let i = 0; i < size; i++) dependentStart[i + 1]! += dependentStart[i]!;
  const next = dependentStart.slice(0, size);
  const dependents = new Int32Array(dependencies.length);
  for (let from = 0; from < size; from++) {
    const end = dependencyStart[from + 1]!;
    for (let k = dependencyStart[from]!; k < end; k++) dependents[next[dependencies[k]!]!++] = from;
  }
  return dependents;
}
