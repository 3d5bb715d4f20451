import { resolve } from 'node:path';
import { exportJudgment, exportSkills } from '#engine/agent-skills/export-skills.ts';
import type { ExportedTree } from '#engine/agent-skills/export-skills.ts';
import { executeWrite, planWrite, previewOf } from '#engine/agent-skills/write-trees.ts';
import { countText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import { pickInLens } from '../find-skill.ts';
import type { Invocation } from '../invocation.ts';
import { printFiles } from '../print-files.ts';
import { noteProblems } from '../problem-note.ts';
import { shownPath } from '../shown-path.ts';
import { inert } from '../terminal.ts';

export interface ExportOptions {
  readonly format: 'agentskills';
  readonly output: string;
  readonly dryRun?: true;
}

/** Writes a lens with all its skills, or one skill of it, as Agent Skill folders. */
export async function exportCommand(
  invocation: Invocation,
  word: string,
  options: ExportOptions,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  const hash = word.lastIndexOf('#');
  const { resolution } = await resolveNamed(invocation, hash > 0 ? word.slice(0, hash) : word);
  const trees: ExportedTree[] = [];
  if (hash > 0) {
    trees.push(
      ...(await exportSkills(resolution, [pickInLens(resolution, word.slice(hash + 1), word).skill])),
    );
  } else {
    const skills = await exportSkills(resolution);
    const judgment = exportJudgment(
      resolution,
      skills.map(({ name }) => name),
    );
    trees.push(...(judgment ? [judgment] : []), ...skills);
  }
  const folder = resolve(terminal.workingDirectory, options.output);
  const plan = await planWrite(folder, trees);
  const isDry = options.dryRun === true;
  if (!isDry) await executeWrite(plan);
  const files = previewOf(plan);
  if (output.isJson) {
    const skills = trees.map(({ name, origin }) => ({ name, origin }));
    output.document({ folder, skills, files, dryRun: isDry });
  } else {
    printFiles(output, files);
    const verb = isDry ? 'would go' : 'exported';
    const place = shownPath(terminal.workingDirectory, folder);
    output.line(inert(`${countText(trees.length, 'skill')} ${verb} into ${place}`));
  }
  noteProblems(invocation, resolution);
  return ExitCode.ok;
}
