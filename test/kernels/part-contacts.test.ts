/** Batches of contacts and manifolds with compounds and meshes beside the CPU backend: answers, lists, sequences of frames. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { createTester, heightfield } from '../../src/node.ts';
import * as grounds from '../../verification/families/compound-grounds.ts';
import { makePartsScene, type PartsScene } from '../../verification/families/parts-scene.ts';
import { makePrism } from '../../verification/families/surface-meshes.ts';
import { differences, frame, submit, type AnyResult } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { ALL_SORTS, bodiesOf, useShapesOf } from '../helpers/part-batches.ts';

const [BODIES, PAIRS, MARGIN] = [16, 60, 0.1];
const ROOM = { maxBodies: BODIES, maxPairs: PAIRS, maxPartPairs: 20_000, margin: MARGIN };

/** Of shapes of up to 4 units, with curved ones among them. */
const TOLERANCE = 4e-4;

/** Pairs of parts that one list has and the other one has not: the soups of the scenes have triangles that cross each other. */
const MOST_OTHER = 0.01;

/** Cubes of scale 2, turned by a quarter. */
const SCALED: ShapeDescription = {
  type: 'compound',
  parts: [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].map((z) => ({
      shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
      position: [x, 0, z],
      quaternion: [0, 1, 0, 1],
      scale: 2,
    })),
  ),
};

/** Compounds whose parts touch. */
const SOLIDS: readonly ShapeDescription[] = [
  SCALED,
  grounds.makeTiles(4, 1),
  grounds.makeBricks(3, 3),
  grounds.makePyramids(),
  grounds.makeStairs(4),
  grounds.U,
  grounds.TABLE,
  grounds.makeRamp(4, 0.2),
  grounds.makeSlices(7),
];

/** A scene of solids, and of compounds with parts that are apart. */
function makeScene(seed: number): PartsScene {
  const scene = makePartsScene(seed, BODIES, PAIRS);
  const shapes = scene.shapes.map((shape, id): ShapeDescription => {
    if (shape.type !== 'compound') return shape;
    if (id % 2 === 0) return SOLIDS[(id / 2 + seed) % SOLIDS.length];
    const parts = Array.from(shape.parts, (part, i) => ({ ...part, position: [2.5 * i, 0, 0] }));
    return { ...shape, parts };
  });
  return { ...scene, shapes: [...shapes, ...atNight(ALL_SORTS, [])] };
}

interface List {
  count: number;
  pair: Uint32Array;
  partA: Uint32Array;
  partB: Uint32Array;
  normal: Float32Array;
}

/** Overlaps of two surfaces that are deeper than this are not compared: the backends take other accepted normals of several. */
const DEEP = 0.1;

/** Whether both bodies of a pair have a surface, so that one follows the other, and overlap deeply. */
function areDeep({ shapes, bodies, pairs }: PartsScene, pair: number, ...distances: number[]): boolean {
  const types = [0, 1].map((side) => shapes[bodies.shapes[pairs[2 * pair + side]]].type);
  const haveSurfaces = types.every((type) => type === 'compound' || type === 'mesh') && types.includes('compound');
  return haveSurfaces && Math.min(...distances) < -DEEP;
}

/** The signed distance of each slot. */
function depths(result: AnyResult): Float32Array {
  return 'contactDistance' in result ? result.contactDistance : (result as { distance: Float32Array }).distance;
}

/** The cosine of the angle between the normals that two results have in a slot. */
function cosine(a: { normal: Float32Array }, b: { normal: Float32Array }, slot: number): number {
  return [0, 1, 2].reduce((sum, k) => sum + a.normal[3 * slot + k] * b.normal[3 * slot + k], 0);
}

/** The slots of a list by what they are of. */
function slotsOf({ count, pair, partA, partB }: List): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, i) => [`${pair[i]} ${partA[i]} ${partB[i]}`, i]));
}

/** The pairs that are deep in one of two lists. */
function deepPairs(scene: PartsScene, ...lists: (AnyResult & List)[]): Set<number> {
  const deep = lists.flatMap((list) =>
    Array.from(list.pair.subarray(0, list.count)).filter((pair, i) => areDeep(scene, pair, depths(list)[i])),
  );
  return new Set(deep);
}

let reference: Tester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => reference?.dispose());

/**
 * CI tests the constants of software adapters, with the kernels of mesh-batches.slow.test.ts. Those of graphics cards are
 * for the night: every-kernel.test.ts runs the same kernels with them on a few pairs.
 */
