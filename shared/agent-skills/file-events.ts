/** Which skills an agent would see now, each pinned by the hash of its folder. */
export interface SkillsDiscovered {
  readonly type: 'skills_discovered';
  readonly skills: readonly { readonly name: string; readonly file: string; readonly sha256: string }[];
  readonly shadowed: number;
  readonly skipped: number;
}

/** Skills that were put where an agent looks for them: those made from a lens, and those copied from a folder. */
export interface SkillsInstalled {
  readonly type: 'skills_installed';
  readonly inline: readonly string[];
  readonly referenced: readonly string[];
  readonly dir: string;
}
