/**
 * Queries on shapes that are larger than those of all queries before, for which kernels were compiled that take small
 * ones only. In both dimensions the answers are those of a first query.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bodies, Tester } from '../../src/api/types.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import type { AnyResult } from '../helpers/batch.ts';
import { differingFields } from '../helpers/both-paths.ts';
import { dimensions, type AnyDescription } from '../helpers/dimensions.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const BODIES = 25_000;
const PAIRS = 8000;
const SMALL = 5;
const LARGE = 80;

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('seen-shapes.device');
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

  async function open(): Promise<Tester> {
    const opened = await createTester({ device });
    useShapes(opened, shapes);
    return opened;
  }

  const queries: [string, (tester: Tester, bodies: Bodies) => Promise<AnyResult>][] = [
    ['intersects', (tester, bodies) => tester.intersects(bodies, pairs)],
    ['contacts', (tester, bodies) => tester.contacts(bodies, pairs)],
    ['manifolds', (tester, bodies) => tester.manifolds(bodies, pairs, { results: 'hits' })],
  ];
  // Manifolds go through the kernels of contacts.
  test.each(atNight(queries.slice(2), queries))('%s', async (_, ask) => {
    const tester = await open();
    await ask(
      tester,
      sceneAt(1, () => 0),
    );
    for (const shape of [() => 1, (body: number) => body % 2, () => 0]) {
      const bodies = sceneAt(4, shape);
      const found = await ask(tester, bodies);
      expect(found.count).toBeGreaterThan(0);
      const reference = await open();
      expect(differingFields(found, await ask(reference, bodies))).toEqual([]);
      reference.dispose();
    }
    tester.dispose();
  });
});
