import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findAppRoot } from '#engine/store/app-root.ts';
import { defaultHome } from '#engine/home.ts';
import { isApplyLeft } from '#engine/run/apply/take-back-killed.ts';
import { findKeptPlan, type FoundPlan } from '#engine/run/kept/find-kept-plan.ts';
import { planOf } from '#engine/run/kept/kept-plan.ts';
import { repeatRun } from '#engine/run/kept/repeat-run.ts';
import { outliveOutput, outliveReader } from './closed-pipe.ts';
import { kindByName } from './kind-by-name.ts';
import { planLines } from './plan-lines.ts';
import { noteCounted } from './problem-note.ts';
import { summaryLine } from './run/run-summary.ts';
import { cachedLine } from './run/step-line.ts';
import { Output, type Sink, type Terminal } from './terminal.ts';
import { workspaceFolderOf } from './workspace-folder.ts';
import { writeNow } from './write-now.ts';

/** What of a terminal is needed to answer quickly. */
export type QuickTerminal = Omit<Terminal, 'interrupted' | 'ask' | 'typeText' | 'readInput'>;

/** Answers on the streams of this process. */
export async function answer(words: readonly string[]): Promise<boolean> {
  let workingDirectory: string;
  try {
    workingDirectory = process.cwd();
  } catch {
    return false; // The folder was removed, which the whole command tells.
  }
  return answerQuickly(words, {
    stdout: sinkOf(1, () => process.stdout, outliveOutput),
    stderr: sinkOf(2, () => process.stderr, outliveReader),
    machine: { platform: process.platform, environment: process.env },
    workingDirectory,
    appRoot: findAppRoot(import.meta.url),
  });
}

/** The stream itself is opened only where it must be waited for, or a person may sit in front of it. */
function sinkOf(
  fd: 1 | 2,
  open: () => NodeJS.WriteStream,
  guard: (stream: NodeJS.WriteStream) => void,
): Sink {
  return {
    write: (text) => {
      const bytes = Buffer.from(text);
      const written = writeNow(fd, bytes);
      if (written === bytes.length) return;
      guard(open());
      open().write(bytes.subarray(written));
    },
    get isTTY() {
      return open().isTTY;
    },
  };
}

/**
 * Answers a plan or a run of a whole lens where an earlier command kept the plan and nothing changed since: without the
 * sandbox, the cache, the lens or the words of other commands, whose loading takes longer than all there is to do. False
 * where nothing was printed and the command has to be done as usual.
 */
export async function answerQuickly(
  words: readonly string[],
  terminal: QuickTerminal,
  build?: string,
): Promise<boolean> {
  const startedAt = Date.now();
  const asked = askedBy(words);
  if (!asked) return false;
  const { environment } = terminal.machine;
  const home = homeOf(environment);
  // Nothing is kept where there is none; whether it can be made is told by the whole command.
  if (home === undefined || !existsSync(home)) return false;
  const path = resolve(terminal.workingDirectory, asked.file);
  const kind = kindByName(path);
  if (kind !== 'lens' && kind !== 'library') return false;
  const place = {
    home,
    root: workspaceFolderOf({ terminal, workspace: undefined }, path),
    library: join(terminal.appRoot, 'resources', 'library'),
    path,
  };
  // What a killed process left half written is taken back by the whole command.
  if (isApplyLeft(place)) return false;
  const found = await findKeptPlan({ ...place, environment }, build);
  if (!found) return false;
  return asked.command === 'plan'
    ? print(found, path, terminal)
    : run(found, { ...place, startedAt }, terminal);
}

/** Only the plainest words, which mean the whole lens and no inputs; commander reads all others. */
function askedBy(words: readonly string[]): { command: 'plan' | 'run'; file: string } | undefined {
  const [first = '', second = '', third = ''] = words;
  if (words.length !== 3) return undefined;
  if (first === 'lens' && second === 'skill-plan') return fileOf('plan', third);
  if (first === 'apply' && third === '--all') return fileOf('run', second);
  return undefined;
}

function fileOf<Command>(command: Command, file: string): { command: Command; file: string } | undefined {
  return file === '' || file.startsWith('-') ? undefined : { command, file };
}

function print({ plan, problems }: FoundPlan, path: string, terminal: QuickTerminal): true {
  const output = new Output(terminal, { isJson: false, mayColor: true });
  output.line(planLines(planOf(plan, new Date())).join('\n'));
  noteCounted({ output, terminal }, path, problems);
  return true;
}

function run(
  found: FoundPlan,
  place: { home: string; root: string; path: string; startedAt: number },
  terminal: QuickTerminal,
): boolean {
  const repeated = repeatRun(found, place);
  if (!repeated) return false;
  const output = new Output(terminal, { isJson: false, mayColor: true });
  noteCounted({ output, terminal }, place.path, found.problems);
  const { cached } = repeated;
  const lines = found.plan.steps.map(([skill]) => cachedLine(skill, output));
  lines.push(summaryLine({ ...repeated, counts: [['cached', cached]] }));
  output.note(lines.join('\n'));
  return true;
}

function homeOf(environment: NodeJS.ProcessEnv): string | undefined {
  try {
    return defaultHome(environment);
  } catch {
    return undefined; // There is none, which the whole command tells.
  }
}
