import { evidenceText, outcomeWords, overallText } from '#shared/judgment/verdict-words.ts';
import type { Severity } from '#shared/model/diagnostic.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import type { ReportedFile } from './report.ts';
import { levels, uriOf } from './sarif-words.ts';

const policyRule = 'quality-policy';

/** The rules of what was judged: one for each validator, and one for what all verdicts come to. */
export function judgedRules(files: readonly ReportedFile[]): { readonly id: string }[] {
  const verdicts = files.flatMap(({ judged }) => judged?.verdicts ?? []);
  if (verdicts.length === 0) return [];
  const severities = new Map<string, Severity>(verdicts.map(({ judge, severity }) => [judge, severity]));
  const rule = (id: string, text: string, severity: Severity): { readonly id: string } => ({
    id,
    ...{ shortDescription: { text }, defaultConfiguration: { level: levels[severity] } },
  });
  return [
    ...[...severities].map(([judge, severity]) =>
      rule(ruleOf(judge), `The validator "${judge}" of the lens`, severity),
    ),
    rule(policyRule, 'What the lens asks of every result', 'error'),
  ];
}

/** What a lens has against a file: every verdict that is no pass, and why the whole does not pass. */
export function judgedResults({ file, judged }: ReportedFile): { readonly ruleId: string }[] {
  if (!judged) return [];
  const { verdicts, overall } = judged;
  const against = verdicts
    .filter(({ outcome }) => outcome !== 'pass')
    .map((verdict) => result(file, verdict));
  if (overall.outcome !== 'failed') return against;
  const message = { text: overallText(overall) };
  return [...against, { ruleId: policyRule, ...{ level: 'error', message, locations: [place(file)] } }];
}

function result(
  file: string,
  { judge, outcome, severity, message, evidence = [] }: Verdict,
): { readonly ruleId: string } {
  const lines = [`${outcomeWords[outcome]}: ${message}`, ...evidence.map(evidenceText)];
  return {
    ruleId: ruleOf(judge),
    ...(outcome === 'not-judged' ? { kind: 'open', level: 'none' } : { level: levels[severity] }),
    ...{ message: { text: lines.join('\n') }, locations: [place(file, evidence[0]?.line)] },
  };
}

function ruleOf(judge: string): string {
  return `validator/${judge}`;
}

function place(file: string, line?: number): object {
  const region = line === undefined ? {} : { region: { startLine: line } };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region } };
}
