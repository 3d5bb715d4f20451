import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, type SourceEdit } from './bundle.ts';

/** A protection that is neither an option nor a line of init, taken out of the source. */
export interface CodeMutant extends SourceEdit {
  readonly name: string;
}

export const codeMutants: readonly CodeMutant[] = [
  {
    name: 'code ending bubblewrap before it is known what it started',
    file: 'bubblewrap-processes.ts',
    from: 'if (!first) return void this.#end();',
    to: "if (!first) return void this.#bubblewrap.kill('SIGKILL');",
  },
  {
    name: 'code halting bubblewrap without looking for what it started',
    file: 'bubblewrap-processes.ts',
    from: 'of childrenOf(pid))',
    to: 'of [] as number[])',
  },
  {
    name: 'code ending the child of a bubblewrap that others ended',
    file: 'bubblewrap-processes.ts',
    from: 'if (signal !== null) endWritersTo(output);',
    to: 'void signal;',
  },
  {
    name: 'code telling init its words before it says hello',
    file: 'launch.ts',
    from: '  feed(options,',
    to: '  artifacts.write(encodeWords(request.words)); feed(options,',
  },
  {
    name: 'code starting a script before its first process is held',
    file: 'bubblewrap-processes.ts',
    from: 'if (first && /^Seccomp:\\t2$/m.test(statusOf(first.pid))) return',
    to: 'if (first) return',
  },
  {
    name: 'code ending what a dead studio left',
    file: 'sandbox.ts',
    from: 'endWritersTo(join(live, name));',
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
