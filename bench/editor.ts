import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { machineLine, table } from './lib/compare.ts';
import { showPlainAt, showTextAt, startTiming, takeTimes } from './lib/editor-page.mjs';
import { inPlainEditor } from './lib/plain-editor.ts';
import { inStudioPage, startBrowser } from './lib/studio-page.ts';

const repetitions = 3;
const lineCount = 5_000;
const file = 'lenses/large.lens';
const limitMs = 50;
/** As fast as somebody who types well: about 110 words a minute. */
const pauseMs = 90;

/**
 * Typing in a lens of 5,000 lines with diagnostics on: from each key, as the browser got it, to the end of the frame
 * whose lines or cursor have changed, so that waiting for the next of 60 frames a second is part of it. Wants a build.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-editor-'));
  const browser = await startBrowser();
  try {
    mkdirSync(join(folder, 'workspace/lenses'), { recursive: true });
    writeFileSync(join(folder, 'workspace', file), lensText());
    const times = new Map<string, Typed>();
    for (let i = 0; i < repetitions; i++) {
      const place = { browser, workspace: join(folder, 'workspace'), home: join(folder, `home-${i}`) };
      for (const [what, { keys, cpuMs }] of [
        ...(await inStudioPage(place, inStudio)),
        ...(await inPlainEditor(browser, lensText(), inPlain)),
      ]) {
        const known = times.get(what) ?? { keys: [], cpuMs: 0 };
        times.set(what, { keys: [...known.keys, ...keys], cpuMs: known.cpuMs + cpuMs });
      }
    }
    const rows = [...times].map(([what, { keys, cpuMs }]) => {
      const sorted = [...keys].sort((a, b) => a - b);
      const at = (share: number): string => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1);
      return [what, String(sorted.length), at(0.5), at(0.95), at(1), (cpuMs / sorted.length).toFixed(1)];
    });
    console.log(
      `\nFrom a key to its frame, ${lineCount.toLocaleString('en')} lines, diagnostics on, limit p95 ${limitMs} ms\n` +
        table([['what', 'keys', 'p50 ms', 'p95 ms', 'most ms', 'CPU ms a key'], ...rows]),
    );
    console.log(
      `${repetitions} new pages of new hosts, headless Chromium without a GPU. CPU: of the page's main thread, painting ` +
        `and everything that follows a key included; it tells a slow page from a busy machine. ${machineLine()}`,
    );
    const slow = rows.filter(([what, , , p95]) => !what!.startsWith(plain) && Number(p95) >= limitMs);
    if (slow.length > 0) {
      console.error(`Too slow: ${slow.map(([what]) => what).join(', ')}`);
      process.exitCode = 1;
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Typed {
  readonly keys: readonly number[];
  readonly cpuMs: number;
}

async function inStudio(page: Page): Promise<[string, Typed][]> {
  const showAt = async (line: number): Promise<void> => {
    const problems = await page.evaluate(showTextAt, { file, line, column: 1 });
    if (problems === 0)
      throw new Error('The lens was to have problems, so that diagnostics have something to say');
  };
  return typeIn(page, showAt);
}

const plain = 'the editor alone: ';

async function inPlain(page: Page): Promise<[string, Typed][]> {
  const typed = await typeIn(page, (line) => page.evaluate(showPlainAt, { line, column: 1 }));
  return typed.map(([what, times]) => [plain + what, times]);
}

async function typeIn(page: Page, showAt: (line: number) => Promise<void>): Promise<[string, Typed][]> {
  await showAt(lineOfSkill + 6);
  await page.evaluate(startTiming);
  const cpuMs = await cpuClock(page);
  const typed = async (what: string, text: string): Promise<[string, Typed]> => {
    await page.evaluate(takeTimes);
    const before = await cpuMs();
    for (const letter of text) {
      await (letter === '\n' ? page.keyboard.press('Enter') : page.keyboard.type(letter));
      await page.waitForTimeout(pauseMs);
    }
    await page.waitForTimeout(1_000);
    return [what, { cpuMs: (await cpuMs()) - before, keys: await page.evaluate(takeTimes) }];
  };
  const prose = 'Reads the charts of the harbour and says where the water is deep enough for us. ';
  await page.keyboard.press('End');
  const text = await typed('text of a skill', prose.repeat(2));
  await showAt(lineOfSkill + 9);
  await page.keyboard.press('End');
  const keys = await typed(
    'new keys and names',
    '\ntrust: none\nrequires: [key_12, key_31]\ndepends_on: [skill-3',
  );
  return [text, keys];
}

/** The time that the page's main thread has worked, whoever else wants the machine. */
async function cpuClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
}

const linesPerSkill = 10;
/** The first line of the skill in the middle; its instructions begin six lines below, its last key is nine below. */
const lineOfSkill = 3 + Math.floor(lineCount / 2 / linesPerSkill) * linesPerSkill;

/** Skills of ten lines each; every twentieth has a key that nobody knows and needs what nothing produces. */
function lensText(): string {
  const count = Math.floor((lineCount - 3) / linesPerSkill);
  const skills = Array.from({ length: count }, (_, index) => {
    const isOdd = index % 20 === 7;
    return [
      `  - name: skill-${index}`,
      `    description: Does part ${index} of the work, and says so in a sentence`,
      index === 0 ? '    depends_on: []' : `    depends_on: [skill-${Math.floor(index / 2)}]`,
      `    produces: [key_${index}]`,
      `    requires: [${isOdd ? `missing_${index}` : ''}]`,
      '    instructions: |',
      '      Look at what is there before anything is changed.',
      '      Then say what was found, line by line, with the place.',
      '      End with what is still open.',
      isOdd ? '    instrutcions: twice' : '    timeout: 20',
    ];
  });
  return ['metadata: {name: Large, version: 1.0.0}', 'skills:', ...skills.flat(), ''].join('\n');
}
