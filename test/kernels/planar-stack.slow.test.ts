/** Manifolds of the plane frame after frame, under a solver that has nothing else to hold bodies by. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarTester } from '../../src/api/types.ts';
import { atNight } from '../helpers/night.ts';
import {
  FRAMES,
  SETTLING,
  drift,
  finderOf,
  placesOf,
  simulate,
  stacks,
  watchStack,
  wedges,
  type PlanarScene,
  type StackWatch,
} from '../helpers/planar-stack.ts';
import { summary } from '../../verification/families/test-pairs.ts';

const SHOWN = atNight(400, FRAMES);

const testers: Partial<Record<'webgpu' | 'cpu', PlanarTester>> = {};

beforeAll(async () => {
  for (const backend of ['webgpu', 'cpu'] as const) testers[backend] = await createTester({ dimension: 2, backend });
});

afterAll(() => {
  for (const tester of Object.values(testers)) tester.dispose();
});

/** What is seen from when the scene has settled, and how far anything has moved since. */
async function run(tester: PlanarTester, scene: PlanarScene): Promise<StackWatch & { moved: number }> {
  const watch = watchStack();
  const { find, dispose } = await finderOf(tester, scene);
  let settled: number[][] = [];
  await simulate(
    scene,
    find,
    (found, frame) => {
      if (frame === SETTLING) settled = placesOf(scene);
      watch.see(found, frame);
    },
    SHOWN,
  );
  dispose();
  return { ...watch, moved: drift(scene, settled) };
}

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  test.each(Object.keys(stacks) as (keyof typeof stacks)[])(
    'ten boxes %s stand frame after frame on the same twenty points',
    async (name) => {
      const scene = stacks[name]();
      const { counts, names, normals, last, moved } = await run(testers[backend]!, scene);
      expect(last).toEqual(Array.from({ length: 10 }, () => 2));
      expect(summary(counts)).toEqual([]);
      expect(summary(names)).toEqual([]);
      expect(summary(normals)).toEqual([]);
      expect(moved).toBeLessThan(1e-4);
    },
  );

  /** Points of each side, and of the floor. */
  const places: Record<keyof typeof wedges, number[]> = {
    'in a notch of its own angle, with two sides to hold it': [2, 2],
    'in a notch with a floor below its tip, which holds it, too': [2, 2, 1],
    'between the corners of two boxes': [1, 1],
  };

  test.each(Object.keys(wedges) as (keyof typeof wedges)[])(
    'a wedge %s rests frame after frame on the same points',
    async (name) => {
      const scene = wedges[name]();
      const { counts, names, normals, last, moved } = await run(testers[backend]!, scene);
      expect(last).toEqual(places[name]);
      expect(summary(counts)).toEqual([]);
      expect(summary(names)).toEqual([]);
      expect(summary(normals)).toEqual([]);
      expect(moved).toBeLessThan(1e-4);
    },
  );
});
