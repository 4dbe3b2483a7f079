/** Batches that find pairs in browsers, on few bodies, and at night on many. Kernels of parts run at night; in CI they compile. */
import { test } from 'vitest';
import { SCENE_NAMES, type SceneName } from '../../verification/families/broad-phase-scenes.ts';
import { BOX3D_SCENES } from '../helpers/box3d-scene.ts';
import { atNight } from '../helpers/night.ts';
import {
  describeKernels,
  expectCompiling,
  expectPairs,
  expectPartBatches,
  expectSurfaceBatches,
  expectRandomBatches,
  expectScenes,
} from './checks.ts';
import { CALL_TIMEOUT } from './open.ts';

const scenes = atNight<readonly SceneName[]>(['mixed', 'strays', 'halfspaces'], SCENE_NAMES);
const recorded = atNight<readonly (typeof BOX3D_SCENES)[number][]>([], BOX3D_SCENES);

describeKernels('pairs', (harness) => {
  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () =>
    expectPairs(harness(), 3, { count: atNight(400, 2000), seed: 20_261_127 }),
  );

  test('pairs of scenes are those of the CPU, with the same bits again', { timeout: CALL_TIMEOUT }, () =>
    expectScenes(harness(), scenes, { count: atNight(600, 1500), seed: 20_261_129 }, recorded),
  );

  test('random batches keep and count their pairs as brute force does', { timeout: CALL_TIMEOUT }, () =>
    expectRandomBatches(harness(), { count: atNight(24, 480), seed: 20_261_130 }),
  );

  test('the kernels of compounds and meshes compile', { timeout: CALL_TIMEOUT }, () =>
    expectCompiling(harness(), 'compileParts'),
  );

  if (atNight(false, true)) {
    test('batches with compounds and meshes answer as the CPU does', { timeout: CALL_TIMEOUT }, () =>
      expectPartBatches(harness(), { firstSeed: 1, scenes: 30 }),
    );

    test('contacts of batches with a mesh have normals of its surface', { timeout: CALL_TIMEOUT }, () =>
      expectSurfaceBatches(harness(), 'slab, 4 squares per edge', 60),
    );
  }
});