const ADAPTERS = [
  // In scenes 51 and 213, the best normal of a corner is across an edge of another triangle. In scene 96, a body has no
  // normal that both surfaces accept, and leaves through an open face.
  ['software', undefined, atNight([1, 51, 96, 213], numbersTo(300))],
  ['hardware', HARDWARE.info, numbersTo(100)],
] as const;

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

describe.each(ADAPTERS.slice(0, atNight(1, 2)))('with the numbers of %s', (_name, info, seeds) => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
  });
  afterAll(() => tester?.dispose());

  test('contacts are those of the CPU backend, and the same bits on every run', async () => {
    let before = makeScene(1);
    useShapesOf(before, [tester, reference], undefined);
    let hits = 0;
    let turned = 0;
    const faults: string[] = [];
    const batch = await tester.createBatch({ query: 'contacts', ...ROOM });
    for (const seed of seeds) {
      const scene = makeScene(seed);
      useShapesOf(scene, [tester, reference], before);
      before = scene;
      await batch.prepare();
      const bodies = bodiesOf(scene);
      const found = await frame(batch, { bodies, pairs: scene.pairs });
      expect(differences(await frame(batch, { bodies, pairs: scene.pairs }), found)).toEqual([]);
      const expected = await reference.contacts(bodies, scene.pairs, { margin: MARGIN });
      for (let i = 0; i < PAIRS; i++) {
        const isHit = expected.distance[i] <= MARGIN;
        if (!isHit && found.distance[i] > MARGIN - TOLERANCE) continue;
        if (areDeep(scene, i, found.distance[i], expected.distance[i])) continue;
        hits++;
        const away = Math.abs(found.distance[i] - expected.distance[i]);
        if (away > TOLERANCE + 1e-3 * Math.abs(expected.distance[i]))
          faults.push(`seed ${seed}, pair ${i}: ${found.distance[i]} for ${expected.distance[i]}`);
        else if (isHit && Math.abs(found.distance[i]) > 0.01 && cosine(found, expected, i) < 0.9) turned++;
      }
    }
    expect(faults).toEqual([]);
    expect(hits).toBeGreaterThan(4 * seeds.length);
    // Of equal depths along several normals, any is right.
    expect(turned).toBeLessThanOrEqual(0.05 * hits);
    batch.dispose();
    useShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });

  test.each(['contacts', 'manifolds'] as const)('lists of %s are those of the CPU backend', async (query) => {
    let before = makeScene(1);
    useShapesOf(before, [tester, reference], undefined);
    let count = 0;
    let others = 0;
    const faults: string[] = [];
    const batch = await tester.createBatch({ query, ...ROOM, results: 'hits', parts: 'all' });
    for (const seed of seeds) {
      const scene = makeScene(seed);
      useShapesOf(scene, [tester, reference], before);
      before = scene;
      await batch.prepare();
      const bodies = bodiesOf(scene);
      const found = (await frame(batch as never, { bodies, pairs: scene.pairs })) as AnyResult & List;
      const asked = { margin: MARGIN, parts: 'all' } as const;
      const expected = (await reference[query](bodies, scene.pairs, asked)) as AnyResult & List;
      const [own, theirs] = [slotsOf(found), slotsOf(expected)];
      expect([...own.keys()]).toEqual([...own.keys()].sort((a, b) => comparison(a, b)));
      const deep = deepPairs(scene, found, expected);
      for (const slots of [own, theirs])
        for (const key of slots.keys()) if (deep.has(Number.parseInt(key, 10))) slots.delete(key);
      count += theirs.size;
      const isSure = (distance: number): boolean => distance < MARGIN - TOLERANCE;
      for (const [key, i] of own) {
        const j = theirs.get(key);
        if (j === undefined) others += Number(isSure(depths(found)[i]));
        else if (Math.abs(depths(found)[i] - depths(expected)[j]) > TOLERANCE + 1e-3 * Math.abs(depths(expected)[j]))
          faults.push(`seed ${seed}, ${key}: ${depths(found)[i]} for ${depths(expected)[j]}`);
      }
      for (const [key, j] of theirs) others += Number(!own.has(key) && isSure(depths(expected)[j]));
      const counts = await batch.readCounts();
      expect(counts).toMatchObject({ pairs: PAIRS, pairOverflow: 0, hits: found.count, partPairOverflow: 0 });
    }
    expect(faults).toEqual([]);
    expect(others).toBeLessThanOrEqual(MOST_OTHER * count);
    expect(count).toBeGreaterThan(10 * seeds.length);
    batch.dispose();
    useShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });
});

/** By pair, part of A, part of B. */
function comparison(a: string, b: string): number {
  const [x, y] = [a, b].map((key) => key.split(' ').map(Number));
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
}

