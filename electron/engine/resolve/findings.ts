import { cyclesByComponent, cycleText } from '#shared/graph/cycles.ts';
import { checkKeys, findOrphans } from '#shared/graph/key-checks.ts';
import type { GraphFinding } from '#shared/graph/key-checks.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import { unreachable } from '#shared/errors.ts';
import { quote } from '#shared/lens/problems.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { ResolvedSkill } from './nodes.ts';
import type { Session } from './session.ts';

export interface Findings {
  readonly session: Session;
  readonly graph: SkillGraph;
  readonly skills: readonly ResolvedSkill[];
  readonly inputs: ReadonlySet<string>;
}

/** Reports what is wrong with the graph as a whole, each at the line that declares it. */
export function reportFindings(findings: Findings): void {
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
  for (const finding of [...checkKeys(graph, inputs), ...findOrphans(graph)])
    reportFinding(findings, finding);
}

function reportFinding({ session, skills, graph }: Findings, finding: GraphFinding): void {
  const node = skills[finding.node]!;
  const name = quote(node.name);
  switch (finding.kind) {
    case 'unsatisfied-requires': {
      const listed = finding.available.map(quote).join(', ');
      const upstream =
        listed === '' ? '' : `: upstream produces ${listed}${finding.hasMoreAvailable ? ' …' : ''}`;
      const message = `Skill ${name} requires ${quote(finding.key)}, which nothing upstream produces${upstream}`;
      session.report('graph.unsatisfied-requires', keyPlace(node, 'requires', finding.key), message);
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

function keyPlace(node: ResolvedSkill, field: 'requires' | 'produces', key: string): Location {
  return node.skill[field]?.find((entry) => entry.key === key)?.at ?? node.origin;
}

function edgePlace(from: ResolvedSkill, to: string): Location {
  return from.dependsOn.find(({ id }) => id === to)?.dependency.at ?? from.origin;
}
