import type { Location } from '#shared/model/diagnostic.ts';
import type { Dependency, Skill } from '#shared/model/skill.ts';
import type { SkillOrigin } from './libraries.ts';
import type { SourceFile } from './place.ts';

/** Where a bare name is looked up: in a lens with its sources, or in a library. */
export interface Scope {
  readonly label: string;
  lookup(name: string): Promise<readonly Candidate[]>;
  /** Names that can be meant here, for suggestions. */
  names(): readonly string[];
}

/** A definition that a name can mean, before its references are followed. */
export interface Candidate {
  readonly id: string;
  readonly skill: Skill;
  readonly source: SourceFile;
  readonly kind: SkillOrigin;
  readonly scope: Scope;
  readonly overrides?: Location;
}

/** The SKILL.md that a skill is defined by; `isWhole` where nothing was laid over it. */
export interface SkillFile {
  readonly file: SourceFile;
  readonly isWhole: boolean;
}

/** A definition with its references followed: each part remembers the file that its paths are relative to. */
export interface Definition {
  readonly skill: Skill;
  readonly kind: SkillOrigin;
  readonly scriptsFrom: SourceFile;
  readonly resourcesFrom: SourceFile;
  readonly skillFile?: SkillFile;
  readonly dependencies: readonly {
    readonly dependency: Dependency;
    readonly scope: Scope;
    readonly source: SourceFile;
  }[];
}
