import type { Page } from '@playwright/test';

/** Asks the page's main thread how long it has worked: its own time, which a busy machine does not stretch as it does the clock's. */
export async function pageCpu(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };
}
