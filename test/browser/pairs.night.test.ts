/** Batches that find pairs in browsers, and batches with compounds and meshes. */
import { test } from 'vitest';
import { SCENE_NAMES } from '../../verification/families/broad-phase-scenes.ts';
import { surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import { BOX3D_SCENES } from '../helpers/box3d-scene.ts';
import {
  describeKernels,
  expectPairs,
  expectPartBatches,
  expectTurningParts,
  expectPartsCompile,
  expectSurfaceBatches,
  expectRandomBatches,
  expectScenes,
} from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';

describeKernels('pairs', (harness) => {
  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () =>
    expectPairs(harness(), 3, { count: 2000, seed: 20_261_127 }),
  );

  test('pairs of scenes are those of the CPU, with the same bits again', { timeout: CALL_TIMEOUT }, () =>
    expectScenes(harness(), SCENE_NAMES, { count: 1500, seed: 20_261_129 }, BOX3D_SCENES),
  );

  test('random batches keep and count their pairs as brute force does', { timeout: CALL_TIMEOUT }, () =>
    expectRandomBatches(harness(), { count: 480, seed: 20_261_130 }),
  );

  test('the kernels of compounds and meshes compile', { timeout: CALL_TIMEOUT }, () => expectPartsCompile(harness()));

  test('batches with compounds and meshes answer as the CPU does', { timeout: CALL_TIMEOUT }, () =>
    expectPartBatches(harness(), { firstSeed: 1, scenes: 30 }),
  );

  test('bodies that turn over meshes and compounds meet them as those of the CPU do', { timeout: CALL_TIMEOUT }, () =>
    expectTurningParts(harness(), { count: 300, seed: 20_261_130 }),
  );

  test.each(['meshes', 'compounds'])(
    'contacts of batches with %s have normals of their surfaces',
    { timeout: CALL_TIMEOUT },
    (which) =>
      expectSurfaceBatches(
        harness(),
        surfaceFamilyNames.filter((name) => name.startsWith('compound:') === (which === 'compounds')),
        12,
      ),
  );
});
