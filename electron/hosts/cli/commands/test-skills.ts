import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { findFixtures } from '#engine/fixtures/find-fixtures.ts';
import { chooseFixtures, readLensFixtures } from '#engine/fixtures/lens-fixtures.ts';
import type { LensFixtures } from '#engine/fixtures/lens-fixtures.ts';
import { addFixture } from '#engine/fixtures/save-fixture.ts';
import { startFixture } from '#engine/fixtures/start-fixture.ts';
import { runFixtures } from '#engine/fixtures/run-fixtures.ts';
import type { RunFixturesOptions } from '#engine/fixtures/run-fixtures.ts';
import { withoutLens } from '#engine/fixtures/without-lens.ts';
import { defaultHome } from '#engine/home.ts';
import type { AskHow } from '#engine/models/asked-model.ts';
import { Models } from '#engine/models/models.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import { classify } from '#engine/workspace/discovery.ts';
import { StudioError } from '#shared/errors.ts';
import type { TestReport } from '#shared/model/test-report.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';
import { noteProblems } from '../problem-note.ts';
import { requireTargets, writeReportFiles, type Written } from '../report/write-reports.ts';
import { shownPath } from '../shown-path.ts';
import { howToAsk, modelRequest } from '../run/model-words.ts';
import type { ModelWords } from '../run/model-words.ts';
import { inert } from '../terminal.ts';
import { TestPrinter } from '../test/test-printer.ts';
import { findFiles } from '../validate/find-files.ts';

export interface TestSkillsWords extends ModelWords {
  readonly fixtures?: readonly string[];
  readonly fixture?: readonly string[];
  readonly report?: string;
  readonly cache?: true;
  readonly concurrency?: number;
  readonly ab?: true;
  readonly init?: string;
}

interface TestedLens {
  readonly workspace: CommandWorkspace;
  readonly resolution: Resolution;
}

/** Tries the fixtures of lenses; those of the whole workspace where none is named. */
export async function testSkills(
  invocation: Invocation,
  named: readonly string[],
  words: TestSkillsWords,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  await requireTargets(invocation, { ...(words.report !== undefined && { report: words.report }) });
  if (words.manual) throw new InvalidArgumentError('--manual answers one run: use "sunwell apply" for it');
  if (words.init !== undefined) return addFirst(invocation, named, words.init);
  const lenses = named.length > 0 ? await namedLenses(invocation, named) : await testedLenses(invocation);
  const reports: TestReport[] = [];
  const without: TestReport[] = [];
  for (const lens of lenses) {
    using sandbox = openSandbox(invocation, lens.workspace.root);
    const { report, bare } = await testLens(invocation, { ...lens, sandbox }, words);
    reports.push(report);
    if (bare) without.push(bare);
    if (terminal.interrupted.aborted) break;
  }
  const sum = (of: (report: TestReport) => number): number => reports.reduce((all, one) => all + of(one), 0);
  const [passed, failed, errors] = [
    sum((one) => one.passed),
    sum((one) => one.failed),
    sum((one) => one.errors),
  ];
  if (output.isJson) {
    output.document({ reports, ...(words.ab && { without }), passed, failed, errors });
  }
  const written =
    words.report === undefined
      ? ExitCode.ok
      : await writeReports(invocation, { reports, without }, words.report);
  if (terminal.interrupted.aborted) return ExitCode.cancelled;
  return failed + errors > 0 ? ExitCode.failed : written;
}

/** Writes a fixture to be filled in. */
async function addFirst(invocation: Invocation, named: readonly string[], skill: string): Promise<ExitCode> {
  const [lens, ...others] = named;
  if (lens === undefined || others.length > 0)
    throw new InvalidArgumentError('name the one lens that has the skill of --init');
  const { resolution, workspace } = await resolveNamed(invocation, lens);
  const fixture = startFixture(resolution, skill);
  const added = await addFixture(workspace.root, resolution.source.file, fixture);
  const { output } = invocation;
  if (output.isJson) output.document(added);
  else output.note(inert(`Written: "${added.name}" into ${added.file}`));
  return ExitCode.ok;
}

async function namedLenses(invocation: Invocation, named: readonly string[]): Promise<TestedLens[]> {
  const lenses: TestedLens[] = [];
  for (const name of named) lenses.push(await resolveNamed(invocation, name));
  return lenses;
}

