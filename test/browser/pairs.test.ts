/** Batches that find pairs, rays, and pairs of parts, in every browser, each of which has a WGSL compiler of its own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { compiledSoFar, expectPairs, expectParts, expectRays } from './checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from './open.ts';

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test.each([2, 3] as const)(
    'pairs of bodies in %d dimensions are those of the CPU',
    { timeout: CALL_TIMEOUT },
    (axes) => expectPairs(opened, axes, 20_261_127),
  );

  test('hits of many rays are those by the pairs that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectRays(opened, 20_261_128),
  );

  test('triangles of many meshes that meet are those that the CPU finds', { timeout: CALL_TIMEOUT }, async () => {
    await expectParts(opened, 20_261_203);
    expect(await compiledSoFar(opened, which)).toContain('kernels.part-pairs/walk');
  });
});
