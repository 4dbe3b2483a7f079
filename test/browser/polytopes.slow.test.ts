/**
 * The kernels of queries of boxes and hulls in browsers. Few pairs tell whether a compiler gets a kernel
 * right: each kernel runs once. In test/night/browser/, kernels run in all their variants, and `npm run conformance` judges
 * many pairs in the same browsers.
 */
import { expect, test } from 'vitest';
import { describeKernels } from './checks.ts';
import { hardwareVariants } from './expected-kernels.ts';
import { CALL_TIMEOUT } from './open.ts';
import { atNight } from '../helpers/night.ts';
import { expectBadPairs, expectManifolds, expectQueries } from './query-checks.ts';

const sample = { count: 200, seed: 20_261_121 };

describeKernels('polytopes', (harness) => {
  test('boxes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, async () => {
    await expectQueries(harness(), 'box-box', sample, [
      { query: 'intersects', algorithm: 'auto' },
      { query: 'distances', algorithm: 'auto' },
      { query: 'distances', algorithm: 'sat' },
      { query: 'contacts', algorithm: 'auto', margin: 0.0625 },
    ]);
    await expectManifolds(harness(), 'box-box', sample, [{ algorithm: 'auto', margin: 0 }]);
  });

  test('rounded boxes and hulls agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectQueries(harness(), 'rounded-box-hull', sample, [{ query: 'contacts', algorithm: 'auto' }]),
  );

  if (atNight(false, true)) {
    test('kernels compile with the constants of graphics cards', { timeout: CALL_TIMEOUT }, async () => {
      await harness().page.evaluate((variants) => window.harness.compileKernels(variants), hardwareVariants());
      expect(harness().complaints).toEqual([]);
    });
  }

  // In Dawn, `invalid-input.test.ts` has all stages for all queries.
  test.each([
    ['intersects', 'mpr'],
    ['distances', 'newton'],
    ['contacts', 'sat'],
  ] as const)(
    '%s: pairs that only a GPU sees to be invalid have a status of their own and leave the others as they were',
    { timeout: CALL_TIMEOUT },
    (query, leadStage) => expectBadPairs(harness(), query, leadStage, { ...sample, count: 300 }),
  );
});
