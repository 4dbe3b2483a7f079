/** Batches with compounds and meshes: the device finds the pairs of parts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { frame } from '../helpers/batch.ts';

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
});
afterAll(() => tester?.dispose());

test('a box on a floor of two triangles', async () => {
  const floor = tester.addShape({
    type: 'mesh',
    positions: new Float32Array([-5, 0, -5, -5, 0, 5, 5, 0, 5, 5, 0, -5]),
    indices: new Uint32Array([0, 1, 2, 0, 2, 3]),
  });
  const box = tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const batch = await tester.createBatch({ query: 'intersects', maxBodies: 4, maxPairs: 4 });
  const result = await frame(batch, {
    bodies: {
      shapes: new Uint32Array([floor, box, box]),
      positions: new Float32Array([0, 0, 0, 1, 0.4, 0, 1, 0.6, 3]),
      quaternions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
    },
    pairs: new Uint32Array([0, 1, 0, 2, 1, 2, 1, 0]),
  });
  expect([...result.hit]).toEqual([1, 0, 0, 1]);
  expect(await batch.readCounts()).toMatchObject({ partPairs: 5, partPairOverflow: 0 });
  batch.dispose();
});
