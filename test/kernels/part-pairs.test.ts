/**
 * Pairs of parts that a device finds, beside brute force over all pairs of triangles: none that is within the margin is
 * missing, and what is certain is so in exact arithmetic.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { treeOfOnePart } from '../../src/bvh/part-tree.ts';
import type { Placement } from '../../src/bvh/placement.ts';
import type { TreeKind } from '../../src/bvh/build-tree.ts';
import { createTriangleDistance, triangleDistance } from '../../src/cpu/triangle-distance.ts';
import type { DeviceState } from '../../src/gpu/device-slot.ts';
import { findPartPairsOnDevice } from '../../src/gpu/part-pairs/find-part-pairs.ts';
import type { PartRooms } from '../../src/gpu/part-pairs/search.ts';
import type { PartPairs, PartSource, PartTest, PlacedPair } from '../../src/request/part-pairs.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { trianglePairFamilies, trianglePairs } from '../../verification/families/triangle-pairs.ts';
import { MESH_FAMILIES, touchingPlacement } from '../helpers/meshes.ts';
import { withLimits } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { cornersOf, disorderOf, listOf, meet, openDeviceState, sourceOf } from '../helpers/part-pairs.ts';

const SEED = 20_261_201;
const TRIANGLES = 60;
const POSES = atNight(8, 24);

let state: DeviceState;
beforeAll(async () => {
  state = await openDeviceState();
});
afterAll(() => state?.session.device.destroy());

interface Scene {
  a: PartSource;
  b: PartSource;
  placements: Placement[];
}

async function search(
  { a, b, placements }: Scene,
  kind: PartTest,
  margin = 0,
  rooms?: PartRooms,
  on = state,
): Promise<PartPairs | undefined> {
  const pairAt = (i: number): PlacedPair => ({ a, b, placement: placements[i] });
  const request = { sources: [a, b], count: placements.length, pairAt, test: kind, margin };
  return findPartPairsOnDevice(on, request, rooms);
}

/** Two meshes of a family in poses in which they touch at least, of different scales. */
function makeScene(name: string, kind: TreeKind = 'obb', count = TRIANGLES, poses = POSES): Scene {
  const random = createRandom(SEED);
  const [a, b] = [0, 1].map(() => sourceOf(MESH_FAMILIES[name](count, random), kind));
  const placements = Array.from({ length: poses }, (_, i) => {
    const scales = i % 3 === 0 ? [1, 1] : [0, 0].map(() => Math.fround(2 ** uniform(random, -4, 4)));
    const placement = touchingPlacement(a.mesh!, b.mesh!, scales[0], scales[1], random);
    // Some are apart.
    if (i % 4 === 3) for (let k = 0; k < 3; k++) placement.translation[k] *= uniform(random, 1, 3);
    return placement;
  });
  return { a, b, placements };
}

/** All pairs of triangles of a scene. */
function* partsOf({ a, b, placements }: Scene) {
  const [countA, countB] = [a, b].map(({ mesh }) => mesh!.indices.length / 3);
  for (const [pair, placement] of placements.entries())
    for (let partA = 0; partA < countA; partA++)
      for (let partB = 0; partB < countB; partB++) yield { pair, placement, partA, partB };
}

const nearest = createTriangleDistance();

describe.each(Object.keys(MESH_FAMILIES))('two meshes: %s', (name) => {
  test.each(['obb', 'aligned'] as const)('parts within the margin are found, in trees of the kind %s', async (kind) => {
    const scene = makeScene(name, kind);
    for (const margin of [0, 0.02]) {
      const all = (await search(scene, 'near', margin))!;
      expect(disorderOf(all)).toEqual([]);
      const found = listOf(all);
      for (const { pair, placement, partA, partB } of partsOf(scene)) {
        const { a, b } = cornersOf(scene.a.mesh!, partA, scene.b.mesh!, partB, placement);
        if (triangleDistance(a, b, nearest) > margin) continue;
        expect(found.has(`${pair} ${partA} ${partB}`), `${name}, ${pair} ${partA} ${partB}, seed ${SEED}`).toBe(true);
      }
    }
  });

  test('triangles that are listed as certain meet, and those that meet are listed', async () => {
    const scene = makeScene(name);
    const all = (await search(scene, 'meeting'))!;
    expect(disorderOf(all)).toEqual([]);
    const found = listOf(all);
    let met = 0;
    for (const { pair, placement, partA, partB } of partsOf(scene)) {
      const isHit = meet(scene.a.mesh!, partA, scene.b.mesh!, partB, placement);
      const isOpen = found.get(`${pair} ${partA} ${partB}`);
      const place = `${name}, ${pair} ${partA} ${partB}, seed ${SEED}`;
      if (isHit) met++;
      if (isHit) expect(isOpen, place).toBeDefined();
      else expect(isOpen, place).not.toBe(false);
    }
    expect(met).toBeGreaterThan(0);
  });

  test('a pair of bodies that meets has a verdict, or an open pair of parts that meets', async () => {
    const scene = makeScene(name);
    const { verdicts, ...open } = (await search(scene, 'any'))!;
    expect(verdicts.length).toBe(POSES);
    const meets = new Set<number>();
    for (const { pair, placement, partA, partB } of partsOf(scene))
      if (meet(scene.a.mesh!, partA, scene.b.mesh!, partB, placement)) meets.add(pair);
    const found = new Set<number>();
    verdicts.forEach((verdict, pair) => verdict && found.add(pair));
    for (const key of listOf({ verdicts, ...open }).keys()) {
      const [pair, partA, partB] = key.split(' ').map(Number);
      if (meet(scene.a.mesh!, partA, scene.b.mesh!, partB, scene.placements[pair])) found.add(pair);
    }
    expect([...found].sort(), `${name}, seed ${SEED}`).toEqual([...meets].sort());
  });
});

