/** When a device takes over a search for pairs of parts, and what is asked of it. */
import { expect, test } from 'vitest';
import type { PosedBodies } from '../../src/api/bodies.ts';
import { createWalk } from '../../src/bvh/walk.ts';
import { createDeviceSearch, type SearchBackend } from '../../src/parts/device-search.ts';
import { partTree } from '../../src/parts/part-sources.ts';
import { IS_OPEN } from '../../src/generated/constants.ts';
import type { PartPairsRequest } from '../../src/request/part-pairs.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { finish } from '../../src/util/turns.ts';

const PAIRS = 5000;
const mesh = makeShapeData({ type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
const box = makeShapeData({ type: 'box', halfExtents: [1, 1, 1] });
for (const shape of [mesh, box]) finish(partTree(shape));

/** Every seventh pair has a box. */
const bodies: PosedBodies = {
  shapes: Uint32Array.from({ length: 2 * PAIRS }, (_, body) => Number(body % 14 === 0)),
  positions: Float32Array.from({ length: 6 * PAIRS }, (_, i) => i % 5),
  quaternions: Float32Array.from({ length: 8 * PAIRS }, (_, i) => Number(i % 4 === 3)),
};
const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i);

function makeSearch(backend: SearchBackend, testsPerPair = 0) {
  const walk = createWalk();
  const search = createDeviceSearch(backend, {
    bodies,
    pairs,
    shapes: [mesh, box],
    test: 'meeting',
    margin: 0,
    takes: (a, b) => a.parts !== undefined && b.parts !== undefined,
    walk,
  });
  /** Counts what the caller's thread tests in pairs before this one. */
  const walkTo = (pair: number): void => void (walk.boxTests = pair * testsPerPair);
  return { search, walk, walkTo };
}

/** Answers with one pair of parts for each second pair. */
function answering(least: number): { backend: SearchBackend; requests: PartPairsRequest[] } {
  const requests: PartPairsRequest[] = [];
  return {
    requests,
    backend: {
      leastOnDevice: { findPartPairs: least },
      async findPartPairs(request) {
        requests.push(request);
        const found = Uint32Array.from({ length: Math.ceil(request.count / 2) }, (_, i) => 2 * i);
        return {
          verdicts: new Uint8Array(request.count),
          pairs: found,
          partsA: found.map((pair) => (pair % 4 === 0 ? IS_OPEN + pair : pair)),
          partsB: found.map((pair) => pair + 1),
          boxTests: 10,
          partTests: 2,
        };
      },
    },
  };
}

test('a backend without a device, or with a slow one, is not asked', () => {
  expect(makeSearch({}).search).toBeUndefined();
  expect(makeSearch({ leastOnDevice: { findPartPairs: 0 } }).search).toBeUndefined();
  expect(makeSearch(answering(Infinity).backend).search).toBeUndefined();
});

test('the device takes over where what was tested so far shows that the rest is long', async () => {
  const { backend, requests } = answering(100_000);
  const { search, walk, walkTo } = makeSearch(backend, 30);
  expect(search!.isDue(0)).toBe(false);
  await search!.lookAhead(0);
  expect(requests).toEqual([]);
  walkTo(1);
  expect(search!.isDue(1)).toBe(true);
  // Fewer tests for each, or fewer pairs that are left.
  walk.boxTests = 15;
  expect(search!.isDue(1)).toBe(false);
  walk.partTests = 1;
  expect(search!.isDue(1)).toBe(true);
  walk.partTests = 0;
  walkTo(3000);
  expect(search!.isDue(3000)).toBe(false);
});

test('pairs are those that it takes, with what it has found of each', async () => {
  const { backend, requests } = answering(0);
  const { search } = makeSearch(backend);
  expect(search!.has(0)).toBe(false);
  await search!.lookAhead(0);
  expect(requests.length).toBe(1);
  const [{ count, sources, pairAt }] = requests;
  expect(sources.map(({ mesh: triangles }) => triangles)).toEqual([mesh.parts]);
  // The second pair that it takes.
  const { placement } = pairAt(1);
  const [from, to] = [bodies.positions.subarray(12, 15), bodies.positions.subarray(15, 18)];
  expect([...placement.translation]).toEqual([0, 1, 2].map((k) => to[k] - from[k]));
  let asked = 0;
  for (let pair = 0; pair < 1000; pair++) {
    expect(search!.has(pair)).toBe(pair % 7 !== 0);
    if (pair % 7 === 0) continue;
    const { partsA, partsB } = search!.partsOf(pair);
    const hasParts = asked % 2 === 0;
    expect([...partsA]).toEqual(hasParts ? [asked % 4 === 0 ? IS_OPEN + asked : asked] : []);
    expect([...partsB]).toEqual(hasParts ? [asked + 1] : []);
    asked++;
  }
  expect(count).toBeGreaterThanOrEqual(asked);
  expect([search!.boxTests, search!.partTests]).toEqual([10, 2]);
  expect(search!.isDue(10)).toBe(false);
  expect(search!.isDue(PAIRS - 1)).toBe(true);
});

test('what the caller tests of pairs with answers says nothing of the rest', async () => {
  const testsPerPair = 2 ** 15;
  const { backend } = answering(testsPerPair * (PAIRS - 500));
  const { search, walk, walkTo } = makeSearch(backend, testsPerPair);
  walkTo(9);
  await search!.lookAhead(9);
  // The device is asked for 2^25 tests at a time.
  const end = 9 + 1024;
  expect([search!.has(9), search!.has(end - 1), search!.has(end)]).toEqual([true, true, false]);
  walk.partTests += 1e6;
  expect(search!.isDue(end)).toBe(false);
});

test('without room on the device the rest is for the caller', async () => {
  const { search } = makeSearch({ leastOnDevice: { findPartPairs: 0 }, findPartPairs: async () => undefined });
  await search!.lookAhead(0);
  expect(search!.has(1)).toBe(false);
  expect(search!.isDue(2)).toBe(false);
});

test('an error of the device is passed on, unless the backend has none any more', async () => {
  const failure = new Error('lost');
  const failing: { -readonly [Name in keyof SearchBackend]: SearchBackend[Name] } = {
    leastOnDevice: { findPartPairs: 0 },
    findPartPairs: async () => {
      throw failure;
    },
  };
  await expect(makeSearch(failing).search!.lookAhead(0)).rejects.toBe(failure);
  failing.findPartPairs = async () => {
    failing.findPartPairs = undefined;
    throw failure;
  };
  const { search } = makeSearch(failing);
  await search!.lookAhead(0);
  expect(search!.has(1)).toBe(false);
  expect(search!.isDue(1)).toBe(false);
});
