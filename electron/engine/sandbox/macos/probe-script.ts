/** The twelve probes for macOS, in the bash it has; each line is a probe's name and "held" or what was found. */
export const probeScript = `
port=$1 studio=$2 outside=$3 program=$4 wanted=$5
allowed=' PATH HOME TMPDIR LANG SUNWELL_INPUT SUNWELL_OUTPUT SUNWELL_FILES PWD SHLVL OLDPWD _ __CF_USER_TEXT_ENCODING '
tell() { if [[ -z $2 ]]; then echo "$1 held"; else echo "$1 $2"; fi; }
can() { for path in "$@"; do if { : > "$path"; } 2>/dev/null; then echo "$path "; fi; done; }

tell home "$(cat "$outside/canary" 2>/dev/null)"
tell blocked-files "$(cat .env 2>/dev/null; [[ -e visible.txt ]] || echo 'nothing staged')"
tell workspace-read-only "$(can new visible.txt)"
tell root-read-only "$(can "$outside/new")"
tell environment "$(for name in $(compgen -e); do [[ $allowed == *" $name "* ]] || echo "$name"; done)"
tell processes "$(kill -0 "$studio" 2>/dev/null && echo 'signals the studio')"
tell network "$( (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null && echo loopback)"
tell user-namespaces "$("$program" -p '(version 1)(allow default)' /bin/cat "$outside/canary" 2>/dev/null)"
: > "$TMPDIR/tool"; chmod u+s "$TMPDIR/tool" 2>/dev/null
tell privileges "$([[ -u $TMPDIR/tool ]] && echo set-id; ((EUID == 0)) && echo root)"
tell filter "$(/bin/launchctl print system 2>/dev/null | head -1)"
found="$(ulimit -Hc) $(ulimit -Hn) $(ulimit -Hf)"
tell limits "$([[ $found == "$wanted" ]] || echo "$found")"
tell descriptors "$(for fd in 3 4 5 6 7 8 9; do if { : <&$fd; } 2>/dev/null; then echo "$fd"; fi; done)"
`;
