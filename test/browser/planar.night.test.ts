/** The 2-D kernels of queries of bodies at rest in browsers, on few pairs of each two types, and on bad ones. */
import { test } from 'vitest';
import { describeKernels } from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';
import { planarCases } from './planar-cases.ts';
import { expectPlanarParts, expectPlanarQuery } from './planar-checks.ts';
import { expectBadPairs } from './query-checks.ts';

const sample = { count: 100, seed: 20_261_121 };

describeKernels('planar', (harness) => {
  test.each(planarCases)(
    '$query by $algorithm of all types of shape are right by brute force, as all, as hits and as a batch',
    { timeout: CALL_TIMEOUT },
    (planarCase) => expectPlanarQuery(harness(), planarCase, sample),
  );

  test.each(['intersects', 'contacts'] as const)(
    'pairs that only a GPU sees to be invalid have a status of their own: %s',
    { timeout: CALL_TIMEOUT },
    (query) => expectBadPairs(harness(), query, 'sat', { ...sample, count: 300 }, 2),
  );

  test('batches with chains and compounds have the answers of the CPU backend', { timeout: CALL_TIMEOUT }, () =>
    expectPlanarParts(harness(), { count: 100, seed: sample.seed }),
  );
});
