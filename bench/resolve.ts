import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findAppRoot } from '#engine/store/app-root.ts';
import { openResolver } from '#engine/resolve/open-resolver.ts';
import type { WorkspaceResolver } from '#engine/resolve/workspace-resolver.ts';
import { Log } from '#engine/store/log.ts';
import { parseDocument } from 'yaml';
import { compare } from './lib/compare.ts';
import { randomSkills } from './lib/random-skills.ts';

const skillCount = 1000;
const libraryCount = 40;

/** A lens that includes forty libraries with a thousand skills, three dependencies each across the libraries. */
async function writeWorkspace(root: string): Promise<string[]> {
  const byLibrary = new Map<string, string[]>();
  for (const { id, name, dependsOn } of randomSkills(skillCount)) {
    const file = id.slice('./skills/'.length, id.lastIndexOf(':'));
    const lines = [
      `  - name: ${name}`,
      `    description: Does ${name}`,
      `    instructions: Do ${name} with care`,
    ];
    if (dependsOn.length > 0) lines.push('    depends_on:');
    for (const dependency of dependsOn) lines.push(`      - "./${dependency.slice('./skills/'.length)}"`);
    byLibrary.set(file, [...(byLibrary.get(file) ?? []), ...lines]);
  }
  await mkdir(join(root, 'skills'), { recursive: true });
  const texts: string[] = [];
  for (const [file, lines] of byLibrary) {
    const text = `skills:\n${lines.join('\n')}\n`;
    texts.push(text);
    await writeFile(join(root, 'skills', file), text);
  }
  const includes = [...byLibrary.keys()].map((file) => `  - include: ./skills/${file}`);
  const lens = `metadata: { name: Large, version: 1.0.0 }\nskills:\n${includes.join('\n')}\n`;
  await writeFile(join(root, 'large.lens'), lens);
  return [...texts, lens];
}

/** Resolving a large lens: the first time, and again when nothing changed. */
export async function run(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'sunwell-bench-'));
  try {
    const texts = await writeWorkspace(root);
    let homes = 0;
    const open = (home: string): WorkspaceResolver => {
      const resources = join(findAppRoot(import.meta.url), 'resources');
      const files = (): Promise<readonly string[]> => Promise.resolve([]);
      return openResolver({ root, home, resources, log: new Log(home), files }).resolver;
    };
    const home = join(root, '.home');
    // What was just written is looked at once more, because another change could look the same.
    await setTimeout(100);
    const resident = open(home);
    const { skills, graph, diagnostics } = await resident.resolve('large.lens');
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    console.log(
      `${skills.length} skills in ${libraryCount} libraries, ${graph.dependencies.length} edges, ${errors} errors`,
    );
    await compare({
      title: `Resolve a lens of ${skillCount} skills`,
      limit: 'yaml parseDocument of the same texts',
      prepare: () => undefined,
      contenders: [
        {
          name: 'yaml parseDocument of the same texts',
          work: () => texts.map((text) => parseDocument(text)),
        },
        {
          name: 'first: read, parse, resolve, graph, checks, hash',
          work: () => open(join(root, `.home-${homes++}`)).resolve('large.lens'),
        },
        { name: 'unchanged, as a new process finds it', work: () => open(home).resolve('large.lens') },
        { name: 'unchanged, resident', work: () => resident.resolve('large.lens') },
      ],
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
