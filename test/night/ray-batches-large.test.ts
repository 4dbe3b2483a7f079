/** A batch of rays with more pairs than 32 bits count. */
import { expect, test } from 'vitest';
import { createTester, Status } from '../../src/node.ts';
import { submit } from '../helpers/batch.ts';

const COUNT = 70_000;

test('4.9 billion pairs are counted, and rays without room for theirs are marked', { timeout: 900_000 }, async () => {
  using tester = await createTester({ backend: 'webgpu' });
  const ground = tester.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
  const maxPairs = 2 * COUNT + 1000;
  using batch = await tester.createBatch({ query: 'rayCasts', maxBodies: COUNT, maxRays: COUNT, maxPairs });
  batch.write({
    bodies: {
      shapes: new Uint32Array(COUNT).fill(ground),
      positions: new Float32Array(3 * COUNT),
      quaternions: Float32Array.from({ length: 4 * COUNT }, (_, i) => Number(i % 4 === 3)),
    },
    rays: {
      origins: Float32Array.from({ length: 3 * COUNT }, (_, i) => (i % 3 === 1 ? 5 : 0)),
      directions: Float32Array.from({ length: 3 * COUNT }, (_, i) => (i % 3 === 1 ? -1 : 0)),
    },
  });
  submit(batch);
  const counts = await batch.readCounts();
  expect(counts).toMatchObject({ candidates: COUNT * COUNT, pairs: maxPairs, pairOverflow: 2 ** 32 - 1, hits: 2 });
  const { status, statusCounts, time } = await batch.read({ fields: ['status', 'time'] });
  expect([...status.subarray(0, 3)]).toEqual([Status.Overlapping, Status.Overlapping, Status.CapacityExceeded]);
  expect([...time.subarray(0, 2)]).toEqual([5, 5]);
  expect(statusCounts[Status.CapacityExceeded]).toBe(COUNT - 2);
});
