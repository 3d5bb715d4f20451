import { createHash } from 'node:crypto';
import { spentLines, spentText } from '#shared/cost-text.ts';
import type { PlanStep } from '#shared/model/plan.ts';
import { shareText } from '#shared/judgment/overall.ts';
import {
  evidenceText,
  overallOf,
  overallText,
  refinementText,
  verdictText,
} from '#shared/judgment/verdict-words.ts';
import type { Refinement, RunRecord, StepRecord } from '#shared/model/run.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { bytesText, countText, durationText } from '#shared/quantities.ts';
import { redact } from './redact.ts';
import { summaryOf } from './step-record.ts';

export interface ExportOptions {
  /** What a step printed, as far as it was kept. */
  readonly logOf: (step: StepRecord) => string;
  /** Values of variables with secret names are taken out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Of a longer text the beginning and the end, where scripts say why they failed. */
const longestText = 256 * 1024;
const tailChars = 64 * 1024;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0; display: inline; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
details { border: 1px solid #8884; border-radius: 6px; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } pre { max-height: 32rem; overflow: auto; background: #8881; padding: .6rem; border-radius: 4px; white-space: pre-wrap; }
.state { display: inline-block; min-width: 7rem; font-weight: 600; } .failed, .judged-failed, .interrupted { color: light-dark(#c62828, #ff8a80); }
.ran, .succeeded { color: light-dark(#2e7d32, #81c784); } .cached { color: light-dark(#1565c0, #90caf9); } .blocked, .cancelled { color: light-dark(#7a5f00, #e0c060); }
.muted { opacity: .7; }
`;

/** The run as one page that needs nothing else: no script, no picture, no font, nothing to fetch, no secret. */
export function exportHtml(record: RunRecord, options: ExportOptions): string {
  const text = (value: string): string => escape(redact(ends(value), options.environment));
  const planned = new Map(record.plan.decisions.map((step) => [step.id, step]));
  const hash = createHash('sha256').update(style).digest('base64');
  const { ran, cached, failed, blocked, cancelled, savedMs } = summaryOf(record);
  const spent = spentText(record.steps);
  const facts: [string, string][] = [
    ['Run', record.runId],
    ['Lens', `${record.lensName} (${record.lens})`],
    ['Started', new Date(record.startedAt).toISOString()],
    ['Took', durationText(record.durationMs)],
    ['Steps', `${ran} ran, ${cached} cached, ${failed} failed, ${blocked} blocked, ${cancelled} cancelled`],
    ['Saved by the cache', durationText(savedMs)],
    ...(spent === undefined ? [] : [['Models', spent] satisfies [string, string]]),
    ...(record.request.task === undefined ? [] : [['Task', record.request.task] satisfies [string, string]]),
    ...(record.resumes === undefined ? [] : [['Carries on', record.resumes] satisfies [string, string]]),
  ];
  const page = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${text(`${record.lensName}: ${record.status}`)}</title>`,
    `<style>${style}</style>`,
    `<h1>${text(record.lensName)} <span class="${record.status}">${record.status}</span></h1>`,
    table(facts.map(([name, value]) => [text(name), text(value)])),
    ...record.warnings.map((warning) => `<p role="note">⚠ ${text(warning)}</p>`),
    ...record.steps.map((step) => stepSection(step, planned.get(step.id), options.logOf(step), text)),
    '</html>',
  ];
  return `${page.join('\n')}\n`;
}

function stepSection(
  step: StepRecord,
  planned: PlanStep | undefined,
  log: string,
  text: (value: string) => string,
): string {
  const { skill, state, durationMs, error, content = '', outputs = {}, artifacts } = step;
  const reasons = (planned?.reasons ?? []).map(lastingSentence).join('; ');
  const isOpen = state === 'failed' || state === 'judged-failed' ? ' open' : '';
  return [
    `<details${isOpen}><summary><span class="state ${state}">${state}</span><h2>${text(skill)}</h2>`,
    ` <span class="muted">${durationText(durationMs)} · ${text(`${step.decision}: ${reasons}`)}</span></summary>`,
    error ? block('Error', text([error.message, error.stderr].filter(Boolean).join('\n\n'))) : '',
    ...(error?.waysOut ?? []).map(({ sentence }) => `<p>→ ${text(sentence)}</p>`),
    step.blockedBy === undefined ? '' : `<p>Blocked by ${text(step.blockedBy)}</p>`,
    verdictSection(step, text),
    ...spentLines(step).map((line) => `<p class="muted">${text(line)}</p>`),
    step.refinement ? attemptSection(step.refinement, text) : '',
    artifacts.length === 0
      ? ''
      : `<p>${countText(artifacts.length, 'proposed file')}</p>${table(
          artifacts.map(({ path, operation, bytes }) => [
            operation,
            text(path),
            bytes === undefined ? '' : bytesText(bytes),
          ]),
        )}`,
    content === '' ? '' : block('Content', text(content)),
    Object.keys(outputs).length === 0 ? '' : block('Outputs', text(JSON.stringify(outputs, null, 2))),
    log === '' ? '' : block('Log', text(log)),
    '</details>',
  ].join('\n');
}

/** An age is as old as the run; the page is read later. */
function lastingSentence({ id, sentence }: PlanStep['reasons'][number]): string {
  if (id !== 'last-failed' && id !== 'cached') return sentence;
  return sentence.replace(/\bjust now\b/, 'just before this one').replace(/\bago\b/, 'before this one');
}

type SafeText = (value: string) => string;

/** What was said about a result, and what it comes to; a person's word stands as theirs. */
function verdictSection(step: StepRecord, text: SafeText): string {
  if (step.verdicts.length === 0) return '';
  const overall = overallOf(step);
  return [
    overall ? `<p>Judgment: <strong>${text(overallText(overall))}</strong></p>` : '<p>Judgment</p>',
    verdictTable(step.verdicts, text),
  ].join('\n');
}

function verdictTable(verdicts: readonly Verdict[], text: SafeText): string {
  const rows = verdicts.map((verdict) => {
    const more = [
      ...(verdict.override ? [`their note: ${verdict.override.note}`] : []),
      ...(verdict.evidence ?? []).map(evidenceText),
      ...(verdict.questions ?? []).map((question) => `asks: ${question}`),
    ];
    const said = [text(verdict.message), ...more.map((line) => `<br><small>${text(line)}</small>`)].join('');
    return [text(verdict.judge), verdict.kind, text(verdictText(verdict)), said];
  });
  return table(rows);
}

/** The ladder: every attempt with what was said about it, and what the next one was told. */
function attemptSection(refinement: Refinement, text: SafeText): string {
  const told = refinementText(refinement);
  if (told === '') return '';
  const attempts = refinement.attempts.map(({ attempt, passed, confidence, feedback, verdicts, content }) => {
    const sure = confidence === undefined ? '' : `, confidence ${shareText(confidence)}`;
    const head = `attempt ${attempt}: ${passed ? 'passed' : 'did not pass'}${sure}`;
    return [
      `<details><summary>${text(head)}</summary>`,
      feedback === undefined ? '' : block('Told', text(feedback)),
      verdictTable(verdicts, text),
      block('Content', text(content)),
      '</details>',
    ].join('\n');
  });
  return [`<p>${text(told)}</p>`, ...attempts].join('\n');
}

function block(title: string, safe: string): string {
  return `<p>${title}</p><pre>${safe}</pre>`;
}

function table(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string => row.map((cell) => `<td>${cell}</td>`).join('');
  return `<table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table>`;
}

/** Cut between lines where there are some: the rest of a secret that is cut in two would not be known as one. */
function ends(text: string): string {
  if (text.length <= longestText) return text;
  const head = text.slice(0, longestText - tailChars);
  const tail = text.slice(-tailChars);
  const line = tail.indexOf('\n') + 1;
  const end = line > 0 && line < tail.length ? tail.slice(line) : tail;
  return `${head.slice(0, head.lastIndexOf('\n') + 1 || undefined)}\n… more was printed …\n${end}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
