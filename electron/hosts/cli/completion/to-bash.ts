import type { CommandWords, OptionWords, Value, ValueKind } from './command-words.ts';
import { shellQuoted } from './quote.ts';

/** A script for bash 3.2 or newer that completes without starting a process of ours. */
export function toBash(commands: readonly CommandWords[]): string {
  return `# Completes "sunwell" in bash; printed by "sunwell completion bash"

# What may follow a command, into the variables of _sunwell.
_sunwell_words() {
  commands='' flags='' takes=() may_take=() values=() rest=''
  case $1 in
${commands.map(branch).join('\n')}
  esac
}

${walk}
complete -F _sunwell sunwell
`;
}

function branch({ path, commands, options, values }: CommandWords): string {
  const last = values.at(-1);
  const lines = [
    commands.length > 0 && `commands=${shellQuoted(commands.map(({ name }) => name).join(' '))}`,
    `flags=${shellQuoted(options.flatMap(({ flags }) => flags).join(' '))}`,
    pairs('takes', options, ({ isRequired }) => isRequired),
    pairs('may_take', options, ({ isRequired }) => !isRequired),
    values.length > 0 && `values=(${values.map(({ kind }) => kindWord(kind)).join(' ')})`,
    last?.isVariadic && `rest=${kindWord(last.kind)}`,
  ].filter((line) => typeof line === 'string');
  return `    ${shellQuoted(path)})\n${lines.map((line) => `      ${line}\n`).join('')}      ;;`;
}

/** An array of flags, each with the kind of its value behind it. */
function pairs(name: string, options: readonly OptionWords[], isWanted: (value: Value) => boolean) {
  const words = options.flatMap(({ flags, value }) =>
    value && isWanted(value) ? flags.map((flag) => `${flag} ${kindWord(value.kind)}`) : [],
  );
  return words.length > 0 && `${name}=(${words.join(' ')})`;
}

function kindWord(kind: ValueKind): string {
  return typeof kind === 'string' ? kind : shellQuoted(`=${kind.join(' ')}`);
}

const walk = `# The kind of value behind a flag, into $kind; empty for a flag without one.
_sunwell_kind() {
  local i
  kind='' is_optional=''
  for ((i = 0; i < \${#takes[@]}; i += 2)); do
    [[ \${takes[i]} == "$1" ]] && kind=\${takes[i + 1]}
  done
  for ((i = 0; i < \${#may_take[@]}; i += 2)); do
    [[ \${may_take[i]} == "$1" ]] && kind=\${may_take[i + 1]} is_optional=1
  done
}

_sunwell() {
  local IFS=$' \\t\\n'
  local commands flags takes may_take values rest
  local path='' kind='' is_optional='' is_ended='' count=0
  local words=() word i is_joined='' typed current before='' found=''

  # Bash splits words at "=" and ":" too, and replaces only what is behind them.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]} typed=$word
    [[ -n $word && -z \${word//[=:]/} ]] && is_joined=1 typed=''
    if [[ -n $is_joined && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    [[ -n $typed ]] && is_joined=''
  done

  _sunwell_words ''
  for ((i = 0; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $kind ]]; then
      kind=''
      [[ -n $is_optional && $word == -* ]] || continue
    fi
    if [[ -z $is_ended && $word == -- ]]; then
      is_ended=1
    elif [[ -z $is_ended && $word == -* ]]; then
      [[ $word == *=* ]] || _sunwell_kind "$word"
    elif [[ $count == 0 && " $commands " == *" $word "* ]]; then
      path=\${path:+$path }$word
      _sunwell_words "$path"
    else
      count=$((count + 1))
    fi
  done

  current=\${words[\${#words[@]} - 1]}
  local prefix=\${current%"$typed"}
  if [[ -n $kind && ! (-n $is_optional && $current == -*) ]]; then
    :
  elif [[ -z $is_ended && $current == --*=* ]]; then
    before=\${current%%=*}
    _sunwell_kind "$before"
    before+='=' current=\${current#*=}
  elif [[ -z $is_ended && $current == -* ]]; then
    kind="=$flags"
  elif [[ -n $commands ]]; then
    [[ $count == 0 ]] && kind="=$commands"
  else
    kind=\${values[count]:-$rest}
  fi

  if [[ $kind == keyed-file && $current == *=* ]]; then
    kind=file before+=\${current%%=*}= current=\${current#*=}
  fi
  case $kind in
    =*) found=$(compgen -W "\${kind#=}" -- "$current") ;;
    lens)
      found=$(compgen -f -X '!*.lens' -- "$current"; compgen -d -- "$current")
      [[ -n $found ]] || found=$(compgen -f -- "$current")
      ;;
    folder) found=$(compgen -d -- "$current") ;;
    file) found=$(compgen -f -- "$current") ;;
  esac
  # Adds the slash behind folders and quotes spaces; bash 3.2 does not have it.
  [[ $kind == lens || $kind == folder || $kind == file ]] && compopt -o filenames 2>/dev/null
  COMPREPLY=()
  while IFS= read -r word; do
    word=$before$word
    [[ -n $found ]] && COMPREPLY+=("\${word#"$prefix"}")
  done <<<"$found"
}
`;
