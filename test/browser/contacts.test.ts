/** The built package in headless browsers: the README's sample, and contacts of many pairs. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../src/cli/engines/find-browser.ts';
import { familyNames } from '../families.ts';
import { CALL_TIMEOUT, openHarness, TOLERANCE } from './open.ts';
import type { HarnessPage } from './open.ts';

const pairCount = 100_000;
const seed = 1;

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
    expect(lines[1]).toMatch(/^1 of 2 pairs touch, on webgpu /);
    expect(opened.complaints).toEqual([]);
  });

  describe(`contacts of ${pairCount} pairs on WebGPU agree with the double-precision reference`, () => {
    test.each(familyNames)('%s', { timeout: CALL_TIMEOUT }, async (name) => {
      const result = await opened.page.evaluate(
        (...parameters) => window.harness.compareContacts(...parameters),
        name,
        pairCount,
        seed,
        TOLERANCE,
      );
      const { webgpu, compile, kernels, cpu } = result.seconds;
      console.log(
        `${name}: ${result.pairs} pairs, ${((100 * result.overlapping) / result.pairs).toFixed(1)} % overlapping, ` +
          `largest difference ${result.worst.toExponential(1)}, ${which} ${result.adapter} ${webgpu.toFixed(1)} s, ` +
          `of that compiling ${compile.toFixed(1)} s, kernels ${kernels.toFixed(1)} s, reference ${cpu.toFixed(1)} s`,
      );
      expect(result.backend).toBe('webgpu');
      expect(result.pairs).toBe(pairCount);
      expect(result.faults, `seed ${seed}`).toEqual([]);
      expect(result.faultCount).toBe(0);
      expect(result.overlapping / result.pairs).toBeGreaterThan(0.4);
      expect(result.overlapping / result.pairs).toBeLessThan(0.6);
      expect(opened.complaints).toEqual([]);
    });
  });
});
