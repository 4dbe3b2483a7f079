/** Batches that find pairs, rays, compounds and meshes in every browser, each of which has a WGSL compiler of its own. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import {
  expectCompiled,
  expectPairs,
  expectParts,
  expectRandomBatches,
  expectRays,
  expectScenes,
  expectTriangles,
} from './checks.ts';
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

  test('pairs of every scene are those of the CPU, with the same bits again', { timeout: CALL_TIMEOUT }, () =>
    expectScenes(opened, 20_261_129),
  );

  test('random batches keep and count their pairs as brute force does', { timeout: CALL_TIMEOUT }, () =>
    expectRandomBatches(opened, 20_261_130),
  );

  test('hits of many rays are those by the pairs that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectRays(opened, 20_261_128),
  );

  test('compounds and meshes have the answers of the CPU backend', { timeout: CALL_TIMEOUT }, () =>
    expectParts(opened, 20_261_125),
  );

  test('triangles of many meshes that meet are those that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectTriangles(opened, 20_261_203),
  );

  // These kernels are in folders, those of queries are not. This test needs those above it, which run them.
  test('every kernel of pairs, rays and triangles has compiled', async () => {
    await expectCompiled(opened, which, (kernel) => kernel.includes('/') && !kernel.startsWith('planar/'));
  });
});
