/** How long the main thread of a page in Chrome is busy, by the DevTools protocol. */

import type { Page } from 'puppeteer';
import type { MainThreadMeter } from './whole-query.ts';

/** The processor time of all tasks of the page's main thread, added up. */
export async function createTaskMeter(page: Page): Promise<MainThreadMeter> {
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async (work) => {
    const before = await taskMs();
    const query = await work();
    return [query, (await taskMs()) - before];
  };

  async function taskMs(): Promise<number> {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  }
}
