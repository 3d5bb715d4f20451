import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExitCode } from '../exit-code.ts';
import { runProgram } from '../program.ts';
import { answerQuickly } from '../quick.ts';
import type { Terminal } from '../terminal.ts';

export interface Ran {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own with an installed studio and a user's home, in which a test runs command lines. */
export class CliRig implements AsyncDisposable {
  readonly folder: string;
  readonly #interrupt = new AbortController();
  readonly #waiting = new Set<() => void>();
  readonly #listening = new Set<{ readonly text: string; readonly act: () => void }>();
  readonly #environment: NodeJS.ProcessEnv = { PATH: '/nowhere' };
  #written = '';
  #said = '';
  #isBroken = false;
  #isTerminal = false;
  #answers: string[] | undefined;
  #piped: string | undefined;
  readonly #asked: string[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(files: Record<string, string> = {}): Promise<CliRig> {
    const rig = new CliRig(await mkdtemp(join(tmpdir(), 'sunwell-cli-')));
    await rig.write({ 'app/dist/renderer/renderer/index.html': '<title>Studio</title>' });
    await rig.write({ 'app/resources/sample/a.lens': 'lens: {}\n' });
    await rig.write({ 'work/.git/HEAD': '', ...files });
    rig.#environment['SUNWELL_HOME'] = join(rig.folder, 'home');
    return rig;
  }

  async write(files: Record<string, string>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, file)), { recursive: true });
      await writeFile(join(this.folder, file), text);
    }
  }

  /** Puts a program where Electron's binary would be, and a display before it. */
  async installElectron(script: string): Promise<void> {
    await this.write({ 'app/node_modules/electron/dist/electron': `#!/bin/sh\n${script}\n` });
    await chmod(join(this.folder, 'app/node_modules/electron/dist/electron'), 0o755);
    this.#environment['DISPLAY'] = ':0';
    this.#environment['PATH'] = process.env['PATH'];
  }

  /** Runs a command line in `work`, or in another folder of the rig. */
  async run(words: readonly string[], from = 'work'): Promise<Ran> {
    this.#written = '';
    this.#said = '';
    const exitCode = await runProgram(words, this.#terminal(from));
    return { exitCode, stdout: this.#written, stderr: this.#said };
  }

  /** What is answered without running the command line, from what earlier ones kept; undefined where nothing is. */
  async answerQuickly(words: readonly string[], from = 'work'): Promise<Omit<Ran, 'exitCode'> | undefined> {
    this.#written = '';
    this.#said = '';
    const isAnswered = await answerQuickly(words, this.#terminal(from));
    return isAnswered ? { stdout: this.#written, stderr: this.#said } : undefined;
  }

  /** The first line that the running command prints. */
  async line(): Promise<string> {
    while (!this.#written.includes('\n')) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this.#written.split('\n', 1)[0] ?? '';
  }

  /** Acts at the very moment at which the running command has said this on standard error. */
  onceHeard(text: string, act: () => void): void {
    this.#listening.add({ text, act });
  }

  /** Makes a folder of the rig the user's home. */
  setHome(folder: string): void {
    this.#environment['SUNWELL_HOME'] = join(this.folder, folder);
  }

  /** Lets commands print as they do for a person. */
  actAsTerminal(): void {
    this.#isTerminal = true;
  }

  /** Sits down at the terminal and answers what commands ask. */
  answer(...answers: readonly string[]): void {
    this.#answers = [...answers];
  }

  /** Pipes this into the commands to come. */
  pipeIn(text: string): void {
    this.#piped = text;
  }

  /** Sets a variable of the environment. */
  setVariable(name: string, value: string): void {
    this.#environment[name] = value;
  }

  /** The questions that commands asked so far. */
  get asked(): readonly string[] {
    return this.#asked;
  }

  /** Makes the next print fail as only a bug would. */
  breakOutput(): void {
    this.#isBroken = true;
  }

  pressCtrlC(): void {
    this.#interrupt.abort(new Error('Ctrl+C'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pressCtrlC();
    await rm(this.folder, { recursive: true });
  }

  #terminal(from: string): Terminal {
    return {
      stdout: { write: (text) => this.#take(text), isTTY: this.#isTerminal },
      stderr: { write: (text) => this.#hear(text) },
      machine: { platform: 'linux', environment: this.#environment },
      workingDirectory: join(this.folder, from),
      appRoot: join(this.folder, 'app'),
      interrupted: this.#interrupt.signal,
      ...(this.#answers && {
        ask: (question: string) => this.#answer(question),
        typeText: () => this.#answer(''),
      }),
      ...(this.#piped !== undefined && { readInput: () => Promise.resolve(this.#piped ?? '') }),
    };
  }

  #answer(question: string): Promise<string> {
    this.#asked.push(question);
    const answer = this.#answers?.shift();
    return answer === undefined
      ? Promise.reject(new Error(`Nobody answers "${question}"`))
      : Promise.resolve(answer);
  }

  #take(text: string): void {
    if (this.#isBroken) throw new TypeError('a bug');
    this.#written += text;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #hear(text: string): void {
    this.#said += text;
    for (const listener of this.#listening) {
      if (!this.#said.includes(listener.text)) continue;
      this.#listening.delete(listener);
      listener.act();
    }
  }
}
