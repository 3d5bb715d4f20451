import type { LibrarySkill } from '#engine/resolve/libraries.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { allLibraries, libraryReference, noLibrary, openForLibrary } from '../skill-catalog.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';

/** One skill as `sunwell skills list --json` prints it. */
export interface ListedSkill {
  readonly id: string;
  readonly name: string;
  /** Null where the entry takes it from another library. */
  readonly description: string | null;
  readonly library: string;
  readonly source: string;
  readonly trust: string;
  readonly type: string;
}

/** Lists the skills of one library, or of all libraries and Agent Skills that lenses of the workspace can use. */
export async function skillsList(invocation: Invocation, named: string | undefined): Promise<ExitCode> {
  const { output, terminal } = invocation;
  const workspace =
    named === undefined ? await CommandWorkspace.open(invocation) : await openForLibrary(invocation, named);
  const references =
    named === undefined
      ? await allLibraries(workspace)
      : [await libraryReference(invocation, workspace, named)];
  const skills: ListedSkill[] = [];
  for (const reference of references) {
    terminal.interrupted.throwIfAborted();
    const library = await (await workspace.libraries()).load(reference, workspace.top);
    if (!('problem' in library)) skills.push(...library.skills.map(listed));
    else if (named !== undefined) throw noLibrary(named, library.problem);
    else output.note(inert(`Cannot read a library: ${library.problem}`));
  }
  if (output.isJson) output.document(skills);
  else if (skills.length === 0) output.note(inert(`No skills in "${named ?? workspace.root}"`));
  else {
    const rows = skills.map(({ name, type, source, library }) => [name, type, source, library]);
    printTable(output, ['NAME', 'TYPE', 'SOURCE', 'LIBRARY'], rows);
  }
  return ExitCode.ok;
}

function listed(found: LibrarySkill): ListedSkill {
  const { skill, library, kind } = found;
  return {
    id: library.idOf(found),
    name: skill.name,
    description: skill.description ?? null,
    library: library.label,
    source: kind,
    trust: skill.trust ?? skillDefaults.trust,
    type: skill.type,
  };
}
