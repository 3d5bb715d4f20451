import { expect, test } from 'vitest';
import { grammarText, injuredText, noiseText, seeded } from '../lens/testing/random-yaml.ts';
import { agentSkillRows } from './diagnostic-rows.ts';
import { lintSkill } from './lint.ts';
import type { SkillProblem } from './problem.ts';
import { readSkillFile } from './read-skill.ts';
import type { SkillReading } from './read-skill.ts';
import { renameInFrontmatter } from './rename-skill.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const seed = Number(process.env['SEED'] ?? 20_261_116);

const realistic = [
  '---\nname: pdf-reader\ndescription: Reads PDF files. Use when: a PDF is named\nlicense: MIT\nallowed-tools: Bash(git log:*) Read\nmetadata:\n  version: 1.0\n  author: me\n---\n# Steps\n\nRun `scripts/a.py`.\n---\nend\n',
  '\ufeff---\r\nname: "café"\r\ndescription: >-\r\n  Folded\r\n  text\r\ncompatibility: git\r\nextra:\r\n  - a\r\n  - {b: [c]}\r\n---\r\nbody\r\n',
  '---\rname: x\rdescription: \'a --- b\'\rmetadata:\r  sunwell: \'{"depends_on":["a"]}\'\r---\rbody\r',
  '---  \nname: &a x\ndescription: *a\nname: y\n? [k]\n: v\n...\n---\n',
];
const fields = [
  'name',
  'description',
  'license',
  'compatibility',
  'allowed-tools',
  'metadata',
  'extra',
  '"name"',
  '? name',
];
const breaks = ['\n', '\n', '\n', '\r\n', '\r'];

function skillText(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const lines: string[] = [];
  const total = Math.floor(random() * 5);
  for (let i = 0; i < total; i++) {
    const value = random() < 0.75 ? noiseText(random).replace(/[\r\n]/g, ' ') : grammarText(random);
    lines.push(`${pick(fields)}:${random() < 0.9 ? ' ' : ''}${value}`);
  }
  const close = random() < 0.9 ? '---' : pick(['...', '--- x', ' ---', '']);
  const text = `${random() < 0.95 ? '---' : noiseText(random)}\n${lines.join('\n')}\n${close}\n${noiseText(random)}`;
  return text.replaceAll('\n', pick(breaks));
}

function problemWith(problem: SkillProblem, lineCount: number): string | undefined {
  const { code, message, line, column, endLine, endColumn } = problem;
  if (!(code in agentSkillRows)) return 'unknown code';
  if (message === '') return 'no message';
  if (line < 1 || column < 1 || endLine > lineCount) return 'outside the text';
  if (endLine < line || (endLine === line && endColumn < column)) return 'ends before it starts';
  return undefined;
}

test(
  `readSkillFile() gives only typed problems for ${count} hostile files, none slower than a second`,
  { timeout: 600_000 },
  () => {
    const random = seeded(seed);
    const codes = new Set<string>();
    let usable = 0;
    for (let i = 0; i < count; i++) {
      const kind = random();
      const text =
        kind < 0.45 ? injuredText(random, realistic) : kind < 0.95 ? skillText(random) : noiseText(random);
      let bytes = new TextEncoder().encode(text);
      if (random() < 0.02 && bytes.length > 0) bytes = bytes.with(Math.floor(random() * bytes.length), 0xff);
      const profile = i % 2 === 0 ? 'strict' : 'lenient';
      const start = performance.now();
      let reading: SkillReading;
      try {
        reading = readSkillFile(bytes, { directoryName: 'pdf-reader', profile });
        if (i % 10 === 0) {
          lintSkill(reading, []);
          renameInFrontmatter(reading.text, 'new');
        }
      } catch (error) {
        throw new Error(`SEED=${seed}, input ${i}: ${JSON.stringify(text)} threw`, { cause: error });
      }
      let elapsedMs = performance.now() - start;
      if (elapsedMs > 1000) {
        // A busy machine may stop any program for a second: only what is slow twice is slow.
        const again = performance.now();
        readSkillFile(bytes, { directoryName: 'pdf-reader', profile });
        elapsedMs = performance.now() - again;
      }
      if (elapsedMs > 1000)
        throw new Error(`SEED=${seed}, input ${i} took ${elapsedMs} ms: ${JSON.stringify(text)}`);
      if (reading.isUsable) usable++;
      const lineCount = reading.text.split(/\r\n|\n|\r/).length;
      for (const problem of reading.problems) {
        const wrong = problemWith(problem, lineCount);
        if (wrong !== undefined)
          throw new Error(`SEED=${seed}, input ${i}: ${wrong}: ${JSON.stringify({ problem, text })}`);
        codes.add(problem.code);
      }
      if (!reading.text.endsWith(reading.body))
        throw new Error(`SEED=${seed}, input ${i}: the body is not the file’s`);
    }
    // Inputs that all fail at the first line would prove nothing.
    if (count < 100_000) return;
    expect(codes.size).toBeGreaterThan(15);
    expect(usable).toBeGreaterThan(count / 50);
  },
);
