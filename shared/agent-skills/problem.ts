import type { agentSkillRows } from './diagnostic-rows.ts';
import type { Location, Severity } from '../model/diagnostic.ts';

/** How a SKILL.md is judged: by the letter of the specification, or so that whatever can be used is used. */
export type SkillProfile = 'strict' | 'lenient';

/** A place in the one file that is read: 1-based lines and columns, end exclusive. */
export type Place = Omit<Location, 'file'>;

export type SkillProblemCode = keyof typeof agentSkillRows;

/** Something that is wrong with an Agent Skill, with its place in SKILL.md. */
export interface SkillProblem extends Place {
  readonly code: SkillProblemCode;
  readonly severity: Severity;
  readonly message: string;
}

/** The first characters of a file, where no better place is known. */
export const topOfFile: Place = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Collects the problems of one SKILL.md under one profile. */
export class SkillProblems {
  readonly list: SkillProblem[] = [];
  readonly #profile: SkillProfile;

  constructor(profile: SkillProfile) {
    this.#profile = profile;
  }

  /** What makes a skill useless under any profile. */
  error(code: SkillProblemCode, place: Place, message: string): void {
    this.#add(code, 'error', place, message);
  }

  /** What the specification forbids and a client can live with. */
  violation(code: SkillProblemCode, place: Place, message: string): void {
    this.#add(code, this.#profile === 'strict' ? 'error' : 'warning', place, message);
  }

  warning(code: SkillProblemCode, place: Place, message: string): void {
    this.#add(code, 'warning', place, message);
  }

  /** What the specification allows and a person may want to know. */
  info(code: SkillProblemCode, place: Place, message: string): void {
    this.#add(code, 'info', place, message);
  }

  #add(code: SkillProblemCode, severity: Severity, place: Place, message: string): void {
    const { line, column, endLine, endColumn } = place;
    this.list.push({ code, severity, message, line, column, endLine, endColumn });
  }
}
