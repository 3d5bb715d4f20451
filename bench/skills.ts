import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { discoverSkills } from '#engine/agent-skills/discover-skills.ts';
import { compare } from './lib/compare.ts';

const skillCount = 500;

/** Skills as people write them: a page of instructions, a script, a reference, and some with more fields. */
function skillFiles(index: number): Record<string, string> {
  const name = `skill-${String(index).padStart(3, '0')}`;
  const steps = Array.from(
    { length: 40 },
    (_, n) => `${n + 1}. Look at part ${n} of the file, then run \`scripts/run.py\` and read what it prints.`,
  );
  const more = index % 3 === 0 ? 'license: MIT\nmetadata:\n  version: 1.0\n  author: the team\n' : '';
  return {
    [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Handles files of kind ${index}. Use it when such a file is named.\n${more}---\n\n# ${name}\n\n${steps.join('\n')}\n\n---\n\nSee references/guide.md.\n`,
    [`${name}/scripts/run.py`]: `#!/usr/bin/env python3\nprint(${index})\n`.repeat(10),
    [`${name}/references/guide.md`]: `# Guide ${index}\n\n${'Words of advice. '.repeat(100)}\n`,
  };
}

/** Finding, reading, checking and hashing skills, against reading the same files and doing nothing with them. */
export async function run(): Promise<void> {
  const project = await mkdtemp(join(tmpdir(), 'sunwell-bench-'));
  try {
    const paths: string[] = [];
    for (let index = 0; index < skillCount; index++) {
      for (const [file, text] of Object.entries(skillFiles(index))) {
        const path = join(project, '.claude/skills', file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
        paths.push(path);
      }
    }
    const { skills, skipped } = await discoverSkills({ project });
    if (skills.length !== skillCount || skipped.length > 0)
      throw new Error('The generated skills are not valid');
    await compare({
      title: `Discover and validate ${skillCount} skill folders of ${paths.length} files`,
      limit: 'bare read of the same files, 8 at once',
      prepare: () => undefined,
      contenders: [
        { name: 'bare read of the same files, 8 at once', work: () => readAll(paths, 8) },
        { name: 'bare read of the same files, one by one', work: () => readAll(paths, 1) },
        { name: 'discover: walk, read, check, hash', work: () => discoverSkills({ project }) },
      ],
    });
    await compareProcessorTime(paths, project);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

/** On a busy machine the clock mostly measures the others; the processor's own time does not. */
async function compareProcessorTime(paths: readonly string[], project: string): Promise<void> {
  const bare: number[] = [];
  const discover: number[] = [];
  for (let round = 0; round < 9; round++) {
    bare.push(await processorMs(() => readAll(paths, 8)));
    discover.push(await processorMs(() => discoverSkills({ project })));
  }
  const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;
  const [base, ours] = [median(bare), median(discover)];
  console.log(
    `Processor time, all threads: bare read ${base.toFixed(0)} ms, discover ${ours.toFixed(0)} ms, ${(ours / base).toFixed(2)}×`,
  );
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function readAll(paths: readonly string[], together: number): Promise<number> {
  let bytes = 0;
  for (let at = 0; at < paths.length; at += together) {
    for (const content of await Promise.all(paths.slice(at, at + together).map((path) => readFile(path)))) {
      bytes += content.length;
    }
  }
  return bytes;
}
