import type { Resolution } from '#engine/resolve/resolve.ts';
import type { FixtureResult, LensComparison, TestEvent, TestReport } from '#shared/model/test-report.ts';
import { countText, durationText } from '#shared/quantities.ts';
import type { Invocation } from '../invocation.ts';
import { StatusLine } from '../run/status-line.ts';
import { columns } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Style } from '../terminal.ts';
import { comparisonRows, notCompared } from './comparison-rows.ts';

const marks: Readonly<Record<FixtureResult['state'], { readonly glyph: string; readonly style: Style }>> = {
  passed: { glyph: '✓', style: 'green' },
  failed: { glyph: '✕', style: 'red' },
  error: { glyph: '✕', style: 'red' },
  cancelled: { glyph: '–', style: 'dim' },
};

/** Tells tests for people as they happen: a line for every fixture, with what did not come; says nothing to machines. */
export class TestPrinter {
  readonly #invocation: Invocation;
  readonly #status: StatusLine;
  readonly #running = new Set<string>();

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
    this.#status = new StatusLine(invocation.terminal.stderr);
  }

  begin({ source, lens }: Resolution, files: readonly string[]): void {
    this.#line(inert(`${lens?.metadata.name ?? source.file} (${source.file}), ${files.join(', ')}`));
  }

  readonly take = (event: TestEvent): void => {
    switch (event.type) {
      case 'started':
        this.#running.add(event.name);
        break;
      case 'finished':
        this.#running.delete(event.result.name);
        this.#tell(event.result);
        break;
      case 'completed':
        this.#line(summaryOf(event.report));
        break;
    }
    if (this.#running.size === 0 || this.#invocation.output.isJson) return;
    this.#status.show(inert([...this.#running].join(', ')));
  };

  compare(comparison: LensComparison): void {
    for (const line of columns(comparisonRows(comparison))) this.#line(line);
    const leftOut = notCompared(comparison);
    if (leftOut !== undefined) this.#line(leftOut);
  }

  #tell({ name, state, durationMs, expectations, problem }: FixtureResult): void {
    const { output } = this.#invocation;
    const { glyph, style } = marks[state];
    this.#line(
      `${output.styled(style, glyph)} ${inert(name)} ${output.styled('dim', durationText(durationMs))}`,
    );
    if (problem !== undefined) this.#line(`    ${inert(problem)}`);
    for (const { passed, message, actual } of expectations) {
      if (passed) continue;
      this.#line(`    ${inert(message)}`);
      // A message that holds the value already needs no second copy of it.
      if (actual === undefined || actual === '' || message.includes(actual)) continue;
      for (const line of actual.trimEnd().split('\n').slice(0, 12))
        this.#line(output.styled('dim', `      ${inert(line)}`));
    }
  }

  #line(text: string): void {
    const { output } = this.#invocation;
    if (output.isJson) return;
    this.#status.clear();
    output.line(text);
  }
}

/** `3 of 4 fixtures passed in 2.4 s, 1,200 tokens`. */
function summaryOf({ results, passed, durationMs, usage, cancelled }: TestReport): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const parts = [
    `${passed} of ${countText(results.length, 'fixture')} passed in ${durationText(durationMs)}`,
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
  ];
  return parts.join(', ');
}
