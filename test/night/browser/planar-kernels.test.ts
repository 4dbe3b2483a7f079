/** Every 2-D kernel in every browser, on many pairs: all queries by all algorithms, rays, and bad input. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../../verification/engines/find-browser.ts';
import { expectCompiled, expectPairs, expectSameWhenLarge } from '../../browser/checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from '../../browser/open.ts';
import { planarCases } from '../../browser/planar-cases.ts';
import { expectPlanarImpacts, expectPlanarQuery, expectPlanarRays } from '../../browser/planar-checks.ts';
import { expectBadPairs } from '../../browser/query-checks.ts';

const sample = { count: 100, seed: 20_261_121 };
const { seed } = sample;

const largeCases = (['plain', 'wide', 'scaled'] as const).flatMap((form) =>
  (['contacts', 'manifolds', 'impacts'] as const).map((query) => [query, form] as const),
);

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test.each(planarCases)(
    '$query by $algorithm of all types of shape are right by brute force, as all, as hits and as a batch',
    { timeout: CALL_TIMEOUT },
    (planarCase) => expectPlanarQuery(opened, planarCase, sample),
  );

  test.each([false, true])('impacts are right by brute force, turning: %s', { timeout: CALL_TIMEOUT }, (isTurning) =>
    expectPlanarImpacts(opened, isTurning, { count: 40, seed }),
  );

  test('rays meet what the reference meets first', { timeout: CALL_TIMEOUT }, () => expectPlanarRays(opened, seed));

  test.each(['intersects', 'contacts'] as const)(
    'pairs that only a GPU sees to be invalid have a status of their own: %s',
    { timeout: CALL_TIMEOUT },
    (query) => expectBadPairs(opened, query, 'sat', { count: 300, seed }, 2),
  );

  test('large queries have the bits of small ones', { timeout: CALL_TIMEOUT }, () =>
    expectSameWhenLarge(opened, 2, seed, largeCases),
  );

  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () =>
    expectPairs(opened, 2, { count: 2000, seed }),
  );

  test('every kernel compiled', async () => {
    await expectCompiled(opened, which, 'planar', 'planar-motion');
  });
});
