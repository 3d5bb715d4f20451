import type { CommandWords, OptionWords, Value, ValueKind } from './command-words.ts';
import { fishQuoted } from './quote.ts';

/** A script for fish 3 or newer, to be sourced or to be put into its folder of completions as "sunwell.fish". */
export function toFish(commands: readonly CommandWords[]): string {
  return `# Completes "sunwell" in fish; printed by "sunwell completion fish"

${variable('__sunwell_commands', commands.map(({ path }) => path).filter(Boolean))}
${variable('__sunwell_takes', commands.flatMap(flagsWithValues))}

# Whether the cursor is in a command, and there at a word from one number to another.
function __sunwell_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l at
    set -l count 0
    set -l is_value 0
    for word in $words
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $word
            case '-*'
                if contains -- (string join -- ' ' $at $word) $__sunwell_takes
                    set is_value 1
                end
            case '*'
                if test $count = 0; and contains -- (string join -- ' ' $at $word) $__sunwell_commands
                    set at $at $word
                else
                    set count (math $count + 1)
                end
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test (count $argv) = 1; and return 0
    test $count -ge $argv[2]; and test $count -le $argv[3]
end

complete -c sunwell -f
${commands.flatMap(lines).join('\n')}
`;
}

function variable(name: string, words: readonly string[]): string {
  return `set -g ${name} ${words.map(fishQuoted).join(' ')}`;
}

/** Only those whose value is always the next word. */
function flagsWithValues({ path, options }: CommandWords): string[] {
  return options.flatMap(({ flags, value }) =>
    value?.isRequired ? flags.map((flag) => (path === '' ? flag : `${path} ${flag}`)) : [],
  );
}

function lines({ path, commands, options, values }: CommandWords): string[] {
  const complete = (place: string, ...words: string[]): string =>
    ['complete -c sunwell -n', fishQuoted(`__sunwell_at ${fishQuoted(path)}${place}`), ...words].join(' ');
  return [
    ...commands.map(({ name, description }) =>
      complete(' 0 0', '-a', fishQuoted(name), '-d', fishQuoted(description)),
    ),
    ...options.map((option) => complete('', ...optionParts(option))),
    ...values.flatMap((value, index) => {
      const parts = valueParts(value.kind);
      return parts.length > 0 ? [complete(` ${index} ${value.isVariadic ? 999 : index}`, ...parts)] : [];
    }),
  ];
}

function optionParts({ flags, description, value }: OptionWords): string[] {
  return [
    ...flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)),
    ...(value?.isRequired ? optionValue(value) : []),
    `-d ${fishQuoted(description)}`,
  ];
}

function optionValue({ kind }: Value): string[] {
  // Without "-x" fish offers files beside what is named.
  return [kind === 'file' || kind === 'keyed-file' ? '-r' : '-x', ...valueParts(kind)];
}

function valueParts(kind: ValueKind): string[] {
  switch (kind) {
    case 'lens':
      return ["-k -a '(__fish_complete_suffix .lens)'"];
    case 'folder':
      return ["-a '(__fish_complete_directories)'"];
    case 'file':
    case 'keyed-file':
      return ['-F'];
    case 'any':
      return [];
    default:
      return [`-a ${fishQuoted(kind.join(' '))}`];
  }
}
