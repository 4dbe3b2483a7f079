/**
 * The kernels of queries of curved shapes and half-spaces in browsers. Few pairs tell whether a compiler gets a kernel
 * right: each kernel runs once. In test/night/browser/, kernels run in all their variants, and `npm run conformance` judges
 * many pairs in the same browsers.
 */
import { expect, test } from 'vitest';
import { describeKernels } from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';
import { expectManifolds, expectPortals, expectQueries } from './query-checks.ts';

const sample = { count: 200, seed: 20_261_121 };

describeKernels('curved', (harness) => {
  test('curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, async () => {
    await expectQueries(harness(), 'curved', sample, [
      { query: 'intersects', algorithm: 'auto' },
      { query: 'intersects', algorithm: 'mpr' },
      { query: 'distances', algorithm: 'auto', margin: 0.0625 },
      { query: 'distances', algorithm: 'mpr' },
      { query: 'contacts', algorithm: 'auto', margin: 0.0625 },
    ]);
    await expectManifolds(harness(), 'curved', sample, [{ algorithm: 'auto', margin: 0.0625 }]);
    await expectPortals(harness(), 'curved', sample);
  });

  // Queries compile these only if a pair needs them.
  test('the kernels that few pairs need compile', { timeout: CALL_TIMEOUT }, async () => {
    const batch = { family: 'curved', query: 'contacts', margin: 0.0625 } as const;
    await harness().page.evaluate((cases) => window.harness.compileBatches(cases, false), [batch]);
    expect(harness().complaints).toEqual([]);
  });
});
