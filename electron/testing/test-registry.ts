import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServer } from 'verdaccio';
import { makePackage } from './make-tarball.ts';

/** A real registry on loopback with no way out; packages of `@private` need a log-in. */
export class TestRegistry implements AsyncDisposable {
  readonly #folder: string;
  readonly #server: Server;

  private constructor(folder: string, server: Server) {
    this.#folder = folder;
    this.#server = server;
  }

  static async start(): Promise<TestRegistry> {
    const folder = await mkdtemp(join(tmpdir(), 'sunwell-registry-'));
    const server = (await runServer({
      configPath: join(folder, 'config.yaml'),
      self_path: folder,
      storage: join(folder, 'storage'),
      uplinks: {},
      packages: {
        '@private/*': { access: '$authenticated', publish: '$all' },
        '**': { access: '$all', publish: '$all' },
      },
      auth: { htpasswd: { file: join(folder, 'htpasswd') } },
      web: { enable: false },
      publish: { allow_offline: true },
      log: { type: 'stdout', level: 'fatal' },
    })) as Server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TestRegistry(folder, server);
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/`;
  }

  /** Publishes a package with these files besides its `package.json`, or with the bytes of a ready archive. */
  async publish(name: string, version: string, files: Record<string, string> | Buffer): Promise<void> {
    const manifest = { name, version };
    const data = Buffer.isBuffer(files)
      ? files
      : makePackage({ 'package.json': JSON.stringify(manifest), ...files });
    const file = `${name.replace(/^@.*\//, '')}-${version}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(data).digest('base64')}`;
    await this.#put(name.replace('/', '%2f'), {
      _id: name,
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist: { integrity, tarball: `${this.url}${name}/-/${file}` } } },
      _attachments: {
        [file]: {
          content_type: 'application/octet-stream',
          data: data.toString('base64'),
          length: data.length,
        },
      },
    });
  }

  /** Makes a user and returns their token. */
  async logIn(user: string): Promise<string> {
    const answer = await this.#put(`-/user/org.couchdb.user:${user}`, {
      name: user,
      password: `${user}-secret`,
    });
    return (answer as { token: string }).token;
  }

  /** Replaces the bytes the registry serves, behind its back. */
  async swapTarball(name: string, version: string, bytes: Buffer): Promise<void> {
    const file = `${name.replace(/^@.*\//, '')}-${version}.tgz`;
    await writeFile(join(this.#folder, 'storage', name, file), bytes);
  }

  async #put(path: string, body: object): Promise<unknown> {
    const answer = await fetch(this.url + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The registry answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }
}
