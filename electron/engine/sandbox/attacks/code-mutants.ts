import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceEdit } from '../native/build-keeper.ts';
import { bundle } from './bundle.ts';

/** A protection that holds while a sandbox is built or its studio dies, taken out of the source. */
export interface CodeMutant extends SourceEdit {
  readonly name: string;
}

export const codeMutants: readonly CodeMutant[] = [
  {
    name: 'code ending what bubblewrap left',
    file: 'keeper.c',
    from: 'if (pid > 1) sys_kill(pid, SIGKILL);',
    to: '(void)pid;',
  },
  {
    name: 'code being told of what lost its parent',
    file: 'keeper.c',
    from: 'if (sys_control(PR_SET_CHILD_SUBREAPER, 1) < 0) sys_exit(1);',
    to: '',
  },
  {
    name: 'code ending everything without a studio',
    file: 'keeper.c',
    from: 'if (done <= 0) leave(0);',
    // It waits for ever instead of spinning: nobody ends a keeper that outlives its studio.
    to: 'while (done <= 0) sys_poll(0, 0, 0);',
  },
  {
    name: 'code telling init its words before it says hello',
    file: 'keeper.c',
    from: 'run.words = parts[part_words];',
    to: 'run.words = parts[part_words]; write_all(run.channel, run.words.at, run.words.n);',
  },
  {
    name: 'code starting a script before its first process is held',
    file: 'keeper.c',
    from: 'if (first < 0 || !is_held(first)) return;',
    to: '(void)is_held;',
  },
  {
    name: 'code ending what a dead studio left',
    file: 'sandbox.ts',
    from: 'endSandboxesOf(join(live, name));',
    to: '',
  },
];

/** What notices that the source was changed so; undefined when nothing does. */
export async function killerOfCode(mutant: CodeMutant): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-mutant-'));
  try {
    await bundle(['testdata/start-window-main', 'testdata/starting-host'], folder, mutant);
    return await new Promise((resolve) => {
      const args = ['start-window-main.js', 'starting-host.js'].map((name) => join(folder, name));
      execFile(process.execPath, args, (error, stdout) => {
        resolve(error ? stdout.trim() || error.message : undefined);
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
