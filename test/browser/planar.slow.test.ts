/** The 2-D kernels of queries of bodies at rest in browsers, on few pairs of each two types, and on bad ones. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { OTHER_COMPILERS, expectCompiled } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';
import { planarCases } from './planar-cases.ts';
import { expectPlanarQuery } from './planar-checks.ts';
import { expectBadPairs } from './query-checks.ts';

const sample = { count: 12, seed: 20_261_121 };

describe.each(atNight(OTHER_COMPILERS, BROWSERS))('%s', (which) => {
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

  test('pairs that only a GPU sees to be invalid have a status of their own', { timeout: CALL_TIMEOUT }, () =>
    expectBadPairs(opened, 'intersects', 'sat', { ...sample, count: 220 }, 2, 0),
  );

  test('every kernel compiled', async () => {
    await expectCompiled(opened, which, 'planar');
  });
});
