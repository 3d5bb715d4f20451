import type { Attack } from './attack.ts';
import { must } from './must.ts';

/** No attack: what an honest script relies on. A profile that breaks it is as wrong as one that leaks. */
export const ordinaryScripts: readonly Attack[] = [
  {
    row: 0,
    title: 'does honest work',
    script: String.raw`
problems = []
def want(what, is_so):
    if not is_so: problems.append(what)
want('cwd', os.getcwd() == '/workspace')
want('workspace', read('src/main.py') == b'print("hello")\n')
want('staged files only', sorted(os.listdir('.')) == ['.gitignore', 'src'] or os.listdir('.'))
want('stdin', json.load(sys.stdin) == {} and json.load(open(os.environ['SUNWELL_INPUT'])) == {})
for path, target in [('/bin', 'usr/bin'), ('/sbin', 'usr/sbin'), ('/lib', 'usr/lib'), ('/lib64', 'usr/lib64')]:
    want(path, os.path.isdir(path))
want('libraries', os.path.exists('/etc/ld.so.cache'))
want('alternatives', os.path.isdir('/etc/alternatives'))
want('PATH', subprocess.run(['env'], capture_output=True).returncode == 0 and '/usr/bin' in os.environ['PATH'])
want('HOME', os.environ['HOME'] == '/tmp')
want('TMPDIR', os.environ['TMPDIR'] == '/tmp')
want('LANG', os.environ['LANG'] == 'C.UTF-8')
want('/dev', all(os.path.exists('/dev/' + name) for name in ('null', 'zero', 'urandom', 'stdout')))
for folder in ('/tmp', '/dev/shm', os.environ['SUNWELL_FILES']):
    open(folder + '/work', 'w').write('x'); want(folder, read(folder + '/work') == b'x')
open('/dev/stderr', 'w').write('written by name')
want('pairs', socket.socketpair()[0] is not None)
want('inner network', socket.socket(socket.AF_INET) is not None)
want('threads', __import__('threading').Thread(target=print).start() is None)
want('skill', os.listdir('/skill') == [])
want('proc', os.path.exists('/proc/self/status'))
os.makedirs(files + '/docs'); open(files + '/docs/page.md', 'w').write('page'); os.chmod(files + '/work', 0o755)
open(os.environ['SUNWELL_OUTPUT'], 'w').write('{"key": 1}')
print('attempted work', problems)`,
    expect: ({ outcome }) => {
      must(outcome.exitCode === 0, outcome.stderr);
      must(outcome.stdout.includes('attempted work []'), outcome.stdout);
      must(outcome.stderr === 'written by name', outcome.stderr);
      must(outcome.output === '{"key": 1}', 'the output was not delivered');
      const left = outcome.artifacts.map(({ path, mode }) => `${path} ${mode.toString(8)}`).sort();
      must(left.join() === 'docs/page.md 644,work 755', left.join());
      must(outcome.rejected.length === 0 && outcome.limitsHit.length === 0, 'something was refused');
    },
    control: { none: 'is no attack' },
  },
];
