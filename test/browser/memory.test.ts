/** Arrays of callers in resizable memory, which browsers' queues refuse, on the built package in each browser. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { CALL_TIMEOUT, openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test(
    'queries and batches take arrays in resizable memory, in space and in the plane',
    { timeout: CALL_TIMEOUT },
    async () => {
      const gaps = [-0.25, 1];
      const expected = [{ memory: 'a resizable ArrayBuffer', distances: [gaps, gaps, gaps, gaps] }];
      expect(await opened.page.evaluate(() => window.harness.answerFromMemory())).toEqual(expected);
      expect(opened.complaints).toEqual([]);
    },
  );
});
