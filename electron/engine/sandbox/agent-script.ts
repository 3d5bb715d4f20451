import { inside } from './profile.ts';

/** Folders of an agent, as it sees them. */
export const agentFolders = { home: `${inside.agent}/home`, work: `${inside.agent}/work` } as const;

/**
 * Runs an agent on a copy of the workspace and leaves what it changed as artifacts, and the paths it deleted in the output.
 * Its words are `stdin` or `none`, for where the prompt is, and the command. All of it runs as the agent does: nothing that it
 * says is believed more than the agent itself.
 */
export const agentScript = `
home=${agentFolders.home} work=${agentFolders.work} list=${inside.agent}/list
unset SUNWELL_INPUT SUNWELL_OUTPUT SUNWELL_FILES
set -o pipefail
mkdir -p "$home" "$work" "$list" &&
cp -R --preserve=mode ${inside.agentHome}/. "$home" && chmod -R u+rwX,go= "$home" &&
cp -R --preserve=mode ${inside.workspace}/. "$work" && chmod -R u+rwX "$work" && cd "$work" || exit 125
look() { find . ! -type d -printf '%i %C@ %m %P\\0'; }
look > "$list/before" || exit 125
sleep 0.05 # A change within the same tick of the clock would not show.
prompt=$1; shift
[[ $prompt == stdin ]] || exec < /dev/null
"$@"
code=$?
((code == 0)) || exit "$code"
exec 1>&2
cd "$work" && look > "$list/after" || exit 125
declare -A before after
while IFS= read -r -d '' line; do before[\${line#* * * }]=$line; done < "$list/before"
while IFS= read -r -d '' line; do
  path=\${line#* * * }
  after[$path]=1
  [[ \${before[$path]-} == "$line" ]] && continue
  if [[ -f $path && ! -L $path && -n \${before[$path]-} ]] && cmp -s -- "$path" "${inside.workspace}/$path"; then
    [[ -x $path ]] && was=1 || was=0
    [[ -x ${inside.workspace}/$path ]] && is=1 || is=0
    ((was == is)) && continue
  fi
  printf '%s\\0' "./$path"
done < "$list/after" > "$list/changed"
xargs -0 -r -a "$list/changed" cp -RP --parents --preserve=mode -t ${inside.files} -- || exit 125
rm -rf ${inside.output}
for path in "\${!before[@]}"; do [[ -n \${after[$path]-} ]] || printf '%s\\0' "$path"; done > ${inside.output}
`;
