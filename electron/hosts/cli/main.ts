#!/usr/bin/env node
import { defaultHome } from '#engine/home.ts';
import { plansFolder } from '#engine/store/plans-folder.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { V8Pace } from './v8-pace.ts';
import { loadAlone, PackedCode } from './packed-code.ts';
import type * as Quick from './quick.ts';
import type * as Start from './start.ts';

declare const __VERSION__: string;

const words = process.argv.slice(2);

// The version is asked for by scripts, often and alone: nothing is loaded for it.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${__VERSION__}\n`);
} else void run();

async function run(): Promise<void> {
  const named = words.find((word) => !word.startsWith('-')) ?? '';
  const command = /^[a-z-]{1,20}$/.test(named) ? named : 'other';
  const pace = new V8Pace();
  const parts = { folder: join(import.meta.dirname, 'cli'), home: defaultHome(), command, pace };
  // Nothing else is answered there, and nothing without a kept plan; what is asked exactly is looked at again.
  const mayBeQuick = words.length === 3 && (words[0] === 'apply' || words[1] === 'skill-plan');
  if (mayBeQuick && existsSync(plansFolder(parts.home))) {
    let isAnswered = false;
    const { answer } = loadAlone(parts, 'quick.cjs', () => isAnswered) as typeof Quick;
    isAnswered = await answer(words);
    if (isAnswered) return;
  }
  const { start } = new PackedCode(parts).load('start.cjs') as typeof Start;
  if (command === 'apply') pace.follow();
  await start(words);
}
