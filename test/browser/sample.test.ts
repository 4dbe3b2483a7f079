/** Samples of the README and of docs/ on the built package in headless browsers. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('the README sample prints its results', async () => {
    const lines = await opened.page.evaluate((url) => window.harness.runSample(url), '/sample.js');
    expect(lines.length).toBe(2);
    const [pair, distance, normal] = lines[0].split(' ');
    expect([pair, normal]).toEqual(['0', '1,0,0']);
    expect(Number(distance)).toBeCloseTo(-0.1, 6);
    // The tests' adapters are software.
    expect(lines[1]).toBe('1 of 2 pairs touch, on cpu');
    expect(opened.complaints).toEqual([]);
  });

  test('the shader of docs/gpu-batches.md reads the hits of a batch in a pass that is dispatched indirectly', async () => {
    const lines = await opened.page.evaluate((url) => window.harness.runSample(url), '/shader.js');
    expect(lines).toEqual(['500000 500000 250000 0']);
    expect(opened.complaints).toEqual([]);
  });
});
