import type { RunId } from '#shared/model/run.ts';
import type { FixtureList, FixtureResult, FixtureSummary, TestEvent } from '#shared/model/test-report.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { placeAt } from './resolved-graph.ts';

type Call = <Input, Output>(
  name: string,
  answer: (input: Input) => Output,
) => (input: Input) => Promise<Output>;
type Stream = (listeners: Set<(event: TestEvent) => void>) => AsyncGenerator<TestEvent, void>;

const file = 'tests/fixtures.yaml' as FileId;

export function fixtureSummary(name: string): FixtureSummary {
  return { name, at: placeAt(1, file), expectations: 1 };
}

export function fixtureResult(name: string, change: Partial<FixtureResult> = {}): FixtureResult {
  return {
    ...{ name, at: placeAt(1, file), state: 'passed', expectations: [], steps: [], durationMs: 5 },
    usage: { inputTokens: 0, outputTokens: 0 },
    ...change,
  };
}

/** The engine's fixtures with answers that a test decides. */
export class FakeTests {
  list: FixtureList = {
    files: [file],
    fixtures: [fixtureSummary('one'), fixtureSummary('two')],
    diagnostics: [],
    untested: ['lonely'],
  };
  /** Which fixtures were asked for, undefined for all. */
  readonly asked: (readonly string[] | undefined)[] = [];
  readonly saved: { run: RunId; skill?: string; name?: string }[] = [];
  readonly #streams = new Set<(event: TestEvent) => void>();

  tell(...events: readonly TestEvent[]): void {
    for (const event of events) for (const send of this.#streams) send(event);
  }

  /** Tells that everything was tried. */
  complete(): void {
    const counts = { passed: 0, failed: 0, errors: 0, cancelled: 0 };
    const report = { lens: 'a.lens', lensName: 'A', files: [file], startedAt: 0, durationMs: 1, ...counts };
    this.tell({
      type: 'completed',
      report: { ...report, results: [], usage: { inputTokens: 0, outputTokens: 0 } },
    });
  }

  answers(call: Call, stream: Stream) {
    return {
      list: call('tests.list', () => this.list),
      add: call('tests.add', ({ skill }: { skill: string }) => {
        const name = `${skill} ends well`;
        const { fixtures, untested } = this.list;
        this.list = {
          ...this.list,
          fixtures: [...fixtures, fixtureSummary(name)],
          untested: untested.filter((other) => other !== skill),
        };
        return { file, name };
      }),
      run: call('tests.run', ({ names }: { names?: string[] }) => {
        this.asked.push(names);
        return stream(this.#streams);
      }),
    };
  }

  /** Writes a run down as a fixture of the list. */
  save(wish: { workspace: string; run: RunId; skill?: string; name?: string }): {
    file: FileId;
    name: string;
  } {
    const { workspace: _, ...saved } = wish;
    const name = wish.name ?? 'as in the run';
    this.saved.push(saved);
    this.list = { ...this.list, fixtures: [...this.list.fixtures, fixtureSummary(name)] };
    return { file, name };
  }
}
