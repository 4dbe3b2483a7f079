/** Rays in browsers, and queries over compounds and meshes. */
import { test } from 'vitest';
import { describeKernels, expectParts, expectRays } from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';

describeKernels('rays', (harness) => {
  test('hits of many rays are those by the pairs that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectRays(harness(), 20_261_128),
  );

  test('compounds and meshes have the answers of the CPU backend', { timeout: CALL_TIMEOUT }, () =>
    expectParts(harness(), 20_261_125),
  );
});
