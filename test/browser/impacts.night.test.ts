/** The kernels of moving bodies, and those that check and pack input, in browsers, on few pairs. */
import { expect, test } from 'vitest';
import { describeKernels, expectSameInHalves } from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';
import { expectMotion } from './query-checks.ts';

const sample = { count: 100, seed: 20_261_121 };

describeKernels('impacts', (harness) => {
  test('moving curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectMotion(harness(), 'curved', sample, [{ algorithm: 'auto', isTurning: true }]),
  );

  test('moving boxes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectMotion(harness(), 'box-box', sample, [
      { algorithm: 'auto', isTurning: false },
      { algorithm: 'velocity-epa', isTurning: false },
    ]),
  );

  test('a query has the bits of its two halves', { timeout: CALL_TIMEOUT }, () =>
    expectSameInHalves(harness(), 3, sample.seed, [
      ['contacts', 'wide'],
      ['contacts', 'scaled'],
      ['manifolds', 'plain'],
      ['impacts', 'plain'],
    ]),
  );

  test(
    'batches of turning bodies, and those that pass over parting ones, compile',
    { timeout: CALL_TIMEOUT },
    async () => {
      await harness().page.evaluate(() =>
        window.harness.compileBatches(
          [
            { family: 'curved', query: 'impacts', duration: 1, turning: true },
            { family: 'box-box', query: 'impacts', duration: 1, stopAtPenetration: false },
          ],
          false,
        ),
      );
      expect(harness().complaints).toEqual([]);
    },
  );
});
