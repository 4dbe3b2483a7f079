/**
 * The kernels of queries of curved shapes and half-spaces in browsers. Few pairs tell whether a compiler gets a kernel
 * right; test/night/browser/ has all their variants, and `npm run conformance` judges many pairs in the same browsers.
 */
import { expect, test } from 'vitest';
import { describeKernels } from './checks.ts';
import type { BatchCase } from './compiled.ts';
import { CALL_TIMEOUT } from './open.ts';
import { expectManifolds, expectPortals, expectQueries } from './query-checks.ts';

const sample = { count: 200, seed: 20_261_121 };

describeKernels('curved', (harness) => {
  test('curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, async () => {
    await expectQueries(harness(), 'curved', sample, [
      { query: 'distances', algorithm: 'auto', margin: 0.0625 },
      { query: 'intersects', algorithm: 'auto' },
      { query: 'intersects', algorithm: 'mpr' },
      { query: 'distances', algorithm: 'mpr' },
      { query: 'contacts', algorithm: 'auto', margin: 0.0625 },
    ]);
    await expectManifolds(harness(), 'curved', sample, [{ algorithm: 'auto', margin: 0.0625 }]);
    await expectPortals(harness(), 'curved', sample);
  });

  test('the kernels compile', { timeout: CALL_TIMEOUT }, async () => {
    const batches: BatchCase[] = [
      { family: 'curved', query: 'contacts', margin: 0.0625 },
      { family: 'curved', query: 'contacts', algorithm: 'mpr' },
      { family: 'curved', query: 'manifolds', margin: 0.0625 },
      { family: 'curved', query: 'intersects' },
      { family: 'curved', query: 'intersects', algorithm: 'mpr' },
      { family: 'curved', query: 'distances', margin: 0.0625 },
      { family: 'curved', query: 'distances', algorithm: 'mpr' },
    ];
    await harness().page.evaluate((cases) => window.harness.compileBatches(cases, false), batches);
    expect(harness().complaints).toEqual([]);
  });
});
