/** All other 2-D kernels in browsers: those of impacts, rays, input and pairs of bodies. */
import { test } from 'vitest';
import { describeKernels, expectPairs, expectSameInHalves } from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';
import { expectPlanarImpacts, expectPlanarRays } from './planar-checks.ts';

const seed = 20_261_121;

const halvesCases = (['plain', 'wide', 'scaled'] as const).flatMap((form) =>
  (['contacts', 'manifolds', 'impacts'] as const).map((query) => [query, form] as const),
);

describeKernels('planar-motion', (harness) => {
  test('impacts are right by brute force', { timeout: CALL_TIMEOUT }, () =>
    expectPlanarImpacts(harness(), false, { count: 40, seed }),
  );

  test('impacts of turning bodies are right by brute force', { timeout: CALL_TIMEOUT }, () =>
    expectPlanarImpacts(harness(), true, { count: 40, seed }),
  );

  test('rays meet what the reference meets first', { timeout: CALL_TIMEOUT }, () => expectPlanarRays(harness(), seed));

  test('a query has the bits of its two halves', { timeout: CALL_TIMEOUT }, () =>
    expectSameInHalves(harness(), 2, seed, halvesCases),
  );

  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () =>
    expectPairs(harness(), 2, { count: 2000, seed }),
  );
});
