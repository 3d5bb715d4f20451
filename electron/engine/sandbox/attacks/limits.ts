import type { Attack, SandboxedRun } from './attack.ts';
import { must } from './must.ts';

const megabyte = 1024 * 1024;
/** How long after its deadline the last process of a script may still be there. */
const graceMs = 500;

/** Rows 53–69: using more than is granted, and staying longer. Sizes are small: 128 MB and 32 processes are the limits. */
export const limitAttacks: readonly Attack[] = [
  {
    row: 53,
    title: 'starts processes without end',
    script: `
made = 0
def bomb():
    global made
    while made < 150:
        if os.fork() == 0: time.sleep(30); os._exit(0)
        made += 1
    return True
attempt('fork', bomb)
print('made', made)`,
    limits: { processes: 32 },
    expect: ({ outcome, world }) => {
      const made = Number(/made (\d+)/.exec(outcome.stdout)?.[1]);
      must(made > 0 && made < 32, `made ${made} processes`);
      must(world.survivors().length === 0, 'a process survived');
    },
    control: { none: 'leaves 150 processes behind; row 68 shows the same limit with a control' },
  },
  {
    row: 54,
    title: 'takes memory without end',
    script: `
print('attempted heap', flush=True)
held = []
for i in range(40): held.append(bytearray(b'x') * (8 << 20))
print('ESCAPED heap')`,
    limits: { memoryBytes: 128 * megabyte },
    expect: (run) => peakBelow(run, 220),
    control: 'same',
  },
  {
    row: 55,
    title: 'takes shared memory without end',
    script: `
print('attempted shared', flush=True)
area = mmap.mmap(-1, 320 << 20)
for i in range(0, 320 << 20, 4096): area[i] = 1
print('ESCAPED shared')`,
    limits: { memoryBytes: 128 * megabyte },
    expect: (run) => {
      must(run.outcome.limitsHit.includes('memory'), `hit ${run.outcome.limitsHit.join()}`);
      peakBelow(run, 220);
    },
    control: 'same',
  },
  {
    row: 56,
    title: 'takes a little memory in many processes',
    script: `
print('attempted children', flush=True)
children = []
for i in range(10):
    child = os.fork()
    if child == 0:
        held = bytearray(b'x') * (30 << 20); time.sleep(1.5); os._exit(0)
    children.append(child)
if all(os.waitpid(child, 0)[1] == 0 for child in children): print('ESCAPED children')`,
    limits: { memoryBytes: 128 * megabyte },
    expect: (run) => {
      must(run.outcome.limitsHit.includes('memory'), `hit ${run.outcome.limitsHit.join()}`);
      peakBelow(run, 330);
    },
    control: 'same',
  },
  {
    row: 57,
    title: 'hides memory in files without a name',
    script: `
def fill():
    fd = os.memfd_create('x'); os.write(fd, b'x' * (16 << 20)); return True
attempt('memfd', fill)
attempt('memfd_secret', lambda: reachable(447, 0xffff))`,
    control: { works: ['memfd'] },
  },
  {
    row: 58,
    title: 'hides memory in segments of the system',
    script: `
def fill():
    id = syscall(nr(29, 194), 0, 16 << 20, 0o600)
    syscall(nr(31, 195), id, 0, 0)
    return True
attempt('shm', fill)`,
    control: 'same',
  },
  {
    row: 59,
    title: 'fills what can be written',
    script: `
def fill(folder, megabytes):
    written = 0
    try:
        for i in range(megabytes // 10):
            with open('%s/fill-%d' % (folder, i), 'wb') as file: file.write(b'x' * (10 << 20))
            written += 10
    finally:
        for name in os.listdir(folder):
            if name.startswith('fill-'): os.unlink(folder + '/' + name)
    return '%s took %d MB' % (folder, written)
inside = 'SUNWELL_FILES' in os.environ
attempt('tmp', lambda: fill('/tmp' if inside else files, 80))
attempt('shm', lambda: fill('/dev/shm', 30))
attempt('out', lambda: fill(files, 80))
if inside:
    for folder in ['/', '/dev', '/sunwell', '/skill', '/workspace', '/proc/1', '/etc', '/out/..']: attempt(folder, lambda: fill(folder, 10))`,
    control: 'same',
  },
  {
    row: 60,
    title: 'fills the artifacts with small files',
    script: `
def fill():
    for i in range(3000):
        with open('%s/small-%d' % (files, i), 'wb') as file: file.write(b'x' * 4096)
    return True
attempt('small files', fill)
if 'SUNWELL_FILES' not in os.environ:
    for i in range(3000): os.unlink('%s/small-%d' % (files, i))`,
    limits: { artifactBytes: 4 * megabyte },
    expect: ({ outcome }) => must(outcome.artifacts.length < 1100, `kept ${outcome.artifacts.length}`),
    control: 'same',
  },
  {
    row: 60,
    title: 'leaves files that are only large when read',
    script: `
for i in range(8):
    with open('%s/sparse-%d' % (files, i), 'wb') as file: file.truncate(60 << 20)
print('attempted sparse')
if 'SUNWELL_FILES' not in os.environ:
    print('ESCAPED', sum(os.path.getsize('%s/sparse-%d' % (files, i)) for i in range(8)))
    for i in range(8): os.unlink('%s/sparse-%d' % (files, i))`,
    expect: ({ outcome }) => {
      must(outcome.artifacts.length === 0, 'kept some');
      must(outcome.limitsHit.includes('artifact-bytes'), `hit ${outcome.limitsHit.join()}`);
    },
    control: 'same',
  },
  {
    row: 61,
    title: 'leaves too many files',
    script: `
for i in range(5000): open('%s/n-%d' % (files, i), 'w').close()
print('attempted many')
if 'SUNWELL_FILES' not in os.environ:
    print('ESCAPED', len(os.listdir(files)))
    for i in range(5000): os.unlink('%s/n-%d' % (files, i))`,
    expect: ({ outcome }) => {
      must(outcome.artifacts.length === 0, `kept ${outcome.artifacts.length}`);
      must(outcome.limitsHit.includes('artifact-files'), `hit ${outcome.limitsHit.join()}`);
    },
    control: 'same',
  },
  {
    row: 62,
    title: 'floods its output without a line end',
    script: `
print('attempted flood', flush=True)
for i in range(400): os.write(1, b'x' * 65536)
print()
print('ESCAPED flood')`,
    expect: ({ outcome }) => {
      must(outcome.truncated && outcome.limitsHit.includes('output'), 'the flood was not noticed');
      const mark = '\n[OUTPUT TRUNCATED]\n';
      must(outcome.stdout.startsWith(mark, 1_000_000), 'the output is not marked');
      must(outcome.stdout.length === 1_000_000 + mark.length + 64 * 1024, `kept ${outcome.stdout.length}`);
    },
    control: 'same',
  },
  {
    row: 63,
    title: 'ignores signals and closes its output',
    language: 'bash',
    script: `trap '' TERM INT HUP QUIT; echo "attempted ignoring"; exec 1>&- 2>&-; while :; do sleep 100; done`,
    limits: { timeoutMs: 700 },
    expect: diedInTime,
    control: 'outlives',
  },
  {
    row: 64,
    title: 'stops itself',
    language: 'bash',
    // Said by another process once it is so: a signal that comes before the stop would simply end the script.
    script: `(until grep -q '^State:.T' /proc/$$/status; do :; done; echo "attempted stopping") & kill -STOP $$; echo "ESCAPED"`,
    limits: { timeoutMs: 700 },
    expect: diedInTime,
    control: 'outlives',
  },
  {
    row: 65,
    title: 'leaves a daemon behind',
    script: `
subprocess.Popen(['/usr/bin/setsid', sys.executable, '-c', 'import time; time.sleep(60)', w['token']],
    start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(0.2)
print('attempted daemon')
if 'SUNWELL_FILES' not in os.environ: print('ESCAPED daemon')`,
    expect: ({ world }) => must(world.survivors().length === 0, 'the daemon survived'),
    expectWithout: (world) => must(world.survivors().length > 0, 'no daemon survived'),
    control: 'same',
  },
  {
    row: 68,
    title: 'opens files and leaves dead processes without end',
    script: `
opened = []
def descriptors():
    while len(opened) < 400: opened.append(os.open('/dev/null', os.O_RDONLY))
    return True
attempt('descriptors', descriptors)
for fd in opened: os.close(fd)
made = []
def zombies():
    while len(made) < 100:
        child = os.fork()
        if child == 0: os._exit(0)
        made.append(child)
    return True
attempt('zombies', zombies)
for child in made: os.waitpid(child, 0)
attempt('large file', lambda: os.truncate(open('/tmp/attack-large', 'wb').name, 70 << 20) or os.unlink('/tmp/attack-large') or True)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)`,
    limits: { processes: 32 },
    expect: ({ outcome }) => must(outcome.stdout.includes('attempted zombies'), outcome.stderr),
    control: { works: ['descriptors', 'zombies', 'large file'] },
  },
  {
    row: 69,
    title: 'burns processor time in several processes',
    script: `
attempt('cpu limit', lambda: resource.getrlimit(resource.RLIMIT_CPU)[1] in (-1, resource.RLIM_INFINITY) or False)
attempt('data limit', lambda: resource.getrlimit(resource.RLIMIT_DATA)[1] in (-1, resource.RLIM_INFINITY) or False)
attempt('priority', lambda: os.getpriority(os.PRIO_PROCESS, 0) < 5)
if 'SUNWELL_FILES' in os.environ:
    os.fork()
    while True: pass`,
    limits: { timeoutMs: 900 },
    expect: diedInTime,
    control: { works: ['cpu limit', 'data limit', 'priority'] },
  },
];

function peakBelow({ outcome, world }: SandboxedRun, megabytes: number): void {
  const peak = Math.round(outcome.peakMemoryBytes / megabyte);
  must(peak < megabytes, `took ${peak} MB`);
  must(world.survivors().length === 0, 'a process survived');
}

function diedInTime({ outcome, world }: SandboxedRun): void {
  must(outcome.timedOut, `ended with ${outcome.exitCode}: ${outcome.stderr}`);
  must(outcome.durationMs < 900 + graceMs, `took ${outcome.durationMs} ms`);
  must(outcome.stdout.includes('attempted'), 'partial output was lost');
  must(world.survivors().length === 0, 'a process survived');
}
