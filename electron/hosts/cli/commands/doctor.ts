import { defaultHome } from '#engine/home.ts';
import { Models } from '#engine/models/models.ts';
import { doctorDocument } from '#engine/sandbox/doctor-document.ts';
import type { InterpreterReport, SandboxDoctorReport, SandboxReport } from '#engine/sandbox/report.ts';
import { openSandbox } from '../open-sandbox.ts';
import { workspaceFolder } from '../workspace-folder.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { columns } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';

/** Tries the sandbox of this machine and tells all about it; fails where scripts cannot run. */
export async function doctor(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  using sandbox = openSandbox(invocation, workspaceFolder(invocation));
  await sandbox.report({ again: true });
  const report = await sandbox.doctor();
  if (output.isJson) {
    const { environment } = invocation.terminal.machine;
    const { models } = await new Models({ home: defaultHome(environment), environment }).list();
    output.document({ ...doctorDocument(report), models });
  } else print(output, report);
  return report.sandbox.available ? ExitCode.ok : ExitCode.noSandbox;
}

function print(output: Output, { platform, sandbox, node, python, bash }: SandboxDoctorReport): void {
  const { backend, version, available, uid } = sandbox;
  const rows = [
    ['Platform', platform],
    [
      'Sandbox',
      `${backend}${version === undefined ? '' : ` ${version}`}, ${available ? 'works' : 'unavailable'}`,
    ],
    ['Runs as', `user ${uid}`],
    ['Python', interpreterLine(python)],
    ['Node', interpreterLine(node)],
    ['Bash', interpreterLine(bash)],
  ];
  for (const line of columns(rows)) output.line(line);
  for (const { path, why } of [python, node, bash].flatMap(({ passedOver }) => passedOver)) {
    output.line(inert(`  passed over ${path}: ${why}`));
  }
  if (sandbox.problem !== undefined) output.line(`\n${inert(sandbox.problem)}`);
  printSandbox(output, sandbox);
}

function printSandbox(output: Output, { probes, limits, notContained, argv }: SandboxReport): void {
  const head = (text: string): void => output.line(`\n${output.styled('bold', text)}`);
  if (probes.length > 0) {
    head('Ways out that were tried');
    const rows = probes.map(({ name, ok, found }) => [`  ${name}`, ok ? 'held' : `got out: ${found}`]);
    for (const line of columns(rows)) output.line(line);
  }
  if (limits.length > 0) {
    head('Limits');
    for (const sentence of limits) output.line(inert(`  ${sentence}`));
  }
  head('Not contained');
  for (const sentence of notContained) output.line(inert(`  ${sentence}`));
  if (argv.length > 0) {
    head('Started as');
    output.line(`  ${argv.map(shellWord).join(' ')}`);
  }
}

function interpreterLine({ path, version }: InterpreterReport): string {
  return path === undefined ? 'none that is safe' : `${version ?? 'of unknown version'}, ${path}`;
}

/** One argument as a shell would take it, on one line. */
function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const shown = inert(word.replace(/\s*\n\s*/g, ' '));
  return `'${shown.replaceAll("'", `'\\''`)}'`;
}
