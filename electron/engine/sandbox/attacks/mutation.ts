import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { prepareLaunch, type Bubblewrap } from '../bubblewrap.ts';
import { launch, type Launched, type LaunchRequest } from '../launch.ts';
import { limitsFrom } from '../limits.ts';
import { buildEditedKeeper, type SourceEdit } from '../native/build-keeper.ts';
import { profileArgv, type Flag } from '../profile.ts';
import { runLaunch } from '../run-script.ts';
import { buildFilter, encodeFilter, type Instruction } from '../seccomp/bpf.ts';
import { rules, type Architecture } from '../seccomp/rules.ts';
import { pythonPrelude, type Attack } from './attack.ts';
import { inheritedAttack, runCareless } from './careless.ts';
import { codeMutants, killerOfCode } from './code-mutants.ts';
import { fileAttacks } from './files.ts';
import { kernelAttacks } from './kernel.ts';
import { limitAttacks } from './limits.ts';
import { ordinaryScripts } from './ordinary.ts';
import { processAttacks } from './processes.ts';
import { AttackRig } from './rig.ts';

/** One thing taken out of the sandbox: of its options and filter, or of init. */
interface Mutant {
  readonly name: string;
  readonly revise?: NonNullable<Bubblewrap['revise']>;
  readonly init?: Pick<SourceEdit, 'from' | 'to'>;
}

const limits = limitsFrom({ timeoutMs: 10_000 });
const attacks: readonly Attack[] = [
  ...ordinaryScripts,
  ...processAttacks,
  ...kernelAttacks,
  ...fileAttacks,
  ...limitAttacks,
];

/** `npm run sandbox:mutation [-- word]`: takes out each flag, rule, line of init and guard of the start alone, and names the first attack that then gets through. */
export async function run(words: readonly string[]): Promise<void> {
  const rig = await AttackRig.open();
  const mutants = [...allMutants(rig), ...codeMutants].filter(({ name }) =>
    words.every((word) => name.includes(word)),
  );
  await rig[Symbol.asyncDispose]();
  const survivors: string[] = [];
  for (const mutant of mutants) {
    const killer = await ('file' in mutant ? killerOfCode(mutant) : killerOf(mutant));
    if (killer === undefined) survivors.push(mutant.name);
    console.log(
      `${killer === undefined ? 'SURVIVED' : 'killed  '}  ${mutant.name}${killer === undefined ? '' : `  by ${killer}`}`,
    );
  }
  console.log(
    `\n${mutants.length} mutants, ${mutants.length - survivors.length} killed, ${survivors.length} survived`,
  );
  for (const name of survivors) console.log(`  ${name}: ${equivalents[name] ?? 'NOT EXPLAINED'}`);
  process.exitCode = survivors.every((name) => equivalents[name]) ? 0 : 1;
}

/** Mutants that change nothing here, and why. */
const equivalents: Readonly<Record<string, string>> = {
  'flag --cap-drop ALL':
    'bubblewrap keeps no capabilities for a user that is not root, and the sandbox never is',
};

