import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SkillOrigin } from '../../resolve/libraries.ts';
import { ResolveRig } from '../../resolve/testing/resolve-rig.ts';
import { sandboxIdentity } from '../../sandbox/identity.ts';
import { handOver, openPrivateFolder } from '../../sandbox/private-folder.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { GrantStore } from '../../trust/grant-store.ts';
import { runSkill, type RunSkillOptions } from '../run-skill.ts';
import type { StepResult } from '../step-result.ts';

/** A sandbox of its own for a test file. */
export class TestSandbox implements Disposable {
  readonly sandbox: Sandbox;
  /** Where it keeps what it stages; another process may use the same. */
  readonly folder: string;

  constructor() {
    const identity = sandboxIdentity();
    this.folder = handOver(mkdtempSync(join(openPrivateFolder(identity), 'run-test-')), identity);
    this.sandbox = new Sandbox({ folder: this.folder });
  }

  [Symbol.dispose](): void {
    this.sandbox[Symbol.dispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Resolves the one skill of a lens and runs it for real. */
export class RunRig implements AsyncDisposable {
  readonly resolving = new ResolveRig();
  readonly sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  /** Runs the skill written as YAML lines below `name`, in a workspace with these files. */
  async run(
    yaml: string,
    more: Partial<RunSkillOptions> & { files?: Record<string, string>; kind?: SkillOrigin } = {},
  ): Promise<StepResult> {
    const { files = {}, kind, ...options } = more;
    const body = yaml.replace(/^/gm, '    ');
    const lens = `metadata: { name: A, version: 1.0.0 }\nskills:\n  - name: try-it\n    description: d\n${body}\n`;
    const root = await this.resolving.world.makeWorkspace({ 'lenses/a.lens': lens, ...files });
    const { skills } = await this.resolving.resolveIn(root, 'lenses/a.lens');
    using snapshot = await this.sandbox.snapshot(root);
    return await runSkill({
      skill: { ...skills[0]!, ...(kind && { kind }) },
      sandbox: this.sandbox,
      grants: new GrantStore(join(root, '.home')),
      views: snapshot,
      inputs: {},
      startedAt: new Date('2026-03-04T05:06:07Z'),
      ...options,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.resolving[Symbol.asyncDispose]();
  }
}
