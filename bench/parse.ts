import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { readLens } from '#shared/lens/read/lens.ts';
import { compare } from './lib/compare.ts';

// As its package has it; the one that ours is built with is quicker.
const { LineCounter, parseDocument } = createRequire(import.meta.url)('yaml') as typeof Yaml;

/** Reading a lens of 100 KB with all positions, against what the YAML library alone takes for its document. */
export async function run(): Promise<void> {
  const text = lensText(100 * 1024);
  const { value, diagnostics } = readLens(text, 'bench.lens');
  if (diagnostics.length > 0 || value.skills.length < 100)
    throw new Error('The lens of the benchmark is not clean');
  await compare({
    title: `Read a lens with positions (${Math.round(text.length / 1024)} KB, ${value.skills.length} skills)`,
    limit: 'yaml parseDocument',
    prepare: () => text,
    contenders: [
      { name: 'readLens', work: (input) => readLens(input, 'bench.lens') },
      {
        name: 'yaml parseDocument',
        work: (input) => parseDocument(input, { lineCounter: new LineCounter() }),
      },
    ],
    repetitions: 25,
  });
}

/** A lens of about the wanted size, in the manner of the lenses in the wild: many short lists, some prose. */
function lensText(size: number): string {
  const parts = ['lens:', '  metadata:', '    name: Bench', '    version: "1.0.0"', '  heuristics:'];
  for (let i = 0; i < 40; i++) {
    parts.push(`    - name: "Heuristic ${i}"`, `      rule: "Every claim number ${i} needs a source"`);
    parts.push('      priority: 0.9', '      wisdom:');
    for (let j = 0; j < 4; j++) parts.push(`        - "Experience ${j}: what looks simple, seldom is"`);
  }
  parts.push('  skills:');
  let length = parts.join('\n').length;
  for (let i = 0; length < size; i++) {
    const skill = [
      `    - name: skill-${i}`,
      `      description: Does step ${i} of the work, after the steps before it`,
      '      trust: sandboxed',
      ...(i === 0 ? [] : ['      depends_on:', `        - source: skill-${i >> 1}`]),
      ...(i === 0 ? [] : [`      requires: [key_${i >> 1}]`]),
      '      produces:',
      `        - key_${i}`,
      '      triggers: [read, "open the file", view]',
      '      instructions: |',
      '        ## Goal',
      `        Read the result of the step before and write part ${i}.`,
      '',
      '        ## Process',
      '        1. Read it from the start to the end',
      '        2. Say what is missing, with the line where it is missing',
    ].join('\n');
    parts.push(skill);
    length += skill.length + 1;
  }
  return `${parts.join('\n')}\n`;
}
