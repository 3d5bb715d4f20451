import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { build } from 'vite';
import { layOutApp } from '../store/testing/lay-out-app.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, RunsRig } from './testing/runs-rig.ts';

const cycles = Number(process.env['SUNWELL_CRASHES'] ?? 200);
const skillCount = 12;
const word = `crash-${process.pid}`;

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
const folder = mkdtempSync(join(tmpdir(), 'sunwell-crash-'));
const driver = join(folder, 'crash-driver.js');

beforeAll(async () => {
  layOutApp(folder);
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'testing/crash-driver.ts'),
      outDir: folder,
      target: 'node20',
      minify: false,
    },
  });
}, 60_000);
afterAll(() => {
  testing[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** Every skill reads a file of its own, hands on what it read, and proposes a file. */
function skills(): string {
  return Array.from({ length: skillCount }, (_, i) => {
    const lines = [
      `(exec -a ${word} sleep 0.01)`,
      `cp in-${i}.txt $SUNWELL_FILES/out-${i}.txt`,
      `echo "{\\"k${i}\\": \\"$(cat in-${i}.txt)\\"}"`,
    ];
    const needs = i < 3 ? [] : [`depends_on: [s${i - 3}, s${i - 2}]`, `requires: [k${i - 3}]`];
    return bashSkill(`s${i}`, lines, `files: [in-${i}.txt]`, `produces: [k${i}]`, ...needs);
  }).join('');
}

/** Runs in a process of its own; kills it after so many events, or after so many milliseconds, or not at all. */
async function drive(rig: RunsRig, kill: { events?: number; ms?: number } = {}) {
  const { root, home, lens } = rig;
  const resources = join(import.meta.dirname, '../../../resources');
  const child = spawn(
    process.execPath,
    [driver, JSON.stringify({ root, home, lens, resources, folder: testing.folder })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const closed = once(child, 'close');
  const lines: string[] = [];
  const timer = kill.ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), kill.ms);
  for await (const line of createInterface(child.stdout)) {
    if (lines.push(line) === kill.events) child.kill('SIGKILL');
  }
  await closed;
  clearTimeout(timer);
  return lines;
}

function survivors(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(word);
    } catch {
      return false; // Gone meanwhile.
    }
  });
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

describe.skipIf(!isAvailable)('processes of their own', () => {
  test(
    `that are killed leave nothing torn and no process behind, and their runs are carried on (${cycles} times)`,
    async () => {
      const files = Object.fromEntries(
        Array.from({ length: skillCount }, (_, i) => [`in-${i}.txt`, `first ${i}`]),
      );
      await using rig = await RunsRig.make(testing.sandbox, skills(), files);
      const began = performance.now();
      const all = await drive(rig);
      const wholeMs = performance.now() - began;
      expect(JSON.parse(all.at(-1)!)).toEqual({ status: 'succeeded', warnings: [] });
      let interrupted = 0;
      for (let cycle = 0; cycle < cycles; cycle++) {
        await rig.write(`in-${cycle % skillCount}.txt`, `text ${cycle}`);
        await rig.write(`in-${(cycle * 5) % skillCount}.txt`, `other ${cycle}`);
        await drive(
          rig,
          cycle % 2 === 0 ? { events: 1 + Math.floor(Math.random() * 60) } : { ms: Math.random() * wholeMs },
        );
        await vi.waitFor(() => expect(survivors()).toEqual([]), { timeout: 10_000, interval: 5 });
        await rig.restart();
        const [last] = await rig.runs().list({ limit: 1 });
        expect(['succeeded', 'interrupted']).toContain(last!.status);
        if (last!.status === 'succeeded') continue;
        interrupted++;
        const before = await rig.runs().show(last!.runId);
        const resumed = await (await rig.runs().resume(last!.runId)).done;
        expect([resumed.status, resumed.resumes, resumed.warnings]).toEqual(['succeeded', last!.runId, []]);
        for (const [i, step] of before.steps.entries()) {
          if (step.state === 'ran') expect(resumed.steps[i]).toMatchObject({ state: 'cached', id: step.id });
        }
        for (let i = 0; i < skillCount; i++) {
          expect(resumed.steps.find(({ skill }) => skill === `s${i}`)?.outputs).toEqual({
            [`k${i}`]: await rig.read(`in-${i}.txt`),
          });
        }
      }
      // A few kills can all come too late; many cannot.
      if (cycles >= 20) expect(interrupted).toBeGreaterThan(cycles / 10);
      expect((await rig.cache.verify()).damaged).toEqual([]);
      const left = filesBelow(join(rig.home, 'runs')).filter(
        (name) => !/^(journal\.jsonl|history\.jsonl|[0-9a-f]{64})$/.test(name),
      );
      expect(left).toEqual([]);
    },
    cycles * 15_000,
  );

  // Several times: most of what they can do to each other is done within a few milliseconds.
  test.each([1, 2, 3, 4, 5, 6])('that work on one workspace at once agree on every result (%i)', async () => {
    const files = Object.fromEntries(
      Array.from({ length: skillCount }, (_, i) => [`in-${i}.txt`, `text ${i}`]),
    );
    await using rig = await RunsRig.make(testing.sandbox, skills(), files);
    const ends = await Promise.all([drive(rig), drive(rig)]);
    for (const lines of ends) {
      const { status, warnings } = JSON.parse(lines.at(-1)!) as { status: string; warnings: string[] };
      // What the other process finished first is no longer to be run: the only way to depart from the plan.
      const others = warnings.filter(
        (warning) => !/said "run" for "s\d+", and the run decided "skip"/.test(warning),
      );
      expect([status, others]).toEqual(['succeeded', []]);
    }
    expect((await rig.runs().list({ limit: 10 })).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    expect((await rig.plan()).skipPercentage).toBe(100);
    expect((await rig.cache.verify()).damaged).toEqual([]);
  });
});
