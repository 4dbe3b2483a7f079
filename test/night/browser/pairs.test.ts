/** Batches that find pairs, rays, compounds and meshes in every browser, each of which has a WGSL compiler of its own. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { BROWSERS } from '../../../verification/engines/find-browser.ts';
import {
  expectCompiled,
  expectPairs,
  expectParts,
  expectRandomBatches,
  expectRays,
  expectScenes,
  expectTriangles,
} from '../../browser/checks.ts';
import { CALL_TIMEOUT, openHarness, type HarnessPage } from '../../browser/open.ts';
import { TRIANGLE_CASES } from '../../browser/triangle-cases.ts';
import { SCENE_NAMES } from '../../../verification/families/broad-phase-scenes.ts';
import { BOX3D_SCENES } from '../../helpers/box3d-scene.ts';

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;
  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test.each([2, 3] as const)(
    'pairs of bodies in %d dimensions are those of the CPU',
    { timeout: CALL_TIMEOUT },
    (axes) => expectPairs(opened, axes, { count: 2000, seed: 20_261_127 }),
  );

  test('pairs of every scene are those of the CPU, with the same bits again', { timeout: CALL_TIMEOUT }, () =>
    expectScenes(opened, SCENE_NAMES, { count: 1500, seed: 20_261_129 }, BOX3D_SCENES),
  );

  test('random batches keep and count their pairs as brute force does', { timeout: CALL_TIMEOUT }, () =>
    expectRandomBatches(opened, { count: 480, seed: 20_261_130 }),
  );

  test('hits of many rays are those by the pairs that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectRays(opened, 20_261_128, true),
  );

  test('compounds and meshes have the answers of the CPU backend', { timeout: CALL_TIMEOUT }, () =>
    expectParts(opened, 20_261_125),
  );

  test('triangles of many meshes that meet are those that the CPU finds', { timeout: CALL_TIMEOUT }, () =>
    expectTriangles(opened, 20_261_203, TRIANGLE_CASES),
  );

  // This test needs those above it, which run these kernels.
  test('every kernel of pairs, rays and triangles has compiled', async () => {
    await expectCompiled(opened, which, 'pairs', 'rays');
  });
});
