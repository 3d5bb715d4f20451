import { relative, resolve, sep } from 'node:path';
import { importSkill, planImport } from '#engine/agent-skills/import-skill.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { countText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import { findLens } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { printFiles } from '../print-files.ts';
import { inert } from '../terminal.ts';

export interface ImportOptions {
  readonly into: string;
  readonly name?: string;
  readonly dryRun?: true;
}

/** Copies an Agent Skill beside a lens, adds it to the lens, and says what the lens makes no use of. */
export async function importCommand(
  invocation: Invocation,
  word: string,
  { into, name, dryRun }: ImportOptions,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  const { source } = await findLens(invocation, into);
  const { root } = source.place;
  const plan = await planImport({
    root,
    lens: relative(root, source.path).split(sep).join('/') as FileId,
    source: { kind: 'path', path: resolve(terminal.workingDirectory, word) },
    ...(name === undefined ? {} : { name }),
  });
  const isDry = dryRun === true;
  if (!isDry) await importSkill(plan);
  if (output.isJson) {
    const { lens, folder, files, notes } = plan;
    output.document({ name: plan.name, lens, folder, files, notes, dryRun: isDry });
    return ExitCode.ok;
  }
  printFiles(output, plan.files);
  const verb = isDry ? 'would be imported' : 'imported';
  output.line(
    inert(
      `"${plan.name}" ${verb} into ${plan.lens}: ${countText(plan.files.length, 'file')} in ${plan.folder}`,
    ),
  );
  for (const { what, why } of plan.notes) output.note(inert(`${what}: ${why}`));
  return ExitCode.ok;
}
