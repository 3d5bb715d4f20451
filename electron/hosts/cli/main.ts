#!/usr/bin/env node
import { defaultHome } from '#engine/home.ts';
import { join } from 'node:path';
import { PackedCode } from './packed-code.ts';
import type * as Start from './start.ts';

declare const __VERSION__: string;

const words = process.argv.slice(2);

// The version is asked for by scripts, often and alone: nothing is loaded for it.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${__VERSION__}\n`);
} else {
  const command = words.find((word) => !word.startsWith('-')) ?? '';
  const name = /^[a-z-]{1,20}$/.test(command) ? command : 'other';
  const code = new PackedCode({ folder: join(import.meta.dirname, 'cli'), home: defaultHome(), name });
  const { start } = code.load('start.cjs') as typeof Start;
  void start(words);
}
