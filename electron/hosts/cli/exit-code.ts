import type { ErrorCode } from '#shared/errors.ts';

/** What a finished command tells the shell. */
export const ExitCode = {
  ok: 0,
  /** The work failed: a skill or a verdict failed, problems were found, a port was taken. */
  failed: 1,
  /** The command line is wrong, or names something that cannot be read. */
  usage: 2,
  noSandbox: 3,
  cancelled: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code of a refused request: what the user named wrongly or what cannot be read is usage, the rest failed. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  if (code === 'sandbox.unavailable') return ExitCode.noSandbox;
  const isInput =
    /^(workspace|file|fixture|graph|lens|lock|skill|model|config)\./.test(code) &&
    code !== 'file.unwritable' &&
    code !== 'config.unwritable' &&
    code !== 'file.changed';
  const isWord = words.has(code);
  return isInput || isWord ? ExitCode.usage : ExitCode.failed;
}

const words: ReadonlySet<ErrorCode> = new Set([
  'agent-skill.not-found',
  'cache.no-entry',
  'host.exposed',
  'run.unknown',
  'home.unusable',
  'fount.bad-reference',
  'fount.not-in-lock',
  'trust.cannot-ask',
  'trust.unknown-grant',
]);
