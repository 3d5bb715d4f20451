import type { CommandWords, OptionWords, Value, ValueKind } from './command-words.ts';
import { shellQuoted } from './quote.ts';

/** A script for zsh, to be sourced or to be put into its `fpath` as "_sunwell". */
export function toZsh(commands: readonly CommandWords[]): string {
  return `#compdef sunwell
# Completes "sunwell" in zsh; printed by "sunwell completion zsh"

_sunwell_keyed_file() {
  compset -P '*=' && _files || _message 'key=path'
}

${commands.map((each) => (each.commands.length > 0 ? group(each) : leaf(each))).join('\n')}
# Called by its file in fpath, or sourced.
if [[ $funcstack[1] == _sunwell ]]; then
  _sunwell "$@"
else
  compdef _sunwell sunwell
fi
`;
}

/** A command of commands: which one it is decides about all words behind it. */
function group({ path, commands, options }: CommandWords): string {
  const pathOf = (name: string): string => (path === '' ? name : `${path} ${name}`);
  return `${functionName(path)}() {
  local curcontext=$curcontext state state_descr line ret=1
  typeset -A opt_args
  local -a subcommands
  subcommands=(
${commands.map(({ name, description }) => `    ${shellQuoted(`${name}:${description}`)}\n`).join('')}  )
  _arguments -C \\
${options.flatMap(optionSpecs).map(specLine).join('')}    '(-): :->command' \\
    '(-)*:: :->words' && ret=0
  case $state in
    command) _describe -t commands command subcommands && ret=0 ;;
    words)
      case $words[1] in
${commands.map(({ name }) => `        ${name}) ${functionName(pathOf(name))} && ret=0 ;;\n`).join('')}      esac
      ;;
  esac
  return ret
}
`;
}

function leaf({ path, options, values }: CommandWords): string {
  const specs = [...options.flatMap(optionSpecs), ...values.map(valueSpec)];
  return `${functionName(path)}() {
  _arguments -S \\
${specs
  .map(specLine)
  .join('')
  .replace(/ \\\n$/, '\n')}}
`;
}

function functionName(path: string): string {
  return ['_sunwell', ...path.split(' ').filter(Boolean)].join('_');
}

function specLine(spec: string): string {
  return `    ${shellQuoted(spec)} \\\n`;
}

function optionSpecs({ flags, description, value }: OptionWords): string[] {
  // Most options with a value may be repeated, and only such an option is offered twice.
  const others = value ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : '';
  const behind = value ? `:${value.isRequired ? '' : ':'}${plain(value.name)}:${action(value.kind)}` : '';
  return flags.map((flag) => {
    // With "=" the value may stand in the same word too.
    const equals = value?.isRequired && flag.startsWith('--') ? '=' : '';
    return `${others}${flag}${equals}[${plain(description)}]${behind}`;
  });
}

function valueSpec({ name, kind, isRequired, isVariadic }: Value, index: number): string {
  const place = isVariadic ? '*' : `${index + 1}${isRequired ? '' : ':'}`;
  return `${place}:${plain(name)}:${action(kind)}`;
}

function action(kind: ValueKind): string {
  switch (kind) {
    case 'lens':
      // Other files are offered where no lens fits.
      return '_files -g "*.lens"';
    case 'folder':
      return '_files -/';
    case 'file':
      return '_files';
    case 'keyed-file':
      return '_sunwell_keyed_file';
    case 'any':
      // Shows the name of the value and offers nothing.
      return ' ';
    default:
      return `(${kind.join(' ')})`;
  }
}

/** Text in which nothing ends a description or a field. */
function plain(text: string): string {
  return text.replace(/[\\[\]:]/g, String.raw`\$&`);
}
