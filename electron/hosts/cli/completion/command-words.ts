import type { Argument, Command, Option } from 'commander';

/** What can stand in the place of a value: a lens, a folder, a file, a file behind "key=", one of these words, or anything. */
export type ValueKind = 'lens' | 'folder' | 'file' | 'keyed-file' | 'any' | readonly string[];

export interface Value {
  readonly name: string;
  readonly kind: ValueKind;
  readonly isRequired: boolean;
  /** Whether it is also what comes after it. */
  readonly isVariadic: boolean;
}

export interface OptionWords {
  /** Short before long. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly value: Value | undefined;
}

/** One command with all words that may follow it. */
export interface CommandWords {
  /** The words that lead to it, separated by spaces; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionWords[];
  readonly values: readonly Value[];
}

/** The program and all its commands, each after the one that it belongs to. */
export function commandWords(program: Command): CommandWords[] {
  return wordsOf(program, '');
}

function wordsOf(command: Command, path: string): CommandWords[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  const commands = help.visibleCommands(command);
  const options = [
    ...help.visibleOptions(command),
    // The version is asked of the program, not of a command.
    ...help.visibleGlobalOptions(command).filter(({ long }) => long !== '--version'),
  ];
  return [
    {
      path,
      commands: commands.map((each) => ({ name: each.name(), description: each.description() })),
      options: options.map(optionWords),
      values: command.registeredArguments.map(argumentValue),
    },
    ...commands.flatMap((each) => wordsOf(each, path === '' ? each.name() : `${path} ${each.name()}`)),
  ];
}

function optionWords(option: Option): OptionWords {
  const { short, long, flags, description, argChoices, required, variadic } = option;
  const name = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1];
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value:
      name === undefined
        ? undefined
        : {
            name,
            kind: argChoices ?? kindOf(name, description),
            isRequired: required,
            isVariadic: variadic,
          },
  };
}

function argumentValue(argument: Argument): Value {
  const { argChoices, description, required, variadic } = argument;
  const name = argument.name();
  return { name, kind: argChoices ?? kindOf(name, description), isRequired: required, isVariadic: variadic };
}

/** Values with other names are paths where their description says so, such as a skill that may be a folder. */
function kindOf(name: string, description: string): ValueKind {
  if (name === 'lens') return 'lens';
  if (name === 'dir') return 'folder';
  if (name === 'key=path') return 'keyed-file';
  return name === 'file' || /\b(?:files?|folders?)\b/.test(description) ? 'file' : 'any';
}
