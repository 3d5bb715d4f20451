import { startWindow } from '../start-window.ts';

// `start-window-main <built host>`: says the first that does not hold.
const [host = ''] = process.argv.slice(2);
for (const [title, check] of Object.entries(startWindow)) {
  try {
    await check({ rounds: 160, host });
  } catch (error) {
    console.log(`${title}: ${(error as Error).message}`);
    process.exit(1); // What does not end would keep this process too.
  }
}
process.exit(0);
