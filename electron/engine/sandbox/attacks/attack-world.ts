import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { join } from 'node:path';
import { sandboxIdentity, type Identity } from '../identity.ts';

/** Something worth stealing or breaking, in reach of any ordinary program of the user. Disposing removes it all. */
export class AttackWorld implements AsyncDisposable {
  readonly identity: Identity = sandboxIdentity();
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  /** Where artifacts of a run without the sandbox go. */
  readonly files: string;
  readonly secret = 'CANARY-7d1f-SECRET';
  /** In the command line of everything an attack leaves behind, to find it again. */
  readonly token: string;
  /** Datagrams and connections that reached the host. */
  readonly received: string[] = [];
  readonly #servers: (Server | DatagramSocket)[] = [];
  #victim: ChildProcess | undefined;
  #facts: Record<string, unknown> = {};

  private constructor() {
    this.root = mkdtempSync('/tmp/sunwell-attack-');
    this.token = `token-${this.root.slice(-6)}`;
    this.home = join(this.root, 'home');
    this.workspace = join(this.root, 'workspace');
    this.files = join(this.root, 'files');
  }

  static async make(): Promise<AttackWorld> {
    const world = new AttackWorld();
    world.#layOut();
    await world.#listen();
    world.#startVictim();
    world.#handOver(world.root);
    return world;
  }

  /** What an attack is told: it knows where everything is. */
  get facts(): string {
    return JSON.stringify({
      home: this.home,
      workspace: this.workspace,
      files: this.files,
      victim: this.#victim?.pid,
      token: this.token,
      ipc: readlinkSync('/proc/self/ns/ipc'),
      ...this.#facts,
    });
  }

  /** Processes of the machine that carry the token, other than the victim. */
  survivors(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== this.#victim?.pid)
      .filter((pid) => commandLine(pid).includes(this.token))
      .map(Number);
  }

  killSurvivors(): void {
    for (const pid of this.survivors()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself meanwhile.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#victim?.kill('SIGKILL');
    this.killSurvivors();
    await Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
    rmSync(this.root, { recursive: true, force: true });
  }

  #layOut(): void {
    const put = (path: string, text = `${this.secret}\n`) => {
      mkdirSync(join(this.root, path, '..'), { recursive: true });
      writeFileSync(join(this.root, path), text);
    };
    for (const path of [
      '.ssh/id_rsa',
      '.aws/credentials',
      '.bashrc',
      '.sunwell/cache/entry',
      'inherited/key',
    ])
      put(`home/${path}`);
    for (const path of blockedSamples) put(`workspace/${path}`);
    put('workspace/src/main.py', 'print("hello")\n');
    put('workspace/.gitignore', 'ignored.txt\n');
    put('workspace/ignored.txt');
    put('evil/bash-env', 'echo "attempted BASH_ENV"; echo "ESCAPED BASH_ENV"\n');
    mkdirSync(this.files);
    symlinkSync('.env', join(this.workspace, 'link-to-env'));
    symlinkSync(join(this.home, '.ssh'), join(this.workspace, 'link-to-ssh'));
    linkSync(join(this.workspace, '.env'), join(this.workspace, 'notes.txt'));
    spawnSync('/usr/bin/mkfifo', ['-m', '0666', join(this.workspace, 'pipe')]);
  }

  async #listen(): Promise<void> {
    const agent = join(this.home, 'agent.sock');
    const inWorkspace = join(this.workspace, 'service.sock');
    const tcp = await this.#serve({ host: '127.0.0.1', port: 0 });
    const tcp6 = await this.#serve({ host: '::1', port: 0 });
    await this.#serve({ path: agent });
    await this.#serve({ path: inWorkspace });
    const udp = createSocket('udp4', (message) => this.received.push(message.toString()));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    this.#servers.push(udp);
    const port = (server: Server) => (server.address() as { port: number }).port;
    this.#facts = { tcp: port(tcp), tcp6: port(tcp6), udp: udp.address().port, agent, inWorkspace };
    for (const path of [agent, inWorkspace]) chmodSync(path, 0o777);
  }

  async #serve(options: ListenOptions): Promise<Server> {
    const server = createServer((socket) => {
      this.received.push('connection');
      socket.on('error', () => socket.destroy());
      socket.end('hello');
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options, resolve));
    this.#servers.push(server);
    return server;
  }

  #startVictim(): void {
    this.#victim = spawn('/usr/bin/sleep', ['1000'], {
      argv0: `victim-${this.token}`,
      env: { API_KEY: this.secret },
      cwd: this.home,
      stdio: 'ignore',
      ...(this.identity.isDropped && { uid: this.identity.uid, gid: this.identity.gid }),
    });
  }

  /** To the user of the sandbox: what stops an attack must be the sandbox, not that the files are somebody else's. */
  #handOver(path: string): void {
    const { uid, gid } = this.identity;
    spawnSync('/usr/bin/chmod', ['-R', 'a+rX,u+w', path]);
    if (this.identity.isDropped) spawnSync('/usr/bin/chown', ['-Rh', `${uid}:${gid}`, path]);
    chownSync(this.files, uid, gid);
  }
}

export const blockedSamples = [
  '.env',
  '.env.local',
  '.ENV.production',
  '.envrc',
  '.npmrc',
  '.netrc',
  'server.pem',
  'deploy/TLS.KEY',
  'deploy/id_ed25519',
  '.git/config',
  'packages/a/.git',
  'secrets/token',
  'a/b/c/d/e/Secrets/deep/token',
  '.ssh/known_hosts',
  '.aws/credentials',
  '.sunwell/grants.json',
];

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // It ended between listing and reading.
  }
}
