/**
 * Large queries on shapes that are larger than those of the two queries before, for which kernels were compiled that
 * take small ones only. In both dimensions the answers are those of a first query.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bodies, Tester } from '../../src/api/types.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import type { AnyResult } from '../helpers/batch.ts';
import { differingFields } from '../helpers/both-paths.ts';
import { dimensions, type AnyDescription } from '../helpers/dimensions.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

const BODIES = 25_000;
const PAIRS = 8000;
const SMALL = 5;
const LARGE = 80;

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('expected-shapes.device');
});
afterAll(() => device?.destroy());

describe.each(dimensions)('in $name', ({ axes, createTester, useShapes, ...dimension }) => {
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => (i % 2 === 0 ? i : BODIES - i));
  const shapes = [SMALL, LARGE].map((count): AnyDescription => {
    const random = createRandom(count);
    const points = Array.from({ length: count }, () =>
      unitVector(
        random,
        Array.from({ length: axes }, () => 0),
      ),
    ).flat();
    return axes === 3 ? { type: 'hull', points } : { type: 'polygon', points, convexify: true };
  });

  function sceneAt(frame: number, shape: (body: number) => number): Bodies {
    const random = createRandom(frame);
    const positions = Float32Array.from({ length: axes * BODIES }, () => 3 * random());
    return dimension.makeBodies({ shapes: Array.from({ length: BODIES }, (_, i) => shape(i)), positions });
  }

  const queries: [string, (tester: Tester, bodies: Bodies) => Promise<AnyResult>][] = [
    ['intersects', (tester, bodies) => tester.intersects(bodies, pairs)],
    ['contacts', (tester, bodies) => tester.contacts(bodies, pairs)],
    ['manifolds', (tester, bodies) => tester.manifolds(bodies, pairs, { results: 'hits' })],
  ];
  test.each(queries)('%s', async (_, ask) => {
    const [tester, reference] = await Promise.all([0, 1].map(() => createTester({ device })));
    for (const each of [tester, reference]) useShapes(each, shapes);
    for (const frame of [1, 2, 3])
      await ask(
        tester,
        sceneAt(frame, () => 0),
      );
    for (const shape of [() => 1, (body: number) => body % 2, () => 0]) {
      const bodies = sceneAt(4, shape);
      const found = await ask(tester, bodies);
      expect(found.count).toBeGreaterThan(0);
      // Another shape is added in between, so that the reference expects nothing.
      reference.removeShape(reference.addShape(shapes[0] as never));
      expect(differingFields(found, await ask(reference, bodies))).toEqual([]);
    }
    tester.dispose();
    reference.dispose();
  });
});
