/** A query is answered the same however its pairs are cut into submissions. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tester } from '../../src/api/types.ts';
import { differences } from '../helpers/batch.ts';
import { testerWithChunks, type ChunkWatch } from '../helpers/chunk-sizes.ts';
import { ballDistance, ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

const PAIRS = 300_000;
const pairs = ballPairs(PAIRS);

let device: GPUDevice;
let tester: Tester;
let chunksOf: ChunkWatch<Tester>['chunksOf'];

beforeAll(async () => {
  device = await openDefaultDevice('chunks.device');
  ({ tester, chunksOf } = await testerWithChunks(device));
  useShapes(tester, ballShapes);
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

test.each(['all', 'hits'] as const)(
  "the first query of 300,000 pairs starts with 65,536, a later one with as many as take 0.4 s, results: '%s'",
  async (results) => {
    // Another shape, so that nothing is known of the time a pair takes.
    tester.removeShape(tester.addShape({ type: 'sphere', radius: 1 }));
    const first = await chunksOf(() => tester.contacts(balls, pairs, { results, margin: Infinity }));
    const second = await chunksOf(() => tester.contacts(balls, pairs, { results, margin: Infinity }));
    for (const { chunks, result } of [first, second]) {
      expect(chunks.reduce((sum, size) => sum + size)).toBe(PAIRS);
      for (const size of chunks.slice(0, -1)) expect(size % 32).toBe(0);
      expect(result.count).toBe(PAIRS);
      const wrong = result.pair.filter(
        (pair, slot) => pair !== slot || !(Math.abs(result.distance[slot] - ballDistance(pairs, pair)) <= 1e-5),
      );
      expect(Array.from(wrong)).toEqual([]);
    }
    expect(first.chunks[0]).toBe(65_536);
    expect(first.chunks.length).toBeGreaterThan(1);
    expect(second.chunks).not.toEqual(first.chunks);
    expect(differences(second.result, first.result)).toEqual([]);
  },
);

test('the pieces asked for one by one give the same records as the whole', async () => {
  const whole = await tester.distances(balls, pairs.subarray(0, 2 * 100_000));
  const cuts = [0, 1, 65, 4096, 4097, 70_000, 100_000];
  for (let i = 1; i < cuts.length; i++) {
    const piece = await tester.distances(balls, pairs.subarray(2 * cuts[i - 1], 2 * cuts[i]));
    expect(piece.distance).toEqual(whole.distance.subarray(cuts[i - 1], cuts[i]));
    expect(piece.pointB).toEqual(whole.pointB.subarray(3 * cuts[i - 1], 3 * cuts[i]));
  }
});
