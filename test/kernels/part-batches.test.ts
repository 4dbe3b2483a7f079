/** Batches with compounds and meshes: the device finds the pairs of parts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { frame } from '../helpers/batch.ts';
import { atNight } from '../helpers/night.ts';
import { compareBatches } from '../helpers/part-batches.ts';

let tester: Tester;
let reference: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => {
  tester?.dispose();
  reference?.dispose();
});

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
  for (const id of [floor, box]) tester.removeShape(id);
});

test('random scenes have the answers of the CPU backend, and the same bits on every run', async () => {
  const scenes = atNight(30, 1000);
  const { pairs, hits, borderline, partPairs, faults } = await compareBatches(tester, reference, {
    firstSeed: 1,
    scenes,
  });
  console.log(`${scenes} scenes, ${pairs} pairs, ${hits} hits, ${borderline} borderline, ${partPairs} pairs of parts`);
  expect(faults).toEqual([]);
  expect(hits).toBeGreaterThan(0.08 * pairs);
  expect(borderline).toBeLessThan(0.001 * pairs);
});
