import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { prepareLaunch, scriptEnvironment, type Bubblewrap } from './bubblewrap.ts';
import type { Interpreter } from './interpreters.ts';
import { fixedLimits, limitsFrom } from './limits.ts';
import { runLaunch } from './run-script.ts';
import { StageStore } from './stage/stage-store.ts';

/** One thing that must not be possible in the sandbox, tried in the sandbox. */
export interface Probe {
  readonly name: ProbeName;
  readonly ok: boolean;
  /** What got through, when something did. */
  readonly found?: string;
}

export const probeNames = [
  'home',
  'blocked-files',
  'workspace-read-only',
  'root-read-only',
  'environment',
  'processes',
  'network',
  'user-namespaces',
  'privileges',
  'filter',
  'limits',
  'descriptors',
] as const;
export type ProbeName = (typeof probeNames)[number];

export interface PreflightResult {
  readonly probes: readonly Probe[];
  /** Why scripts cannot run; undefined when all probes held. */
  readonly problem?: string;
  readonly argv: readonly string[];
}

export const probeLimits = limitsFrom({ timeoutMs: 10_000 });

/** Tries to get out of the real profile, with things laid out to be found. */
export async function runPreflight(
  bubblewrap: Bubblewrap,
  bash: Interpreter,
  folder: string,
): Promise<PreflightResult> {
  const workspace = join(folder, 'preflight');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, '.env'), 'CANARY=1\n');
  writeFileSync(join(workspace, 'visible.txt'), 'visible\n');
  const snapshot = await new StageStore(folder, bubblewrap.identity).snapshot(workspace);
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  // A studio that ends takes the folder away under this, and a listener left behind would keep its process for ever.
  listener.unref();
  const { port } = listener.address() as { port: number };
  const request = {
    script: {
      name: 'preflight',
      language: 'bash' as const,
      source: { content: probeScript },
      args: [String(port), Object.keys(scriptEnvironment(bash)).join(' ')],
    },
    input: {},
    workspace: (await snapshot.view()).folder,
  };
  const launch = prepareLaunch(bubblewrap, bash, request, probeLimits);
  const argv = [launch.bwrap, ...launch.options, '--', ...launch.command, ...launch.words];
  try {
    const outcome = await runLaunch(launch, { limits: probeLimits });
    return judge(outcome.stdout, outcome.stderr, argv);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { probes: [], problem: explain(error.message), argv };
  } finally {
    snapshot[Symbol.dispose]();
    listener.close();
  }
}

/** Reads what the probe script found; a probe that said nothing has not held. */
export function judge(stdout: string, stderr: string, argv: readonly string[]): PreflightResult {
  const lines = new Map(
    stdout.split('\n').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
  );
  const probes = probeNames.map((name): Probe => {
    const found = lines.get(name);
    if (found === 'held') return { name, ok: true };
    return { name, ok: false, found: found ?? `the probe did not finish: ${stderr.trim()}` };
  });
  const missed = probes.filter(({ ok }) => !ok);
  if (missed.length === 0) return { probes, argv };
  const problem = `The sandbox of this machine lets scripts out: ${missed.map(({ name, found }) => `${name} (${found})`).join(', ')}`;
  return { probes, problem, argv };
}

/** Says what the user can do about a start that failed. */
function explain(message: string): string {
  if (/namespace|uid map|userns/i.test(message)) {
    return `${message}. Your system does not let programs make user namespaces: set kernel.unprivileged_userns_clone=1 or user.max_user_namespaces above 0, on Ubuntu 24.04 and later allow bwrap in AppArmor`;
  }
  return message;
}

const kib = (bytes: number) => bytes / 1024;

/** Bash only, so that it runs wherever the sandbox does; each line is a probe's name and "held" or what was found. */
export const probeScript = `
port=$1 allowed=" $2 PWD SHLVL _ "
tell() { if [[ -z $2 ]]; then echo "$1 held"; else echo "$1 $2"; fi; }
can() { for path in "$@"; do if { : > "$path"; } 2>/dev/null; then echo -n "$path "; fi; done; }

tell home "$(for path in /home /root /etc/passwd /etc/shadow /run /var /opt; do [[ -e $path ]] && echo -n "$path "; done)"
tell blocked-files "$([[ -e .env ]] && echo -n '.env '; [[ -e visible.txt ]] || echo -n 'nothing staged')"
tell workspace-read-only "$(can /workspace/new /workspace/visible.txt /skill/new)"
tell root-read-only "$(can /new /usr/new /dev/new /sunwell/input.json /etc/new)"
tell environment "$(for name in $(compgen -e); do [[ $allowed == *" $name "* ]] || echo -n "$name "; done)"
pids=(/proc/[0-9]*)
tell processes "$( ((\${#pids[@]} > 6)) && echo -n "\${#pids[@]} processes "; [[ -r /proc/1/environ || -r /proc/1/maps ]] && echo -n /proc/1)"
tell network "$( (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null && echo -n 'loopback '; while IFS=: read -r name rest; do name=\${name// /}; [[ $rest == *:* || -z $rest || $name == lo || $name == *'|'* ]] || echo -n "$name "; done < /proc/net/dev)"
tell user-namespaces "$( /usr/bin/unshare --user /usr/bin/true 2>/dev/null && echo -n made)"
declare -A status; while IFS=: read -r key value; do status[$key]=\${value//[[:space:]]/}; done < /proc/self/status
tell privileges "$([[ \${status[NoNewPrivs]} == 1 ]] || echo -n 'new privileges '; [[ \${status[CapEff]}\${status[CapBnd]}\${status[CapPrm]} =~ ^0+$ ]] || echo -n 'capabilities '; ((EUID == 0)) && echo -n root)"
tell filter "$([[ \${status[Seccomp]} == 2 ]] || echo -n none)"
found="$(ulimit -Hc) $(ulimit -Hn) $(ulimit -Hf) $(ulimit -Hd) $(ulimit -Hu)"
while read -r _ _ _ _ path _ rest; do case $path in /tmp|/out|/dev/shm) found+=" $path=\${rest##*size=}"; found=\${found%%,*};; esac; done < /proc/self/mountinfo
wanted="0 ${fixedLimits.openFiles} ${kib(fixedLimits.fileBytes)} ${kib(probeLimits.memoryBytes + fixedLimits.dataMarginBytes)} ${probeLimits.processes} /dev/shm=${kib(fixedLimits.sharedMemoryBytes)}k /tmp=${kib(fixedLimits.tmpBytes)}k /out=${kib(probeLimits.artifactBytes)}k"
tell limits "$([[ $found == "$wanted" ]] || echo -n "$found")"
(for fd in /proc/$$/fd/*; do case \${fd##*/} in 0|1|2|255) ;; *) echo -n "$fd ";; esac; done; { : < /dev/tty; } 2>/dev/null && echo -n terminal) > /tmp/found
tell descriptors "$(< /tmp/found)"
`;