const FLOOR: ShapeDescription = {
  type: 'mesh',
  positions: new Float32Array([-5, 0, -5, -5, 0, 5, 5, 0, 5, 5, 0, -5]),
  indices: new Uint32Array([0, 1, 2, 0, 2, 3]),
};

/** Bodies that are not rotated. */
function placed(shapes: readonly number[], positions: readonly number[]) {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from(positions),
    quaternions: Float32Array.from({ length: 4 * shapes.length }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  };
}

describe('a floor of two triangles', () => {
  let tester: Tester;
  let floor: number;
  let box: number;
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu' });
    floor = tester.addShape(FLOOR);
    box = tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    // At night with the kernels of boxes alone.
    for (const shape of atNight(ALL_SORTS, [])) tester.addShape(shape);
  });
  afterAll(() => tester?.dispose());

  test('has a contact with a box over its diagonal along its normal, with the features of both', async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 3, maxPairs: 3, margin: 0.02 });
    const bodies = placed([floor, box, box], [0, 0, 0, 1, 0.49, 1, 3, 0.51, -3]);
    const found = await frame(batch, { bodies, pairs: Uint32Array.of(0, 1, 2, 0, 1, 2) });
    expect([...found.distance].slice(0, 2).map((x) => x.toFixed(6))).toEqual(['-0.010000', '0.010000']);
    expect([...found.normal].slice(0, 6)).toEqual([0, 1, 0, 0, -1, 0]);
    // Face 0 of a triangle, and the box's face below.
    expect([found.featureA[0], found.featureB[0]]).toEqual([0xc000_0000, 0xc000_0002]);
    expect(found.status[2]).toBe(Status.Separated);
    batch.dispose();
  });

  test('has a manifold with each triangle, and its parts are in the output', async () => {
    const what = {
      query: 'manifolds',
      results: 'hits',
      parts: 'all',
      maxBodies: 3,
      maxPairs: 2,
      margin: 0.02,
    } as const;
    const batch = await tester.createBatch({ ...what, maxPartPairs: 8 });
    const bodies = placed([floor, box], [0, 0, 0, 1, 0.49, 1]);
    const found = (await frame(batch as never, { bodies, pairs: Uint32Array.of(0, 1) })) as AnyResult & List;
    expect(found.count).toBe(2);
    expect([...found.partA]).toEqual([0, 1]);
    expect([...found.pair]).toEqual([0, 0]);
    expect([...found.normal]).toEqual([0, 1, 0, 0, 1, 0]);
    for (const { points } of found as unknown as Iterable<{ points: { distance: number }[] }>) {
      expect(points.length).toBeGreaterThan(2);
      for (const { distance } of points) expect(distance).toBeCloseTo(-0.01, 5);
    }
    expect(batch.output.partPairs?.size).toBe(16 * 8);
    // Too many for a batch with room for one; then a frame with fewer on the same memory.
    const small = await tester.createBatch({ ...what, maxPartPairs: 1 });
    expect((await frame(small, { bodies, pairs: Uint32Array.of(0, 1) })).count).toBe(0);
    expect(await small.readCounts()).toMatchObject({ pairs: 1, hits: 0, partPairs: 2, partPairOverflow: 2 });
    const boxes = placed([box, box], [0, 0, 0, 0.3, 0.9, 0]);
    expect((await frame(small, { bodies: boxes, pairs: Uint32Array.of(0, 1) })).count).toBe(1);
    batch.dispose();
    small.dispose();
    // By default there is room for the contacts of 8 pairs of parts per pair of bodies.
    const usual = await tester.createBatch({ ...what, maxPairs: 1 });
    expect((await frame(usual, { bodies, pairs: Uint32Array.of(0, 1) })).count).toBe(2);
    expect(await usual.readCounts()).toMatchObject({ hits: 2, hitOverflow: 0 });
    usual.dispose();
  });

  test('that is a ridge does not push a box down by the slope beyond', async () => {
    const ridge = tester.addShape(
      makePrism(
        [
          [-1, -0.4],
          [0, 0],
          [1, -0.4],
        ],
        0.65,
        2,
      ),
    );
    const crate = tester.addShape({ type: 'box', halfExtents: [0.26, 0.2, 0.26] });
    const what = { query: 'contacts', results: 'hits', parts: 'all', maxBodies: 2, maxPairs: 1 } as const;
    using batch = await tester.createBatch({ ...what, maxPartPairs: 16 });
    const bodies = placed([ridge, crate], [0, 0, 0, -0.28, 0.06, 0.1]);
    bodies.quaternions.set([0, 0.2, 0.2, 1], 4);
    const found = (await frame(batch as never, { bodies, pairs: Uint32Array.of(0, 1) })) as AnyResult & List;
    expect(found.count).toBe(6);
    for (let i = 0; i < found.count; i++) expect(found.normal[3 * i + 1]).toBeGreaterThan(0.9);
    tester.removeShape(ridge);
    tester.removeShape(crate);
  });

  test('pushes to its front, where it has one, and has moved in the next frame', async () => {
    const front = tester.addShape({ ...FLOOR, sides: 'front' } as ShapeDescription);
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 3, maxPairs: 2 });
    // More of the box is below the ground than above.
    const bodies = placed([front, floor, box], [0, 0, 0, 0, 0, 0, 1, -0.2, 1]);
    const pairs = Uint32Array.of(0, 2, 2, 1);
    const found = await frame(batch, { bodies, pairs });
    expect([...found.normal].map((x) => x + 0)).toEqual([0, 1, 0, 0, 1, 0]);
    expect([...found.distance].map((x) => x.toFixed(5))).toEqual(['-0.70000', '-0.30000']);
    const positions =
      FLOOR.type === 'mesh' ? Float32Array.from(FLOOR.positions, (x, k) => x - Number(k % 3 === 1)) : [];
    tester.updateMesh(front, positions);
    expect(() => submit(batch)).toThrow('expected await batch.prepare() before encode');
    await batch.prepare();
    const moved = await frame(batch, { bodies: placed([front, floor, box], [0, 0, 0, 0, 0, 0, 1, -0.6, 1]), pairs });
    expect(moved.distance[0]).toBeCloseTo(-0.1, 5);
    expect(moved.status[1]).toBe(Status.Separated);
    tester.removeShape(front);
    batch.dispose();
  });

  test('of which a body covers too much is not compared', async () => {
    const count = 100;
    const heights = new Float32Array((count + 1) ** 2);
    const fine = tester.addShape(heightfield({ heights, columns: count + 1, size: [1, 1] }));
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1, maxPartPairs: 2 ** 15 });
    const pairs = Uint32Array.of(0, 1);
    const { status } = await frame(batch, { bodies: placed([fine, box], [0, 0, 0, 0, 0.49, 0]), pairs });
    expect([...status]).toEqual([Status.CapacityExceeded]);
    const aside = await frame(batch, { bodies: placed([fine, box], [0, 0, 0, 0.9, 0.49, 0]), pairs });
    expect(aside.distance[0]).toBeCloseTo(-0.01, 5);
    expect(aside.normal[1]).toBe(1);
    tester.removeShape(fine);
    batch.dispose();
  });

  test('is found by a broad phase, frame after frame', async () => {
    const batch = await tester.createBatch({
      query: 'contacts',
      results: 'hits',
      parts: 'all',
      broadPhase: true,
      maxBodies: 4,
      maxPairs: 6,
      margin: 0.02,
    });
    const heights = [0.49, 3, 0.505];
    for (const height of [...heights, ...heights]) {
      const bodies = placed([floor, box, box], [0, 0, 0, 1, height, 1, 1, 3 + height, 1]);
      const { count, distance } = await frame(batch, { bodies });
      const expected = height < 1 ? [height - 0.5, height - 0.5] : [];
      expect(count).toBe(expected.length);
      for (const [i, each] of expected.entries()) expect(distance[i]).toBeCloseTo(each, 5);
    }
    batch.dispose();
  });

  test('may come and move while the batch is made', async () => {
    const other = await createTester({ backend: 'webgpu' });
    const ids = [FLOOR, { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const].map((shape) => other.addShape(shape));
    for (const shape of atNight(ALL_SORTS, [])) other.addShape(shape);
    const positions = FLOOR.type === 'mesh' ? Float32Array.from(FLOOR.positions) : new Float32Array(0);
    const state = { isMade: false };
    const made = other
      .createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 })
      .finally(() => (state.isMade = true));
    let changes = 0;
    while (!state.isMade && changes < 200) {
      // A new mesh in each turn of the event loop, for as long as kernels compile at most.
      other.updateMesh(ids[0], positions);
      changes++;
      await new Promise((resolve) => setTimeout(resolve, changes < 20 ? 0 : 50));
    }
    const batch = await made;
    expect(changes).toBeGreaterThan(1);
    await batch.prepare();
    const bodies = placed(ids, [0, 0, 0, 1, 0.4, 1]);
    const { distance } = await frame(batch, { bodies, pairs: Uint32Array.of(0, 1) });
    expect(distance[0]).toBeCloseTo(-0.1, 5);
    other.dispose();
  });
});
