import type { Attack } from './attack.ts';
import { must } from './must.ts';

/** Rows 20–29 and 45–51: other processes, the environment, descriptors, the terminal. */
export const processAttacks: readonly Attack[] = [
  {
    row: 20,
    title: 'reads the environment of other processes',
    script: `
attempt('victim', lambda: b'CANARY' in read('/proc/%d/environ' % w['victim']))
attempt('parent', lambda: read('/proc/%d/environ' % os.getppid()))
attempt('memory of the parent', lambda: open('/proc/%d/mem' % os.getppid(), 'r+b'))
attempt('first', lambda: b'=' in read('/proc/1/environ'))
attempt('first, by thread', lambda: read('/proc/1/task/1/environ'))`,
    control: { works: ['victim'] },
  },
  {
    row: 21,
    title: 'goes through the root and the folder of other processes',
    script: `
attempt('root', lambda: read('/proc/%d/root%s/.ssh/id_rsa' % (w['victim'], w['home'])))
attempt('cwd', lambda: open('/proc/%d/cwd/.bashrc' % w['victim'], 'a').write('x'))
attempt('first root', lambda: os.listdir('/proc/1/root'))`,
    control: { works: ['root', 'cwd'] },
  },
  {
    row: 22,
    title: 'lists the processes of the machine',
    script: `
pids = [pid for pid in os.listdir('/proc') if pid.isdigit()]
def command_line(pid):
    try: return read('/proc/%s/cmdline' % pid) or b''
    except OSError: return b''
attempt('count', lambda: len(pids) > 5)
attempt('command line', lambda: any(w['token'].encode() in command_line(pid) for pid in pids if pid not in ('1', '2', str(os.getpid()))))
attempt('command line of bubblewrap', lambda: read('/proc/1/cmdline'))`,
    control: { works: ['count', 'command line', 'command line of bubblewrap'] },
  },
  {
    row: 23,
    title: 'reads keys from the environment',
    script: `
attempt('key', lambda: os.environ['API_KEY'])
known = {'PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD', 'SHLVL', '_', 'LC_CTYPE', 'SUNWELL_INPUT', 'SUNWELL_OUTPUT', 'SUNWELL_FILES'}
attempt('others', lambda: sorted(set(os.environ) - known) or False)`,
    control: 'same',
  },
  {
    row: 26,
    title: 'is steered by variables of the user',
    language: 'bash',
    script: `
for name in BASH_ENV NODE_OPTIONS PYTHONSTARTUP LD_PRELOAD; do echo "attempted $name"; [[ -n \${!name} ]] && echo "ESCAPED $name"; done
bash -c 'true'
true`,
    control: { works: ['BASH_ENV', 'NODE_OPTIONS', 'PYTHONSTARTUP'] },
  },
  {
    row: 27,
    title: 'signals a process of the host',
    script: `attempt('signal', lambda: os.kill(w['victim'], signal.SIGCONT) or True)`,
    control: 'same',
  },
  {
    row: 28,
    title: 'traces processes',
    script: `
child = os.fork()
if child == 0: time.sleep(20); os._exit(0)
attempt('victim', lambda: syscall(nr(101, 117), 0x4206, w['victim'], 0, 0) == 0)
attempt('child', lambda: syscall(nr(101, 117), 0x4206, child, 0, 0) == 0)
buffer = ctypes.create_string_buffer(8)
iov = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
for name, call in [('readv', nr(310, 270)), ('writev', nr(311, 271))]:
    attempt(name, lambda: syscall(call, os.getpid(), iov, 1, iov, 1, 0) == 8)
attempt('kcmp', lambda: syscall(nr(312, 272), os.getpid(), os.getpid(), 0, 0, 0) >= 0)
attempt('pidfd_getfd', lambda: reachable(438, -1, 0, 0))
attempt('process_madvise', lambda: reachable(440, -1, 0, 0, 0, 0))
os.kill(child, 9)`,
    control: { works: ['child', 'readv', 'writev'] },
  },
  {
    row: 29,
    title: 'kills or changes the first process of the sandbox',
    script: `
for number in (9, 19): os.kill(1, number)
attempt('memory of bubblewrap', lambda: open('/proc/1/mem', 'r+b') and True)
attempt('memory by thread', lambda: open('/proc/1/task/1/mem', 'r+b') and True)
attempt('cover of /proc/1', lambda: os.chmod('/proc/1', 0o755) or os.listdir('/proc/1') is not None)
attempt('file under the cover', lambda: open('/proc/1/x', 'w').write('x'))
attempt('limits of init', lambda: resource.prlimit(2, resource.RLIMIT_NPROC)[1] > 40)
print('still here')`,
    expect: ({ outcome }) => {
      must(outcome.exitCode === 0, `ended with ${outcome.exitCode}`);
      must(outcome.stdout.includes('still here'), 'the sandbox ended');
    },
    control: { none: 'would kill the first process of the machine' },
  },
  {
    row: 45,
    title: 'gains rights from a set-id program',
    script: `
status = dict(line.split(':', 1) for line in open('/proc/self/status'))
attempt('new privileges', lambda: status['NoNewPrivs'].strip() == '0')
attempt('capabilities', lambda: int(status['CapBnd'], 16) or False)
attempt('no filter', lambda: status['Seccomp'].strip() == '0')
attempt('root', lambda: os.geteuid() == 0)`,
    control: { works: ['new privileges', 'capabilities'] },
  },
  {
    row: 46,
    title: 'reaches devices',
    script: `
attempt('devices', lambda: [name for name in ('kmsg', 'mem', 'vda', 'sda', 'kvm', 'fuse', 'loop0') if os.path.exists('/dev/' + name)] or False)
attempt('make', lambda: os.mknod('/tmp/attack-device', stat.S_IFBLK | 0o600, os.makedev(7, 0)) or os.unlink('/tmp/attack-device') or True)
attempt('add to /dev', lambda: open('/dev/attack', 'w').write('x') and os.unlink('/dev/attack') or True)`,
    control: { works: ['make', 'add to /dev'], as: 'root' },
  },
  {
    row: 47,
    title: 'opens switches of the kernel',
    script: `
for path in ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/sys/kernel/hostname']:
    attempt(path, lambda: os.close(os.open(path, os.O_WRONLY)) or True)
attempt('own program', lambda: os.close(os.open('/proc/self/exe', os.O_WRONLY)) or True)
attempt('host name', lambda: os.uname().nodename != 'sandbox')`,
    control: { works: ['/proc/sys/kernel/hostname', 'host name'], as: 'root' },
  },
  {
    row: 48,
    title: 'dumps its memory into a file',
    script: `
attempt('core', lambda: resource.getrlimit(resource.RLIMIT_CORE)[1] != 0)
attempt('raise', lambda: resource.setrlimit(resource.RLIMIT_CORE, (1, 1)) or True)
attempt('umask', lambda: os.umask(0) != 0o077)`,
    control: { works: ['core', 'umask'] },
  },
  {
    row: 49,
    title: 'types into a terminal',
    script: `
import fcntl, pty, termios
leader, follower = pty.openpty()
child = os.fork()
if child == 0:
    os.setsid(); fcntl.ioctl(follower, termios.TIOCSCTTY, 0)
    attempt('TIOCSTI', lambda: fcntl.ioctl(follower, termios.TIOCSTI, b'x') is not None)
    attempt('TIOCSTI with high bits', lambda: syscall(nr(16, 29), follower, 0x100005412, b'x') == 0)
    os._exit(0)
os.waitpid(child, 0)
try: fcntl.ioctl(follower, 0x541c, b'\\x02'); refused = False
except OSError as error: refused = error.errno == errno.EPERM
attempt('TIOCLINUX', lambda: not refused)
attempt('session of the studio', lambda: os.getsid(0) == 0)
attempt('terminal of the studio', lambda: open('/dev/tty') and True)`,
    control: 'any',
  },
  {
    row: 50,
    title: 'sends commands to the terminal',
    language: 'bash',
    script: String.raw`printf 'attempted escapes\n\e]0;title\a\e]52;c;aGk=\a\e[2J\e[31mred\e[0m\r\x9b2Jend\n'`,
    expect: ({ outcome }) => {
      const found = [...outcome.stdout].find((c) => c !== '\n' && (c < ' ' || (c >= '\x7f' && c <= '\x9f')));
      must(found === undefined, `output keeps ${JSON.stringify(found)}`);
      must(outcome.stdout.includes('red'), 'the text itself is gone');
    },
    expectWithout: (_world, stdout) => must(stdout.includes('\x1b]52;c;'), 'the terminal gets no commands'),
    control: { works: [] },
  },
  {
    row: 51,
    title: 'learns where the workspace lies',
    script: `
mounts = open('/proc/self/mountinfo').read()
attempt('workspace', lambda: w['workspace'] in mounts)
attempt('home', lambda: '/home/' in mounts or '/root' in mounts.split())
attempt('descriptors', lambda: any(w['workspace'] in os.readlink('/proc/self/fd/' + fd) for fd in ('0', '1', '2')))`,
    control: { works: ['workspace'], as: 'naive' },
  },
];