async function killerOf(mutant: Mutant): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-mutant-'));
  const program = mutant.init && weakenedInit(mutant.init, folder);
  const rig = await AttackRig.open({ ...mutant, ...(program !== undefined && { program }) });
  try {
    for (const attack of attacks) if (!(await isHeld(rig, attack))) return `${attack.row}. ${attack.title}`;
    for (const [name, check] of Object.entries(checks)) if (!(await check(rig, mutant))) return name;
    return undefined;
  } finally {
    await rig[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

function weakenedInit(edit: Pick<SourceEdit, 'from' | 'to'>, folder: string): string {
  chmodSync(folder, 0o755);
  const program = join(folder, 'keeper');
  buildEditedKeeper({ file: 'init.c', ...edit }, program, folder);
  return program;
}

async function isHeld(rig: AttackRig, attack: Attack): Promise<boolean> {
  try {
    const run = await rig.run(attack);
    await attack.expect?.(run);
    return run.result.escaped.length === 0 && run.result.attempted.length > 0;
  } catch {
    return false; // It did not start, or what must hold did not: either way somebody notices.
  } finally {
    rig.world.killSurvivors();
  }
}

/** What the attacks cannot show from within. */
const checks: Readonly<Record<string, (rig: AttackRig, mutant: Mutant) => Promise<boolean>>> = {
  '24. reads inherited descriptors and environment': async (rig) => {
    const stdout = await runCareless(rig, requestFor(rig, `${pythonPrelude}\n${inheritedAttack.script}`));
    return stdout.includes('attempted all') && !stdout.includes('ESCAPED');
  },
  '66. survives the death of its parent': async (rig) => {
    const request = requestFor(rig, 'import time; print("on", flush=True); time.sleep(60)');
    const running = await new Promise<Launched>((resolve) => {
      const hearer = { first: () => undefined, sent: () => undefined, printed: () => resolve(started) };
      const started = launch(request, hearer);
    });
    for (const pid of childrenOf(process.pid).flatMap(childrenOf)) process.kill(pid, 'SIGKILL');
    // Without a turn of its own the studio ends nothing, as if it were dead: this is what the kernel does.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let i = 0; i < 100 && rig.world.survivors().length > 0; i++) Atomics.wait(pause, 0, 0, 10);
    const isDead = rig.world.survivors().length === 0;
    rig.world.killSurvivors();
    await running.gone;
    return isDead;
  },
  '71. goes on although user namespaces could not be switched off': async (rig) => {
    const request = requestFor(rig, 'pass');
    const options = request.options.filter((word) => word !== '--disable-userns');
    return runLaunch({ ...request, options }, { limits }).then(
      () => false,
      (error: unknown) => error instanceof StudioError,
    );
  },
};

function requestFor(rig: AttackRig, content: string): LaunchRequest {
  const script = { name: 'x', language: 'python' as const, source: { content }, args: [rig.world.facts] };
  return prepareLaunch(rig.bubblewrap, rig.interpreter('python'), { script, input: {} }, limits);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/status`, 'latin1').includes(`\nPPid:\t${parent}\n`) &&
          readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith('keeper')
        );
      } catch {
        return false; // It ended between listing and reading.
      }
    })
    .map(Number);
}

function allMutants(rig: AttackRig): Mutant[] {
  const mutants: Mutant[] = [];
  const bubblewrap = { ...rig.bubblewrap, revise: collect };
  const request = {
    script: { name: 'x', language: 'python' as const, source: { content: '' } },
    input: {},
    workspace: '/usr',
  };
  prepareLaunch(bubblewrap, rig.interpreter('python'), request, limits);
  return mutants;

  function collect(sample: LaunchRequest, flags: readonly Flag[]): LaunchRequest {
    mutants.push(...flags.map(flagMutant), ...ruleMutants(), ...initMutants);
    return sample;
  }
}

function flagMutant({ args }: Flag, index: number): Mutant {
  const name = args.map((word) => (word.startsWith('/var/tmp') ? '…' : word)).join(' ');
  const without = (flags: readonly Flag[]) => profileArgv(flags.filter((_, i) => i !== index));
  return { name: `flag ${name}`, revise: (request, flags) => ({ ...request, options: without(flags) }) };
}

function ruleMutants(): Mutant[] {
  const architecture = process.arch as Architecture;
  const mutant = (name: string, filter: readonly Instruction[]): Mutant => ({
    name: `rule ${name}`,
    revise: (request) => ({ ...request, seccomp: encodeFilter(filter) }),
  });
  const here = rules.filter(({ numbers }) => numbers[architecture] !== undefined);
  const whole = buildFilter(architecture, rules);
  const noForeign = whole.map((step, i) => (i === 1 ? { ...step, ifFalse: 1 } : step));
  const noX32 = whole.map((step, i) => (i === 4 ? { ...step, ifTrue: 1 } : step));
  return [
    ...here.map((rule) =>
      mutant(
        rule.call,
        buildFilter(
          architecture,
          rules.filter((other) => other !== rule),
        ),
      ),
    ),
    mutant('(foreign ABI)', noForeign),
    ...(architecture === 'x64' ? [mutant('(x32)', noX32)] : []),
  ];
}

const initMutants: readonly Mutant[] = (
  [
    ['closing descriptors', 'must(sys_close_from(channel + 1));', ''],
    ['hiding its memory', 'must(sys_control(PR_SET_DUMPABLE, 0));', ''],
    ['umask', 'sys_umask(077);', ''],
    ['hello line', 'must(write_all(channel, "hello\\n", 6));', ''],
    ['limit of core files', 'must(sys_limit(RLIMIT_CORE, 0));', ''],
    ...(['NOFILE', 'FSIZE', 'CPU', 'DATA'] as const).map(
      (name, i) =>
        [
          `limit ${name}`,
          `set_limit(RLIMIT_${name}, words[${i}], ${name === 'FSIZE' || name === 'DATA' ? 1024 : 1});`,
          '',
        ] as const,
    ),
    ['limit NPROC of its own', 'set_limit(RLIMIT_NPROC, words[4], 1);', ''],
    ['limit NPROC of the script', 'set_limit(RLIMIT_NPROC, processes, 1);', '(void)processes;'],
    ['input', 'must(sys_dup_to(opened, 0));', ''],
    ['ready line', 'must(write_all(channel, "ready\\n", 6));', ''],
    [
      'closing the channel',
      'set_limit(RLIMIT_NPROC, processes, 1);\n    sys_close(channel);',
      'set_limit(RLIMIT_NPROC, processes, 1);',
    ],
    ['killing the rest', '  end_others();\n', '  (void)end_others;\n'],
    [
      'packing',
      'has_left_something(files, output) ? pack(out, environment) : 0',
      '0 * (long)out * (long)pack * has_left_something(files, output)',
    ],
    ['exit code', '  sys_exit(code);\n}', '  sys_exit(0 * code);\n}'],
  ] as const
).map(([name, from, to]) => ({ name: `init ${name}`, init: { from, to } }));
