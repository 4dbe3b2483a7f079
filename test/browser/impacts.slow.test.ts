/** The kernels of moving bodies, and those of large queries, in browsers: each kernel runs once, on few pairs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled, expectSameWhenLarge } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';
import { expectMotion } from './query-checks.ts';

const sample = { count: 100, seed: 20_261_121 };

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('moving curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectMotion(opened, 'curved', sample, [{ algorithm: 'auto', isTurning: true }]),
  );

  test('moving boxes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectMotion(opened, 'box-box', sample, [
      { algorithm: 'auto', isTurning: false },
      { algorithm: 'velocity-epa', isTurning: false },
    ]),
  );

  test('large queries have the bits of small ones', { timeout: CALL_TIMEOUT }, () =>
    expectSameWhenLarge(opened, 3, sample.seed, [
      ['contacts', 'wide'],
      ['contacts', 'scaled'],
      ['manifolds', 'plain'],
      ['impacts', 'plain'],
    ]),
  );

  test('a batch that passes over parting bodies compiles', { timeout: CALL_TIMEOUT }, async () => {
    await opened.page.evaluate(() =>
      window.harness.compileBatches(
        [{ family: 'box-box', query: 'impacts', duration: 1, stopAtPenetration: false }],
        false,
      ),
    );
    expect(opened.complaints).toEqual([]);
  });

  // This test needs those above it.
  test('every kernel has compiled', async () => {
    await expectCompiled(opened, which, 'impacts');
  });
});