/** The lenses and libraries of the workspace that have fixtures; one file of fixtures may be for several of them. */
async function testedLenses(invocation: Invocation): Promise<TestedLens[]> {
  const workspace = await CommandWorkspace.open(invocation);
  const found: TestedLens[] = [];
  using sandbox = openSandbox(invocation, workspace.root);
  for (const file of await workspace.files()) {
    const kind = classify(file);
    const source = workspace.source(join(workspace.root, file));
    if (kind !== 'lens' && kind !== 'library') continue;
    if ((await findFixtures(workspace.root, source.path)) === undefined) continue;
    const resolution = await workspace.resolve(kind, source);
    if (await isMeant(workspace.root, resolution, sandbox)) found.push({ workspace, resolution });
  }
  if (found.length > 0) return found;
  throw new StudioError(
    'fixture.none',
    `Cannot find fixtures in "${workspace.root}": write some into "tests/fixtures.yaml" beside a lens`,
    { workspace: workspace.root },
  );
}

/** Fixtures that all name skills of other lenses are not for this one. */
async function isMeant(root: string, resolution: Resolution, sandbox: Sandbox): Promise<boolean> {
  const { fixtures, diagnostics } = await readLensFixtures({ root, resolution, sandbox });
  const unknown = diagnostics.filter(({ code }) => code === 'fixture.unknown-skill').length;
  return fixtures.length === 0 || unknown < fixtures.length;
}

async function testLens(
  invocation: Invocation,
  { workspace, resolution, sandbox }: TestedLens & { sandbox: Sandbox },
  words: TestSkillsWords,
): Promise<{ report: TestReport; bare?: TestReport }> {
  const { terminal } = invocation;
  const { root } = workspace;
  const home = defaultHome(terminal.machine.environment);
  const paths = words.fixtures && (await filesOf(invocation, words.fixtures));
  const own = await readLensFixtures({ root, resolution, sandbox, paths });
  noteDiagnostics(invocation, own);
  const fixtures = chooseFixtures(own, resolution.source.file, words.fixture);
  noteProblems(invocation, resolution);
  using cache = words.cache ? ActionCache.open(home) : undefined;
  const printer = new TestPrinter(invocation);
  const { environment } = terminal.machine;
  const options: RunFixturesOptions = {
    resolution,
    fixtures,
    runs: {
      ...{ root, sandbox },
      resolve: (file, request) => workspace.resolver.resolve(file, request),
      grants: new GrantStore(home),
      log: new Log(join(home, 'logs')),
      models: new Models({ home, environment, sandbox: () => sandbox }),
      how: howToAskIn(invocation, own, words),
    },
    cache,
    request: { ...modelRequest(words), ...(words.record !== undefined && { concurrency: 1 }) },
    // A recording has its answers in the order in which they were asked for.
    concurrency: words.record === undefined ? words.concurrency : 1,
    signal: terminal.interrupted,
    onEvent: printer.take,
  };
  printer.begin(resolution, own.files);
  const report = await runFixtures(options);
  if (!words.ab) return { report };
  const bare = await runFixtures({
    ...options,
    resolution: withoutLens(resolution),
    request: { ...options.request, noRefine: true },
    onEvent: undefined,
  });
  printer.compare({ with: report, without: bare });
  return { report, bare };
}

/** A recording beside the fixtures answers, unless a model is asked for. */
function howToAskIn(invocation: Invocation, { recording }: LensFixtures, words: TestSkillsWords): AskHow {
  const { terminal, output } = invocation;
  const isChosen = words.model !== undefined || words.record !== undefined || words.replay !== undefined;
  const how = isChosen || recording === undefined ? howToAsk(invocation, words) : { replay: recording };
  if (how.replay !== undefined && !output.isJson) {
    output.note(inert(`Models answer from "${shownPath(terminal.workingDirectory, how.replay)}"`));
  }
  return how;
}

async function filesOf({ terminal }: Invocation, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const word of words) {
    found.push(...(await findFiles(word, terminal.workingDirectory)).map(({ path }) => path));
  }
  return [...new Set(found)];
}

function noteDiagnostics({ output }: Invocation, { diagnostics }: LensFixtures): void {
  for (const { severity, code, message, location } of diagnostics) {
    if (severity === 'info') continue;
    output.note(inert(`${location.file}:${location.line}:${location.column} ${severity} ${code} ${message}`));
  }
}

function writeReports(
  invocation: Invocation,
  tested: { reports: readonly TestReport[]; without: readonly TestReport[] },
  wanted: string,
): Promise<Written> {
  return writeReportFiles(invocation, wanted, {
    junit: async () => (await import('../test/tests-to-junit.ts')).testsToJunit(tested.reports),
    md: async () => (await import('../test/tests-to-markdown.ts')).testsToMarkdown(tested),
    json: () => `${JSON.stringify(tested, null, 2)}\n`,
  });
}
