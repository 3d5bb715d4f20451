import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockedSamples, type AttackWorld } from './attack-world.ts';
import type { Attack, SandboxedRun } from './attack.ts';
import { must } from './must.ts';

const readAll = (paths: readonly string[]) =>
  `for path in ${JSON.stringify(paths)}: attempt(path, lambda: read(path))`;

const group = (prefix: string) => blockedSamples.filter((path) => path.toLowerCase().includes(prefix));

/** Rows 1–19 and 101: reading and writing what is not the script's. */
export const fileAttacks: readonly Attack[] = [
  {
    row: 1,
    title: 'reads keys in the home folder',
    script: `for path in ['.ssh/id_rsa', '.aws/credentials']: attempt(path, lambda: read(w['home'] + '/' + path))`,
    control: 'same',
  },
  {
    row: 2,
    title: 'reads the list of accounts',
    script: readAll(['/etc/passwd', '/etc/group']),
    control: 'same',
  },
  { row: 3, title: 'reads the git configuration', script: readAll(group('.git/')), control: 'same' },
  {
    row: 4,
    title: 'reads credentials in the workspace',
    script: readAll(blockedSamples.filter((path) => !/secrets|\.git/i.test(path))),
    control: 'same',
  },
  { row: 5, title: 'reads secrets at any depth', script: readAll(group('secrets')), control: 'same' },
  { row: 6, title: 'follows a link to a blocked file', script: readAll(['link-to-env']), control: 'same' },
  { row: 7, title: 'reads a blocked file by another name', script: readAll(['notes.txt']), control: 'same' },
  {
    row: 8,
    title: 'follows a link to the home folder',
    script: readAll(['link-to-ssh/id_rsa']),
    control: 'same',
  },
  {
    row: 9,
    title: 'reads what appears after the start',
    script: readAll(['.env.late', 'late.txt']),
    afterStage: (world: AttackWorld) => {
      for (const name of ['.env.late', 'late.txt']) writeFileSync(join(world.workspace, name), world.secret);
    },
    control: 'same',
  },
  {
    row: 10,
    title: 'writes into the home folder',
    script: `attempt('.bashrc', lambda: open(w['home'] + '/.bashrc', 'a').write('x'))`,
    control: 'same',
  },
  {
    row: 11,
    title: 'changes the workspace',
    script: `
attempt('change', lambda: open('src/main.py', 'a').write('#'))
attempt('by absolute path', lambda: open(w['workspace'] + '/src/main.py', 'a').write('#'))
attempt('add', lambda: open('src/new.py', 'w').write('#'))
attempt('chmod', lambda: os.chmod('src/main.py', 0o777) or True)`,
    control: 'same',
  },
  {
    row: 12,
    title: 'links a file of the host into the artifacts',
    script: `
attempt('home', lambda: os.link(w['home'] + '/.bashrc', files + '/linked') or True)
attempt('workspace', lambda: os.link('src/main.py', files + '/linked-too') or True)`,
    control: 'same',
  },
  {
    row: 13,
    title: 'leaves a link as an artifact',
    script: `
attempt('link', lambda: os.symlink(w['home'] + '/.ssh/id_rsa', files + '/key') and None)
if 'SUNWELL_FILES' not in os.environ: attempt('naive host', lambda: read(files + '/key'))`,
    expect: ({ outcome }) => mustRejectAll(outcome, [{ path: 'key', reason: 'not-a-file' }]),
    control: { works: ['naive host'], onlyWithout: true },
  },
  {
    row: 14,
    title: 'leaves a folder that is a link',
    script: `
attempt('link', lambda: os.symlink(w['home'], files + '/dl') and None)
if 'SUNWELL_FILES' not in os.environ: attempt('naive host', lambda: read(files + '/dl/.ssh/id_rsa'))`,
    expect: ({ outcome }) => mustRejectAll(outcome, [{ path: 'dl', reason: 'not-a-file' }]),
    control: { works: ['naive host'], onlyWithout: true },
  },
  {
    row: 16,
    title: 'lets a process rewrite artifacts after the end',
    script: `
code = "import time\\nwhile True:\\n  open(%r, 'a').write('late')" % (files + '/late')
open(files + '/late', 'w').write('early' * (5 << 20))
subprocess.Popen([sys.executable, '-c', code, w['token']], start_new_session=True, stdout=subprocess.DEVNULL)
while os.path.getsize(files + '/late') < (25 << 20) + 20: pass
print('attempted survivor')`,
    expect: ({ outcome, world }) => {
      must(outcome.artifacts.length === 1, 'the artifact was not collected');
      must(outcome.rejected.length === 0, 'the artifact changed while it was collected');
      must(world.survivors().length === 0, 'a process of the script survived');
    },
    control: { none: 'shown by row 65: a process that left its group survives its parent' },
  },
  {
    row: 17,
    title: 'makes a set-id file',
    script: `
os.umask(0)
path = files + '/tool'
os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o6755))
attempt('chmod', lambda: os.chmod(path, 0o4755) or oct(os.stat(path).st_mode))
attempt('fchmod', lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o2755) or True)
attempt('fchmodat', lambda: syscall(nr(268, 53), -100, path.encode(), 0o4755) == 0)
attempt('fchmodat2', lambda: reachable(452, -100, path.encode(), 0o4755, 0))`,
    expect: ({ outcome }) =>
      must(
        outcome.artifacts.length === 1 && outcome.artifacts[0]!.mode === 0o755,
        `the collected file has other rights: ${JSON.stringify(outcome.artifacts)}`,
      ),
    control: { works: ['chmod', 'fchmod', 'fchmodat'] },
  },
  {
    row: 18,
    title: 'leaves 3,000 folders in each other',
    script: `
import shutil
os.makedirs(files + '/deep'); os.chdir(files + '/deep')
for i in range(3000): os.mkdir('d'); os.chdir('d')
open('bottom', 'w').write('x')
print('attempted depth')
if 'SUNWELL_FILES' not in os.environ:
    print('ESCAPED depth')
    os.chdir(files); subprocess.run(['rm', '-rf', 'deep'])`,
    expect: ({ outcome }) => {
      must(outcome.artifacts.length === 0, 'something of the tree was collected');
      must(
        outcome.rejected[0]?.reason === 'too-deep' || outcome.rejected[0]?.reason === 'too-many',
        'depth was not noticed',
      );
    },
    control: 'same',
  },
  {
    row: 19,
    title: 'leaves names and kinds that are none',
    script: String.raw`
os.mkfifo(files + '/fifo')
for name in [b'a\nb', b'\xff\xfe', 'e\u0301'.encode(), 'x\u202egpj.exe'.encode(), b'con', b'a\\b', b'end. ', b'z' * 255]:
    open(files.encode() + b'/' + name, 'w').write('x')
open(files + '/good.txt', 'w').write('x')
print('attempted names')
if 'SUNWELL_FILES' not in os.environ: print('ESCAPED names', len(os.listdir(files)))`,
    expect: ({ outcome }) => {
      const kept = outcome.artifacts.map(({ path }) => path).sort();
      must(kept.join() === `good.txt,${'z'.repeat(255)}`, `kept ${JSON.stringify(kept)}`);
      must(outcome.rejected.length === 8, `rejected ${JSON.stringify(outcome.rejected)}`);
    },
    control: 'same',
  },
  {
    row: 101,
    title: 'writes into the cache',
    script: `attempt('cache', lambda: open(w['home'] + '/.sunwell/cache/entry', 'w').write('x'))`,
    expect: ({ world }) =>
      must(
        readFileSync(join(world.home, '.sunwell/cache/entry'), 'utf8').includes(world.secret),
        'the entry changed',
      ),
    control: 'same',
  },
];

function mustRejectAll(outcome: SandboxedRun['outcome'], rejected: readonly object[]): void {
  must(outcome.artifacts.length === 0, `collected ${JSON.stringify(outcome.artifacts)}`);
  must(
    JSON.stringify(outcome.rejected) === JSON.stringify(rejected),
    `rejected ${JSON.stringify(outcome.rejected)}`,
  );
}
