import { StudioError } from '#shared/errors.ts';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { Limits } from './limits.ts';
import type { OnOutput } from './run-script.ts';

/** One script to run, by the script protocol. */
export interface ScriptRequest {
  readonly script: {
    /** A plain file name, shown to the user; where the script lies in the sandbox does not depend on it. */
    readonly name: string;
    readonly language: ScriptLanguage;
    /** The script itself, or its path among the skill's staged files. */
    readonly source: { readonly content: string | Uint8Array } | { readonly pathInSkill: string };
    readonly args?: readonly string[];
  };
  /** `{task, inputs, params, content?}`, or bytes as they are; the script finds it on standard input and in the file $SUNWELL_INPUT. */
  readonly input: unknown;
  /** Added to what every script has. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder of a staged view; without one the script sees an empty workspace. */
  readonly workspace?: string | undefined;
  /** Folder of the staged files of the skill. */
  readonly skill?: string | undefined;
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: OnOutput | undefined;
}

const maxInputBytes = 16 * 1024 * 1024;
/** The kernel takes no longer one, and not many more in all. */
const maxArguments = { bytesEach: 128 * 1024 - 1, bytes: 1024 * 1024, count: 4000 };

/** Refuses what the protocol does not allow, before anything is started. */
export function checkRequest({ script }: ScriptRequest): void {
  if (!isPlainName(script.name)) {
    throw new StudioError(
      'script.bad-name',
      `Cannot run script ${JSON.stringify(script.name)}: its name is not a plain file name`,
    );
  }
  if ('pathInSkill' in script.source) {
    const parts = script.source.pathInSkill.split('/');
    if (!parts.every(isPlainName)) {
      throw new StudioError(
        'script.not-in-skill',
        `Cannot run ${JSON.stringify(script.source.pathInSkill)}: it is not a path within the skill`,
      );
    }
  }
  if (script.args?.some((arg) => arg.includes('\0'))) {
    throw new StudioError(
      'script.bad-name',
      `Cannot run "${script.name}": an argument contains a NUL character`,
    );
  }
  checkSizes(script.name, script.args ?? []);
}

/** Without it the script would end with 126 and no word. */
function checkSizes(name: string, args: readonly string[]): void {
  const sizes = args.map((arg) => Buffer.byteLength(arg));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const long = sizes.findIndex((size) => size > maxArguments.bytesEach);
  const refuse = (problem: string, most: number): never => {
    const wayOut = 'pass it as an input, which scripts read from $SUNWELL_INPUT';
    throw new StudioError(
      'script.too-large',
      `Cannot run "${name}": ${problem}, and the most is ${most}; ${wayOut}`,
    );
  };
  if (long >= 0) refuse(`argument ${long + 1} is ${sizes[long]} bytes long`, maxArguments.bytesEach);
  if (all > maxArguments.bytes) refuse(`its arguments are ${all} bytes long`, maxArguments.bytes);
  if (args.length > maxArguments.count) refuse(`it has ${args.length} arguments`, maxArguments.count);
}

/** The input as the script reads it. */
export function encodeInput(input: unknown): Buffer {
  const bytes = Buffer.from(input instanceof Uint8Array ? input : JSON.stringify(input ?? {}));
  if (bytes.length > maxInputBytes) {
    throw new StudioError(
      'script.too-large',
      `Cannot pass ${bytes.length} bytes of input to a script: the most is ${maxInputBytes}`,
    );
  }
  return bytes;
}

/** Separators and control characters, by their numbers: to look their class up takes longer than all the names of a run. */
const notPlain = /[/\\\0-\x1f\x7f-\x9f]/;

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= 255 && !notPlain.test(name);
}
