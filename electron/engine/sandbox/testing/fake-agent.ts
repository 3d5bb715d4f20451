import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program of the user's that stands in for an agent: a bash script in a folder that the sandbox's user can enter. */
export class FakeAgent implements Disposable {
  readonly folder: string;
  readonly path: string;

  constructor(body: string, name = 'fake-agent') {
    this.folder = mkdtempSync(join(tmpdir(), 'sunwell-agent-'));
    chmodSync(this.folder, 0o755);
    this.path = join(this.folder, name);
    this.says(body);
  }

  says(body: string): void {
    writeFileSync(this.path, `#!/usr/bin/env bash\n${body}\n`);
    chmodSync(this.path, 0o755);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
