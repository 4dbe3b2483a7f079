/** The built package in headless browsers: the README's sample, and contacts of many pairs. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../src/cli/engines/find-browser.ts';
import { familyNames } from '../families.ts';
import type { QueryCase } from './cases.ts';
import { CALL_TIMEOUT, openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';

const pairCount = 100_000;
const seed = 1;
const contacts: QueryCase = { query: 'contacts', algorithm: 'auto', margin: Infinity };

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

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
    expect(lines[1]).toBe('1 of 2 pairs touch, on webgpu');
    expect(opened.complaints).toEqual([]);
  });

  describe(`contacts of ${pairCount} pairs on WebGPU agree with the double-precision reference`, () => {
    test.each(familyNames)('%s', { timeout: CALL_TIMEOUT }, async (name) => {
      const [result] = await opened.page.evaluate(
        (...parameters) => window.harness.compareQueries(...parameters),
        name,
        pairCount,
        seed,
        [contacts],
      );
      const { all, hits, reference, judge } = result.timings;
      console.log(
        `${name}: ${result.pairs} pairs, ${((100 * result.overlapping) / result.pairs).toFixed(1)} % overlapping, ` +
          `largest difference ${result.worst.toExponential(1)}, ${which} ${result.adapter} ${seconds(all.total)}, ` +
          `of that compiling ${seconds(all.compile)}, kernels ${seconds(all.kernels)}, as hits ${seconds(hits.total)}, ` +
          `reference ${seconds(reference)}, judging ${seconds(judge)}`,
      );
      expect(result.backend).toBe('webgpu');
      expect(result.pairs).toBe(pairCount);
      expect(result.faults, `seed ${seed}`).toEqual([]);
      expect(result.passed).toBe(true);
      expect(result.overlapping / result.pairs).toBeGreaterThan(0.4);
      expect(result.overlapping / result.pairs).toBeLessThan(0.6);
      expect(opened.complaints).toEqual([]);
    });
  });
});
