/** All other 2-D kernels in browsers: those of impacts, rays, large queries and pairs of bodies. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled, expectPairs, expectSameWhenLarge } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';
import { expectPlanarImpacts, expectPlanarRays } from './planar-checks.ts';

const sample = { count: 12, seed: 20_261_121 };

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('impacts are right by brute force', { timeout: CALL_TIMEOUT }, () => expectPlanarImpacts(opened, false, sample));

  test('impacts of turning rectangles and polygons are right by brute force', { timeout: CALL_TIMEOUT }, () =>
    expectPlanarImpacts(opened, true, { ...sample, count: 40 }, ['rectangle/polygon']),
  );

  test('rays meet what the reference meets first', { timeout: CALL_TIMEOUT }, () =>
    expectPlanarRays(opened, sample.seed),
  );

  test('large queries have the bits of small ones', { timeout: CALL_TIMEOUT }, () =>
    expectSameWhenLarge(opened, 2, sample.seed, [
      ['contacts', 'wide'],
      ['impacts', 'scaled'],
    ]),
  );

  // So few that a batch tests all pairs: the grid is that of 3-D.
  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () =>
    expectPairs(opened, 2, { ...sample, count: 400 }),
  );

  test('every kernel compiled', async () => {
    await expectCompiled(opened, which, 'planar-motion');
  });
});
