import { cyclesByComponent, cycleText } from '#shared/graph/cycles.ts';
import { checkKeys, findOrphans } from '#shared/graph/key-checks.ts';
import type { GraphFinding } from '#shared/graph/key-checks.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import { unreachable } from '#shared/errors.ts';
import { quote } from '#shared/lens/problems.ts';
import { addDependencyFix, declareInputFix } from '#shared/lens/fixes.ts';
import type { YamlSource } from '#shared/lens/yaml/source.ts';
import type { Location, QuickFix } from '#shared/model/diagnostic.ts';
import { relativeReference } from './place.ts';
import type { SourceFile } from './place.ts';
import type { ResolvedSkill } from './nodes.ts';
import type { Session } from './session.ts';

export interface Findings {
  readonly session: Session;
  readonly graph: SkillGraph;
  readonly skills: readonly ResolvedSkill[];
  readonly inputs: ReadonlySet<string>;
  /** The lens that can declare an input; a library has none. */
  readonly lens: SourceFile | undefined;
}

/** Reports what is wrong with the graph as a whole, each at the line that declares it. */
export async function reportFindings(findings: Findings): Promise<void> {
  const { session, graph, skills, inputs } = findings;
  for (const cycle of cyclesByComponent(graph)) {
    const places = cycle.map((node, i) =>
      edgePlace(skills[node]!, graph.ids[cycle[(i + 1) % cycle.length]!]!),
    );
    session.report(
      'graph.cycle',
      places[0]!,
      `Skills depend on one another in a circle: ${cycleText(graph, cycle)}`,
      {
        related: places.slice(1).map((location) => ({ message: 'Part of the circle', location })),
      },
    );
  }
  for (const finding of [...checkKeys(graph, inputs), ...findOrphans(graph)]) {
    await reportFinding(findings, finding);
  }
}

async function reportFinding(findings: Findings, finding: GraphFinding): Promise<void> {
  const { session, skills, graph } = findings;
  const node = skills[finding.node]!;
  const name = quote(node.name);
  switch (finding.kind) {
    case 'unsatisfied-requires': {
      const listed = finding.available.map(quote).join(', ');
      const upstream =
        listed === '' ? '' : `: upstream produces ${listed}${finding.hasMoreAvailable ? ' …' : ''}`;
      const message = `Skill ${name} requires ${quote(finding.key)}, which nothing upstream produces${upstream}`;
      session.report('graph.unsatisfied-requires', keyPlace(node, 'requires', finding.key), message, {
        fixes: await requireFixes(findings, node, finding.key),
      });
      return;
    }
    case 'several-producers': {
      const producers = finding.producers.map((producer) => skills[producer]!);
      const names = producers.map((producer) => quote(producer.name)).join(', ');
      const message = `Skill ${name} requires ${quote(finding.key)}, which several skills upstream produce: ${names}`;
      session.report('graph.several-producers', keyPlace(node, 'requires', finding.key), message, {
        related: producers.map((producer) => ({
          message: `${quote(producer.name)} produces it`,
          location: keyPlace(producer, 'produces', finding.key),
        })),
      });
      return;
    }
    case 'unused-produces': {
      const place = keyPlace(node, 'produces', finding.key);
      session.report(
        'graph.unused-produces',
        place,
        `No skill requires ${quote(finding.key)}, which ${name} produces`,
      );
      return;
    }
    case 'orphan':
      session.report('graph.orphan', node.origin, `Skill ${name} stands alone among ${graph.size} skills`);
      return;
    default:
      unreachable(finding);
  }
}

/** Depend on a skill that produces the key, or declare the key as an input of the lens. */
async function requireFixes(
  { session, skills, lens }: Findings,
  node: ResolvedSkill,
  key: string,
): Promise<readonly QuickFix[]> {
  const producers = skills.filter(
    (other) => other !== node && other.skill.produces?.some((produced) => produced.key === key),
  );
  const writeDependency = (yaml: YamlSource): QuickFix[] =>
    producers
      .slice(0, 3)
      .flatMap((producer) => addDependencyFix(yaml, node.skill, referenceTo(producer, node)));
  const depend = producers.length === 0 ? [] : await session.fixes(node.source, writeDependency);
  const declare = lens ? await session.fixes(lens, (yaml) => declareInputFix(yaml, key)) : [];
  return [...depend, ...declare];
}

/** How one skill is written as a dependency of another: its bare name where both stand in one file. */
function referenceTo(producer: ResolvedSkill, from: ResolvedSkill): string {
  if (producer.source.path === from.source.path) return producer.name;
  const { label } = producer.source.place;
  const library = label === from.source.place.label ? relativeReference(from.source, producer.source) : label;
  return `${library}:${producer.name}`;
}

function keyPlace(node: ResolvedSkill, field: 'requires' | 'produces', key: string): Location {
  return node.skill[field]?.find((entry) => entry.key === key)?.at ?? node.origin;
}

function edgePlace(from: ResolvedSkill, to: string): Location {
  return from.dependsOn.find(({ id }) => id === to)?.dependency.at ?? from.origin;
}
