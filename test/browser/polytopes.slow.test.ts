/**
 * The kernels of queries of boxes and hulls in browsers. Few
 * pairs tell whether a compiler gets a kernel right: each kernel runs once. In test/night/browser/, kernels run in all
 * their variants, and `npm run conformance` judges many pairs in the same browsers.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';
import { expectBadPairs, expectManifolds, expectQueries } from './query-checks.ts';

const sample = { count: 200, seed: 20_261_121 };

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('boxes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, async () => {
    await expectQueries(opened, 'box-box', sample, [
      { query: 'intersects', algorithm: 'auto' },
      { query: 'distances', algorithm: 'auto' },
      { query: 'distances', algorithm: 'sat' },
      { query: 'contacts', algorithm: 'auto', margin: 0.0625 },
    ]);
    await expectManifolds(opened, 'box-box', sample, [{ algorithm: 'auto', margin: 0 }]);
  });

  test('rounded boxes and hulls agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectQueries(opened, 'rounded-box-hull', sample, [{ query: 'contacts', algorithm: 'auto' }]),
  );

  // In Dawn, `invalid-input.test.ts` has all stages for all queries.
  test.each([
    ['intersects', 'mpr'],
    ['distances', 'newton'],
    ['contacts', 'sat'],
  ] as const)(
    '%s: pairs that only a GPU sees to be invalid have a status of their own and leave the others as they were',
    { timeout: CALL_TIMEOUT },
    (query, leadStage) => expectBadPairs(opened, query, leadStage, { ...sample, count: 220 }, 3, 0),
  );

  // This test needs those above it.
  test('every kernel has compiled', async () => {
    await expectCompiled(opened, which, 'polytopes');
  });
});
