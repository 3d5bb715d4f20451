import { StudioError } from '#shared/errors.ts';

/** Why a skill could not be found, read or written, for programs. */
export type SkillErrorReason =
  | 'not_found'
  | 'not_directory'
  | 'missing_skill_md'
  | 'invalid_frontmatter'
  | 'invalid_name'
  | 'duplicate'
  | 'too_large'
  | 'unsafe'
  | 'already_mounted'
  | 'changed'
  | 'no_home'
  | 'io';

type Details = Readonly<Record<string, unknown>>;

/** There is no skill where one was named. */
export class SkillNotFoundError extends StudioError {
  readonly reason = 'not_found';

  constructor(message: string, details: Details = {}) {
    super('agent-skill.not-found', message, { ...details, reason: 'not_found' });
  }
}

/** What was named is there and is no usable skill. */
export class SkillValidationError extends StudioError {
  readonly reason: SkillErrorReason;

  constructor(reason: SkillErrorReason, message: string, details: Details = {}) {
    super('agent-skill.invalid', message, { ...details, reason });
    this.reason = reason;
  }
}

/** A usable skill could not be put where it belongs; nothing of it is left there. */
export class SkillMountError extends StudioError {
  readonly reason: SkillErrorReason;

  constructor(reason: SkillErrorReason, message: string, details: Details = {}) {
    super('agent-skill.not-mounted', message, { ...details, reason });
    this.reason = reason;
  }
}
