/**
 * The kernels of queries of curved shapes and half-spaces in browsers. Few
 * pairs tell whether a compiler gets a kernel right: each kernel runs once. In test/night/browser/, kernels run in all
 * their variants, and `npm run conformance` judges many pairs in the same browsers.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';
import { expectManifolds, expectPortals, expectQueries } from './query-checks.ts';

const sample = { count: 200, seed: 20_261_121 };

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, async () => {
    await expectQueries(opened, 'curved', sample, [
      { query: 'intersects', algorithm: 'auto' },
      { query: 'intersects', algorithm: 'mpr' },
      { query: 'distances', algorithm: 'auto', margin: 0.0625 },
      { query: 'distances', algorithm: 'mpr' },
      { query: 'contacts', algorithm: 'auto', margin: 0.0625 },
    ]);
    await expectManifolds(opened, 'curved', sample, [{ algorithm: 'auto', margin: 0.0625 }]);
    await expectPortals(opened, 'curved', sample);
  });

  // This test needs those above it.
  test('every kernel has compiled', async () => {
    await expectCompiled(opened, which, 'curved');
  });
});
