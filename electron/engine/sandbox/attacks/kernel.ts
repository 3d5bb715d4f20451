import type { Attack } from './attack.ts';
import { must, within } from './must.ts';

const neverReached = (received: readonly string[]) =>
  must(received.length === 0, `the host received ${received.join()}`);

/** Rows 30–44: the network, sockets and the kernel's own doors. */
export const kernelAttacks: readonly Attack[] = [
  {
    row: 30,
    title: 'connects to a service of the machine',
    script: `attempt('tcp', lambda: socket.create_connection(('127.0.0.1', w['tcp']), 3).recv(5))`,
    afterStage: (world) => void world.received.splice(0),
    expect: ({ world }) => neverReached(world.received),
    control: 'same',
  },
  {
    row: 31,
    title: 'connects over IPv6',
    script: `attempt('tcp6', lambda: socket.create_connection(('::1', w['tcp6']), 3).recv(5))`,
    afterStage: (world) => void world.received.splice(0),
    expect: ({ world }) => neverReached(world.received),
    control: 'same',
  },
  {
    row: 32,
    title: 'sends datagrams and asks for names',
    script: `
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'stolen', ('127.0.0.1', w['udp'])) and 'SUNWELL_FILES' not in os.environ)
attempt('routes', lambda: len(open('/proc/net/route').read().splitlines()) > 1)
attempt('interfaces', lambda: [name for _, name in socket.if_nameindex() if name != 'lo'] or False)`,
    afterStage: (world) => void world.received.splice(0),
    expect: ({ world }) => neverReached(world.received),
    expectWithout: ({ received }) => within(1000, () => received.includes('stolen'), 'no datagram arrived'),
    control: { works: ['udp'] },
  },
  {
    row: 33,
    title: 'connects to an abstract socket',
    script: `
name = '\\0' + w['token']
def listen():
    s = socket.socket(socket.AF_UNIX); s.bind(name); s.listen(1)
    c = socket.socket(socket.AF_UNIX); c.connect(name)
    return True
attempt('abstract', listen)`,
    control: 'same',
  },
  {
    row: 34,
    title: 'connects to an agent’s socket',
    script: `
def connect():
    s = socket.socket(socket.AF_UNIX); s.connect(w['agent']); return s.recv(5)
attempt('agent', connect)`,
    control: 'same',
  },
  {
    row: 35,
    title: 'connects to a socket in the workspace',
    script: `
def connect(path):
    s = socket.socket(socket.AF_UNIX); s.connect(path); return s.recv(5)
attempt('relative', lambda: connect('service.sock'))
attempt('absolute', lambda: connect(w['inWorkspace']))
def aimed():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); return True
attempt('datagram pair', aimed)`,
    control: 'same',
  },
  {
    row: 36,
    title: 'writes into a pipe in the workspace',
    script: `attempt('pipe', lambda: os.open('pipe', os.O_RDWR | os.O_NONBLOCK) > 0)`,
    control: 'same',
  },
  {
    row: 37,
    title: 'makes sockets of other families',
    script: `
for name, family in [('unix', 1), ('packet', 17), ('alg', 38), ('vsock', 40), ('xdp', 44), ('can', 29)]:
    attempt(name, lambda: socket.socket(family, socket.SOCK_DGRAM if family != 38 else socket.SOCK_SEQPACKET) and True)
attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1) and True)`,
    control: { works: ['unix'] },
  },
  {
    row: 38,
    title: 'asks the kernel to make calls for it',
    script: `
for name, number in [('setup', 425), ('enter', 426), ('register', 427)]:
    attempt(name, lambda: reachable(number, 1, 0, 0, 0, 0))`,
    control: 'any',
  },
  {
    row: 39,
    title: 'calls by the 32-bit door',
    script: `
print('attempted int 0x80', flush=True)
if os.uname().machine == 'x86_64':
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    if call() == os.getpid(): print('ESCAPED int 0x80')`,
    expect: ({ outcome }) =>
      must(
        process.arch !== 'x64' || outcome.signal === 31,
        `ended with ${outcome.exitCode}: ${outcome.stderr}`,
      ),
    control: 'same',
  },
  {
    row: 39,
    title: 'calls by the x32 door',
    script: `
print('attempted x32', flush=True)
if os.uname().machine == 'x86_64':
    try: syscall(0x40000000 + 39); print('ESCAPED x32')
    except OSError: print('ESCAPED x32: the kernel answered')`,
    expect: ({ outcome }) =>
      must(
        process.arch !== 'x64' || outcome.signal === 31,
        `ended with ${outcome.exitCode}: ${outcome.stderr}`,
      ),
    control: 'same',
  },
  {
    row: 40,
    title: 'shares memory and queues of the system',
    script: `
for name, make, drop in [('shm', nr(29, 194), nr(31, 195)), ('msg', nr(68, 186), nr(71, 187)), ('sem', nr(64, 190), nr(66, 191))]:
    def act():
        id = syscall(make, 0, 1, 0o600) if name == 'sem' else syscall(make, 0, 0o600) if name == 'msg' else syscall(make, 0, 4096, 0o600)
        syscall(drop, id, 0, 0)
        return True
    attempt(name, act)
attempt('list', lambda: os.readlink('/proc/self/ns/ipc') == w.get('ipc'))`,
    control: { works: ['shm', 'msg', 'sem', 'list'] },
  },
  {
    row: 41,
    title: 'uses the keyring of the session',
    script: `
attempt('add', lambda: syscall(nr(248, 217), b'user', b'attack', b'x', 1, -3) > 0)
attempt('request', lambda: reachable(nr(249, 218), b'user', b'attack', 0, -3))
attempt('read', lambda: reachable(nr(250, 219), 0, -3, 0))`,
    control: { works: ['add', 'request', 'read'] },
  },
  {
    row: 42,
    title: 'makes namespaces',
    script: `
def unshare():
    child = os.fork()
    if child == 0:
        got = refused_with(errno.EPERM, lambda: syscall(nr(272, 97), 0x10000000))
        os._exit(1 if got else 0)
    return os.waitpid(child, 0)[1] != 0
attempt('unshare user', unshare)
def clone():
    # SIGCHLD | CLONE_NEWUSER; the child has its own copy of everything.
    child = syscall(nr(56, 220), 0x10000011, 0, 0, 0, 0)
    if child == 0: os._exit(0)
    os.waitpid(child, 0)
attempt('clone user', lambda: refused_with(errno.EPERM, clone))
attempt('clone3', lambda: reachable(435, 0, 0))
attempt('setns', lambda: reachable(nr(308, 268), -1, 0))`,
    control: { works: ['clone3', 'setns'] },
  },
  {
    row: 43,
    title: 'mounts and unmounts',
    language: 'bash',
    script: `
try() { name=$1; echo "attempted $name"; shift; if "$@" 2>/dev/null; then echo "ESCAPED $name"; fi; }
try mount unshare --user --map-root-user --mount bash -c 'mount -t tmpfs none /tmp && umount /tmp'
try unmount unshare --user --map-root-user --mount umount -l /proc/1`,
    control: { works: ['mount'] },
  },
  {
    row: 44,
    title: 'calls parts of the kernel that have had holes',
    script: `
P, S = errno.EPERM, errno.EACCES
calls = {'bpf': (P, 321, 280, 0, 0, 0), 'perf_event_open': (P, 298, 241, 0, 0, -1, -1, 0), 'userfaultfd': (P, 323, 282, 1),
  'personality': (P, 135, 92, 0xffffffff), 'open_by_handle_at': (P, 304, 265, -1, 0, 0),
  'name_to_handle_at': (P, 303, 264, -100, b'/tmp', 0, 0, 0), 'fanotify_init': (S, 300, 262, 0x10000, 0),
  'fanotify_mark': (P, 301, 263, -1, 0, 0, 0, 0), 'init_module': (S, 175, 105, 0, 0, b''),
  'finit_module': (S, 313, 273, -1, b'', 0), 'delete_module': (S, 176, 106, b'x', 0), 'kexec_load': (S, 246, 104, 0, 0, 0, 0),
  'kexec_file_load': (S, 320, 294, -1, -1, 0, 0, 0), 'mount': (P, 165, 40, 0, 0, 0, 0, 0), 'umount2': (P, 166, 39, 0, 0xffff),
  'pivot_root': (S, 155, 41, 0, 0), 'chroot': (P, 161, 51, 0), 'open_tree': (S, 428, 428, -100, b'/tmp', 0),
  'move_mount': (S, 429, 429, -1, 0, -1, 0, 0), 'fsopen': (S, 430, 430, 0, 0), 'fsconfig': (S, 431, 431, -1, 0, 0, 0, 0),
  'fsmount': (S, 432, 432, -1, 0, 0), 'fspick': (S, 433, 433, -1, 0, 0), 'mount_setattr': (S, 442, 442, -1, 0, 0, 0, 0)}
if not arm: calls['modify_ldt'] = (P, 154, 0, 0, 0, 0)
for name, (code, x64, arm64, *args) in calls.items():
    attempt(name, lambda: refused_with(code, lambda: syscall(nr(x64, arm64), *args)))`,
    control: 'any',
  },
];
