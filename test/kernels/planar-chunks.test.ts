/** A 2-D query of more pairs than a chunk takes gives the answers of its pairs, in their order. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlanarTester } from '../../src/api/types.ts';
import { ballDistance, ballPairs, overlappingBalls } from '../helpers/balls.ts';
import { planarTesterWithChunks, type ChunkWatch } from '../helpers/chunk-sizes.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { discs, discShapes, mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_309;

let device: GPUDevice;
let gpu: PlanarTester;
let chunksOf: ChunkWatch<PlanarTester>['chunksOf'];

beforeAll(async () => {
  device = await openDefaultDevice('planar-chunks.device');
  ({ tester: gpu, chunksOf } = await planarTesterWithChunks(device));
});

afterAll(() => {
  gpu?.dispose();
  device?.destroy();
});

describe('more pairs than a chunk', () => {
  const PAIRS = 200_000;
  const pairs = ballPairs(PAIRS);

  test.each([
    ['all', Infinity],
    ['hits', 0.125],
  ] as const)("are answered pair for pair, in order, results: '%s'", async (results, margin) => {
    // The shapes are new, so the time per pair is unknown and the first chunk does not have all pairs.
    usePlanarShapes(gpu, discShapes);
    const { chunks, result } = await chunksOf(() => gpu.contacts(discs, pairs, { results, margin }));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.reduce((sum, size) => sum + size)).toBe(PAIRS);
    const due = Array.from({ length: PAIRS }, (_, pair) => pair).filter((pair) => ballDistance(pairs, pair) <= margin);
    expect(result.pair).toEqual(Uint32Array.from(due));
    expect(result.distance).toEqual(Float32Array.from(due, (pair) => ballDistance(pairs, pair)));
    const overlapping = overlappingBalls(pairs).length;
    expect(result.statusCounts).toEqual([PAIRS - overlapping, overlapping, 0, 0, 0]);
  });

  test('of several kinds come in the order of the pairs, as they do one chunk at a time', async () => {
    const family = mixPlanarTypes(['circle/rectangle'], 500, SEED + 6);
    usePlanarShapes(gpu, family.shapes);
    const many = new Uint32Array(2 * 100_000).map((_, i) => family.pairs[i % family.pairs.length]);
    // Asked first, while nothing is known of the time a pair takes.
    const { chunks, result } = await chunksOf(() => gpu.contacts(family.bodies, many, { margin: Infinity }));
    expect(chunks.length).toBeGreaterThan(1);
    const few = await gpu.contacts(family.bodies, family.pairs, { margin: Infinity });
    const count = family.pairs.length / 2;
    const wrong = result.pair.filter(
      (pair, slot) =>
        pair !== slot ||
        result.distance[slot] !== few.distance[slot % count] ||
        result.pointB[2 * slot + 1] !== few.pointB[2 * (slot % count) + 1],
    );
    expect(Array.from(wrong)).toEqual([]);
  });
});