describe('pairs of triangles', () => {
  const PAIRS = 400;

  /** Each triangle is a mesh of its own. */
  function makePairs(family: string): PlacedPair[] {
    const still = { rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), scaleA: 1, scaleB: 1 };
    const indices = Uint32Array.of(0, 1, 2);
    return trianglePairs(family, PAIRS, SEED, 'single').map((pair) => {
      const [a, b] = pair.map((triangle): PartSource => {
        const positions = Float64Array.from(triangle);
        const range = [Math.min, Math.max].flatMap((of) =>
          [0, 1, 2].map((k) => of(positions[k], positions[3 + k], positions[6 + k])),
        );
        return { tree: treeOfOnePart(range), mesh: { positions, indices } };
      });
      return { a, b, placement: { ...still, translation: new Float64Array(3) } };
    });
  }

  test.each(trianglePairFamilies)('%s: what is certain is what exact arithmetic finds', async (family) => {
    const pairs = makePairs(family);
    const sources = pairs.flatMap(({ a, b }) => [a, b]);
    const request = { sources, count: PAIRS, pairAt: (i: number) => pairs[i], test: 'meeting', margin: 0 } as const;
    const found = listOf((await findPartPairsOnDevice(state, request))!);
    pairs.forEach(({ a, b, placement }, i) => {
      const isOpen = found.get(`${i} 0 0`);
      if (isOpen === true) return;
      const place = `pair ${i} of ${family}, seed ${SEED}`;
      expect(isOpen === false, place).toBe(meet(a.mesh!, 0, b.mesh!, 0, placement));
    });
  });

  test('few pairs that touch nowhere by design are left open', async () => {
    for (const family of ['random', 'nearly parallel']) {
      const pairs = makePairs(family);
      const sources = pairs.flatMap(({ a, b }) => [a, b]);
      const request = { sources, count: PAIRS, pairAt: (i: number) => pairs[i], test: 'meeting', margin: 0 } as const;
      const { pairs: listed, partsA } = (await findPartPairsOnDevice(state, request))!;
      expect(listed.length).toBeGreaterThan(50);
      expect(partsA.filter((part) => part > 0).length, family).toBeLessThan(0.05 * PAIRS);
    }
  });
});

describe('room', () => {
  const scene = makeScene('a soup of small triangles');

  test.each([
    { items: 1, candidates: 2 ** 14, found: 2 ** 14 },
    { items: 2 ** 14, candidates: 1, found: 2 ** 14 },
    { items: 2 ** 14, candidates: 2 ** 14, found: 1 },
    { items: 1, candidates: 1, found: 1 },
  ])('grows from %o until all pairs of parts are found', async (rooms) => {
    for (const kind of ['near', 'meeting', 'any'] as const) {
      const [all, found] = [await search(scene, kind), await search(scene, kind, 0, rooms)];
      expect(found).toEqual(all);
      expect(all!.partTests).toBeGreaterThan(0);
    }
  });

  test('that a device does not have makes the search go on with fewer pairs at a time, or give up', async () => {
    const { device } = state.session;
    const limits = (bytes: number): Promise<DeviceState> => {
      const limited = { maxStorageBufferBindingSize: bytes, maxBufferSize: bytes };
      return openDeviceState(
        new Proxy(device, {
          get(target, name) {
            if (name === 'limits') return withLimits(device.limits, limited);
            const value = Reflect.get(target, name) as unknown;
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        }),
      );
    };
    const expected = (await search(scene, 'meeting'))!;
    const { boxTests, partTests, ...lists } = expected;
    // Nodes and triangles need 4 KiB. All pairs together find more.
    const found = await search(scene, 'meeting', 0, { items: 64, candidates: 64, found: 64 }, await limits(2 ** 13));
    expect(found).toMatchObject(lists);
    expect(found!.boxTests).toBe(boxTests);
    expect(found!.partTests).toBe(partTests);
    expect(await search(scene, 'meeting', 0, undefined, await limits(2 ** 11))).toBeUndefined();
  });

  test('lengths that differ too much for f32 are left to the caller', async () => {
    const far = { ...scene.placements[0], scaleA: 2 ** -40 };
    expect(await search({ ...scene, placements: [far] }, 'near')).toBeUndefined();
    expect(await search(scene, 'near', Infinity)).toBeUndefined();
  });
});

describe('the number of pairs', () => {
  test.each([1, 10_000])('%d: each pair has what it has alone', async (count) => {
    const few = makeScene('a curved sheet', 'obb', 32, 8);
    const many = { ...few, placements: Array.from({ length: count }, (_, i) => few.placements[i % 8]) };
    const [alone, found] = [(await search(few, 'meeting'))!, (await search(many, 'meeting'))!];
    expect(disorderOf(found)).toEqual([]);
    expect(alone.pairs[0]).toBe(0);
    let at = 0;
    for (let pair = 0; pair < count; pair++) {
      for (let i = 0; i < alone.pairs.length; i++) {
        if (alone.pairs[i] !== pair % 8) continue;
        const entry = [found.pairs[at], found.partsA[at], found.partsB[at]];
        if (entry[0] !== pair || entry[1] !== alone.partsA[i] || entry[2] !== alone.partsB[i])
          expect(entry, `entry ${at}`).toEqual([pair, alone.partsA[i], alone.partsB[i]]);
        at++;
      }
    }
    expect(found.pairs.length).toBe(at);
  });

  test('the same search gives the same bits', async () => {
    const scene = makeScene('a soup of triangles of all sizes', 'obb', 400, 12);
    for (const kind of ['near', 'meeting', 'any'] as const)
      expect(await search(scene, kind)).toEqual(await search(scene, kind));
  });
});
