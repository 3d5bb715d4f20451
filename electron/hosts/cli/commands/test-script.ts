import { basename, extname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ScriptOutcome } from '#engine/sandbox/run-script.ts';
import { StudioError } from '#shared/errors.ts';
import { canonicalJson } from '#shared/graph/canonical-json.ts';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import { workspaceFolderOf } from '../workspace-folder.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';
import { readInputText, readJson } from '../read-json.ts';
import { inert } from '../terminal.ts';
import { textDiff } from '../text-diff.ts';

export interface TestScriptOptions {
  readonly input: string;
  readonly expected: string;
}

const languages: Readonly<Record<string, ScriptLanguage>> = {
  '.py': 'python',
  '.js': 'node',
  '.mjs': 'node',
  '.sh': 'bash',
  '.bash': 'bash',
};

/** Runs one script file with nothing but its input, and compares what it delivers with what is expected. */
export async function testScript(
  invocation: Invocation,
  file: string,
  options: TestScriptOptions,
): Promise<ExitCode> {
  const { terminal, output } = invocation;
  const language = languages[extname(file).toLowerCase()];
  if (!language) {
    const known = Object.keys(languages).join(', ');
    throw new StudioError('file.unknown-kind', `Cannot run "${file}": its name ends with none of ${known}`, {
      file,
    });
  }
  const content = await readInputText(invocation, file);
  const input = await readJson(invocation, options.input);
  const expected = await readJson(invocation, options.expected);
  const path = resolve(terminal.workingDirectory, file);
  using sandbox = openSandbox(invocation, workspaceFolderOf(invocation, path));
  const outcome = await sandbox.run({
    script: { name: basename(file), language, source: { content } },
    input,
    signal: terminal.interrupted,
    onOutput: (stream, text) => void (stream === 'stderr' && terminal.stderr.write(text)),
  });
  if (outcome.cancelled) terminal.interrupted.throwIfAborted();
  const judged = judge(outcome, expected);
  const { exitCode, durationMs, limitsHit, stderr } = outcome;
  if (output.isJson) {
    output.document({
      file,
      passed: judged.problem === undefined,
      ...judged,
      exitCode: exitCode ?? null,
      durationMs: Math.round(durationMs),
      limitsHit,
      stderr,
    });
  } else if (judged.problem === undefined) output.line(inert(`"${file}" delivers what is expected`));
  else {
    output.note(inert(`Script "${file}" ${judged.problem}`));
    terminal.stdout.write(judged.diff ?? '');
  }
  return judged.problem === undefined ? ExitCode.ok : ExitCode.failed;
}

interface Judged {
  /** The words after the script's name; undefined when it passed. */
  readonly problem?: string;
  readonly diff?: string;
  readonly delivered?: unknown;
}

function judge(outcome: ScriptOutcome, expected: unknown): Judged {
  const { exitCode, limitsHit, output, stdout } = outcome;
  if (exitCode === undefined) return { problem: `hit its limit of ${limitsHit.join(', ')}` };
  if (exitCode !== 0) return { problem: `ended with exit code ${exitCode}` };
  let delivered: unknown;
  try {
    delivered = JSON.parse(output ?? stdout);
  } catch {
    const where = output === undefined ? 'printed' : 'wrote to $SUNWELL_OUTPUT';
    return { problem: `${where} something other than JSON` };
  }
  if (isDeepStrictEqual(delivered, expected)) return { delivered };
  const diff = textDiff('output.json', prettyJson(expected), prettyJson(delivered));
  return { problem: 'delivers something else than is expected', diff, delivered };
}

/** Lines that differ only where the values do. */
function prettyJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`);
}
