import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One trivial task of a layered graph: three tasks of the layer above it come first. Everybody runs its script by bash, as a
 * skill does, because bash alone takes a tenth of what a sandbox does.
 */
export interface LayeredTask {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/** As wide as it is deep, so that order matters and tasks can still run beside one another. */
export function layeredTasks(count: number): LayeredTask[] {
  const width = Math.max(2, Math.round(Math.sqrt(count)));
  return Array.from({ length: count }, (_, i): LayeredTask => {
    const above = Math.floor(i / width) - 1;
    const dependsOn = above < 0 ? [] : [0, 1, 3].map((step) => `s${above * width + ((i + step) % width)}`);
    return { name: `s${i}`, dependsOn: [...new Set(dependsOn)] };
  });
}

/** The last task: nothing depends on it. */
export function leafOf(tasks: readonly LayeredTask[]): string {
  return tasks[tasks.length - 1]!.name;
}

/** A lens of script skills, each with a script file of its own and a key for those that depend on it. */
export function writeLens(root: string, tasks: readonly LayeredTask[]): void {
  mkdirSync(join(root, 'scripts'), { recursive: true });
  const lines = ['metadata: { name: Layered, version: 1.0.0 }', 'skills:'];
  for (const { name, dependsOn } of tasks) {
    writeFileSync(join(root, 'scripts', `${name}.sh`), `echo ${name}\n`);
    lines.push(`  - name: ${name}`, `    description: Does ${name}`, '    files: []');
    lines.push(`    scripts: [{ name: ${name}.sh, language: bash, path: ./scripts/${name}.sh }]`);
    lines.push(`    produces: [k-${name}]`);
    if (dependsOn.length > 0) {
      lines.push(`    depends_on: [${dependsOn.join(', ')}]`);
      lines.push(`    requires: [${dependsOn.map((other) => `k-${other}`).join(', ')}]`);
    }
  }
  writeFileSync(join(root, 'layered.lens'), `${lines.join('\n')}\n`);
}

/** The same for make: a task's result is a file. */
export function writeMakefile(root: string, tasks: readonly LayeredTask[]): void {
  mkdirSync(join(root, 'out'), { recursive: true });
  writeScripts(root, tasks);
  const rules = tasks.map(
    ({ name, dependsOn }) =>
      `out/${name}: scripts/${name}.sh ${dependsOn.map((other) => `out/${other}`).join(' ')}\n\t@bash scripts/${name}.sh > out/${name}\n`,
  );
  const all = tasks.map(({ name }) => `out/${name}`).join(' ');
  writeFileSync(join(root, 'Makefile'), `all: ${all}\n${rules.join('')}`);
}

export function writeNinja(root: string, tasks: readonly LayeredTask[]): void {
  mkdirSync(join(root, 'out'), { recursive: true });
  writeScripts(root, tasks);
  const edges = tasks.map(({ name, dependsOn }) => {
    const inputs = [`scripts/${name}.sh`, ...dependsOn.map((other) => `out/${other}`)];
    return `build out/${name}: sh ${inputs.join(' ')}\n  script = scripts/${name}.sh\n`;
  });
  writeFileSync(join(root, 'build.ninja'), `rule sh\n  command = bash $script > $out\n${edges.join('')}`);
}

/** Packages in a workspace of npm, one a task, as turbo, nx and lage want them. */
export function writePackages(
  root: string,
  tasks: readonly LayeredTask[],
  runner: 'turbo' | 'nx' | 'lage',
): void {
  const json = (path: string, value: unknown): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), `${JSON.stringify(value, undefined, 2)}\n`);
  };
  json('package.json', {
    name: 'layered',
    private: true,
    workspaces: ['packages/*'],
    packageManager: 'npm@10.8.2',
  });
  json('package-lock.json', { name: 'layered', lockfileVersion: 3, requires: true, packages: {} });
  if (runner === 'turbo') {
    json('turbo.json', {
      tasks: { build: { dependsOn: ['^build'], outputs: ['out'], inputs: ['task.sh'] } },
    });
  } else if (runner === 'lage') {
    const pipeline = { build: { dependsOn: ['^build'], inputs: ['task.sh'], outputs: ['out'] } };
    const config = { pipeline, npmClient: 'npm', cacheOptions: { outputGlob: ['out'] } };
    writeFileSync(join(root, 'lage.config.js'), `module.exports = ${JSON.stringify(config)};\n`);
    writeFileSync(join(root, '.gitignore'), 'node_modules\nout\n');
  } else {
    json('nx.json', {
      targetDefaults: {
        build: {
          dependsOn: ['^build'],
          outputs: ['{projectRoot}/out'],
          inputs: ['{projectRoot}/task.sh'],
          cache: true,
        },
      },
      analytics: false,
    });
  }
  for (const { name, dependsOn } of tasks) {
    json(`packages/${name}/package.json`, {
      name,
      version: '1.0.0',
      private: true,
      scripts: { build: 'bash task.sh > out' },
      dependencies: Object.fromEntries(dependsOn.map((other) => [other, '1.0.0'])),
    });
    writeFileSync(join(root, 'packages', name, 'task.sh'), `echo ${name}\n`);
  }
}

/** Projects of moon, which starts scripts by itself, without npm. */
export function writeMoon(root: string, tasks: readonly LayeredTask[]): void {
  mkdirSync(join(root, '.moon'), { recursive: true });
  // YAML takes JSON.
  const workspace = { projects: ['packages/*'], telemetry: false, vcs: { defaultBranch: 'main' } };
  writeFileSync(join(root, '.moon/workspace.yml'), JSON.stringify(workspace));
  writeFileSync(join(root, '.gitignore'), '.moon/cache\nout\n');
  for (const { name, dependsOn } of tasks) {
    const build = { script: 'bash task.sh > out', inputs: ['task.sh'], outputs: ['out'], deps: ['^:build'] };
    const folder = join(root, 'packages', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'moon.yml'), JSON.stringify({ dependsOn, tasks: { build } }));
    writeFileSync(join(folder, 'task.sh'), `echo ${name}\n`);
  }
}

export function writeWireit(root: string, tasks: readonly LayeredTask[]): void {
  mkdirSync(join(root, 'out'), { recursive: true });
  writeScripts(root, tasks);
  const wireit = tasks.map(({ name, dependsOn }): [string, object] => [
    name,
    {
      command: `bash scripts/${name}.sh > out/${name}`,
      files: [`scripts/${name}.sh`],
      output: [`out/${name}`],
      dependencies: dependsOn,
    },
  ]);
  const manifest = {
    name: 'layered',
    private: true,
    scripts: Object.fromEntries(
      [...tasks.map(({ name }) => name), 'all'].map((name) => [name, 'wireit'] as const),
    ),
    wireit: { ...Object.fromEntries(wireit), all: { dependencies: tasks.map(({ name }) => name) } },
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest, undefined, 2));
}

function writeScripts(root: string, tasks: readonly LayeredTask[]): void {
  mkdirSync(join(root, 'scripts'), { recursive: true });
  for (const { name } of tasks) writeFileSync(join(root, 'scripts', `${name}.sh`), `echo ${name}\n`);
}
