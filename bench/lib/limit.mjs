// The least that any task runner in Node does: `limit.mjs plan|index|run|run-bwrap|changed-bwrap <folder>`. No graph, no sandbox rules, no checks.
// What a task prints is kept, as by all the others: a runner that throws it away has nothing to say in a cached run.
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const [mode, root] = process.argv.slice(2);
const tasks = JSON.parse(readFileSync(`${root}/tasks.json`, 'utf8'));

/** Everything that makes a task's result, by name, from files that are not read where they did not change. */
function keyOf({ name, dependsOn }) {
  const { size, mtimeMs, ino } = lstatSync(`${root}/scripts/${name}.sh`);
  return hash('sha256', JSON.stringify({ dependsOn, name, script: [size, mtimeMs, ino] }));
}

if (mode === 'index') {
  const index = Object.fromEntries(tasks.map((task) => [keyOf(task), { name: task.name, ms: 1 }]));
  writeFileSync(`${root}/index.json`, JSON.stringify(index));
} else if (mode === 'plan') {
  const index = JSON.parse(readFileSync(`${root}/index.json`, 'utf8'));
  const lines = tasks.map((task) => `${index[keyOf(task)] ? 'skip' : 'run '}  ${task.name}`);
  process.stdout.write(`${lines.join('\n')}\n`);
} else {
  const box = [
    '--ro-bind',
    '/',
    '/',
    '--unshare-all',
    '--die-with-parent',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
  ];
  const isChange = mode === 'changed-bwrap';
  const index = isChange ? JSON.parse(readFileSync(`${root}/index.json`, 'utf8')) : {};
  const waiting = isChange ? tasks.filter((task) => !index[keyOf(task)]) : [...tasks];
  const printedBy = ([program, ...args]) =>
    new Promise((done) => {
      let printed = '';
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => (printed += text));
      }
      child.once('close', () => done(printed));
    });
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const script = ['bash', `${root}/scripts/${task.name}.sh`];
      const printed = await printedBy(mode.endsWith('-bwrap') ? ['bwrap', ...box, ...script] : script);
      const key = keyOf(task);
      writeFileSync(`${root}/results/${key}`, printed);
      index[key] = { name: task.name, ms: 1 };
    }
  };
  mkdirSync(`${root}/results`, { recursive: true });
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  writeFileSync(`${root}/index.json`, JSON.stringify(index));
}
