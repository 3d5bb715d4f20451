#!/usr/bin/env node
declare const __VERSION__: string;

const words = process.argv.slice(2);

// The version is asked for by scripts, often and alone: nothing is loaded for it.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${__VERSION__}\n`);
} else {
  const { start } = await import('./start.ts');
  await start(words);
}

export {};
