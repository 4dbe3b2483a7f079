/** Batches of `contacts` and `manifolds` with compounds and chains in 2-D beside the CPU backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { PlanarCompoundDescription } from '../../src/api/planar-shapes.ts';
import { createTester } from '../../src/node.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { makePlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { makePlanarSurfaceFamilies } from '../../verification/families/planar-surface-families.ts';
import { isGhost, partsOfSurface } from '../../verification/judges/planar-surface-contacts.ts';
import { frame, submit } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { placedBodies, sceneOfFamily, unturned, usePlanarShapesOf } from '../helpers/planar-part-batches.ts';

const SEED = 41;
/** Bodies of the families are 0.1 to 0.8 units large. */
const TOLERANCE = 3e-5;
const SAME_COSINE = 1 - 1e-5;
const MARGIN = 0.02;

let reference: PlanarTester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
});
afterAll(() => reference?.dispose());

interface Slot {
  pair: number;
  partA?: number;
  partB?: number;
}

const keyOf = ({ pair, partA, partB }: Slot): string => `${pair} ${partA} ${partB}`;

const cosineOf = (a: ArrayLike<number>, b: ArrayLike<number>, at = 0): number => a[at] * b[at] + a[at + 1] * b[at + 1];

const ADAPTERS = [
  ['software', undefined],
  ['hardware', HARDWARE.info],
] as const;

describe.each(ADAPTERS.slice(0, atNight(1, 2)))('with the numbers of %s', (_name, info) => {
  let tester: PlanarTester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu', dimension: 2, gpu: info && keepDevices({ info }).gpu });
  });
  afterAll(() => tester?.dispose());

  const count = atNight(24, 400);
  test.each(makePlanarSurfaceFamilies(SEED, count))('contacts with $name', async (family) => {
    const { name } = family;
    const { shapes, bodies, pairs } = sceneOfFamily(family);
    const both = [tester, reference] as const;
    const ids = shapes.map((shape) => both.map((each) => each.addShape(shape)));
    bodies.shapes = Uint32Array.from(ids, ([id]) => id);
    const room = { maxBodies: count + 1, maxPairs: count, maxPartPairs: 200 * count };
    const lists = { ...room, results: 'hits', parts: 'all' } as const;
    const deepest = await tester.createBatch({ query: 'contacts', ...room, margin: MARGIN });
    const all = await tester.createBatch({ query: 'contacts', ...lists });
    const points = await tester.createBatch({ query: 'manifolds', ...lists });

    const found = await frame(deepest, { bodies, pairs });
    submit(deepest);
    const again = await deepest.read();
    for (const field of ['distance', 'normal', 'pointA', 'pointB', 'featureA', 'featureB'] as const)
      expect(again[field], field).toEqual(found[field]);
    const expected = await reference.contacts(bodies, pairs, { margin: MARGIN });
    let hits = 0;
    for (let i = 0; i < count; i++) {
      const what = `${name}, seed ${SEED}, case ${i}, at ${expected.distance[i]}`;
      if (expected.distance[i] > MARGIN) {
        expect(found.distance[i], what).toBeGreaterThan(MARGIN);
        continue;
      }
      hits++;
      expect(found.status[i], what).toBe(expected.status[i]);
      expect(Math.abs(found.distance[i] - expected.distance[i]), what).toBeLessThan(TOLERANCE);
      expect(cosineOf(found.normal, expected.normal, 2 * i), what).toBeGreaterThan(SAME_COSINE);
      // Where edges meet, any point of both may be given.
      for (const k of [2 * i, 2 * i + 1]) {
        const across = found.pointB[k] - found.pointA[k] - found.distance[i] * found.normal[k];
        expect(Math.abs(across), what).toBeLessThan(TOLERANCE);
      }
    }
    expect(hits).toBeGreaterThan(0.8 * count);

    const list = await frame(all, { bodies, pairs });
    const slots = new Map(
      [...(await reference.contacts(bodies, pairs, { parts: 'all' }))].map((slot) => [keyOf(slot), slot]),
    );
    const parts = partsOfSurface(family);
    let missing = 0;
    for (const slot of list) {
      const what = `${name}, seed ${SEED}, ${keyOf(slot)}`;
      const { pair, normal, pointA, pointB } = slot;
      // Points of A, which is the surface in every second pair, and are relative to A.
      const isFirst = pairs[2 * pair] === 0;
      const position = bodies.positions.subarray(2 * pair + 2, 2 * pair + 4);
      const point = isFirst ? pointA : [pointB[0] + position[0], pointB[1] + position[1]];
      const sign = isFirst ? 1 : -1;
      expect(isGhost(parts, point, [sign * normal[0], sign * normal[1]]), what).toBe(false);
      const same = slots.get(keyOf(slot));
      missing += Number(!same);
      if (same) expect(cosineOf(normal, same.normal), what).toBeGreaterThan(SAME_COSINE);
    }
    expect(missing).toBeLessThan(0.01 * list.count);
    expect(Math.abs(list.count - slots.size)).toBeLessThan(0.01 * list.count);

    const manifolds = await frame(points, { bodies, pairs });
    const known = new Map([...(await reference.manifolds(bodies, pairs))].map((slot) => [keyOf(slot), slot]));
    let others = Math.abs(known.size - manifolds.count);
    for (const slot of manifolds) {
      expect(slot.points.length).toBeGreaterThan(0);
      const same = known.get(keyOf(slot));
      const isSame =
        same?.points.length === slot.points.length &&
        cosineOf(same.normal, slot.normal) > SAME_COSINE &&
        same.points.every(({ distance, feature, position }, i) => {
          const own = slot.points[i];
          const apart = Math.hypot(position[0] - own.position[0], position[1] - own.position[1]);
          return feature === own.feature && Math.abs(distance - own.distance) < TOLERANCE && apart < 1e-3;
        });
      others += Number(!isSame);
    }
    expect(others).toBeLessThan(0.01 * manifolds.count);
    expect(await all.readCounts()).toMatchObject({ pairs: count, partPairOverflow: 0 });
    for (const batch of [deepest, all, points]) batch.dispose();
    for (const [i, each] of both.entries()) for (const id of ids) each.removeShape(id[i]);
  });

  test('random scenes have the contacts of the CPU backend', async () => {
    const scenes = atNight(10, 200);
    const [bodyCount, pairCount] = [24, 100];
    let before = makePlanarPartsScene(1, bodyCount, pairCount);
    usePlanarShapesOf(before, [tester, reference], undefined);
    const room = { maxBodies: bodyCount, maxPairs: pairCount, maxPartPairs: 100_000 };
    const batch = await tester.createBatch({ query: 'contacts', ...room });
    const others: string[] = [];
    let hits = 0;
    for (let seed = 1; seed <= scenes; seed++) {
      const scene = makePlanarPartsScene(seed, bodyCount, pairCount);
      usePlanarShapesOf(scene, [tester, reference], before);
      before = scene;
      await batch.prepare();
      const [bodies, { pairs }] = [placedBodies(scene), scene];
      const found = await frame(batch, { bodies, pairs });
      const expected = await reference.contacts(bodies, pairs);
      for (let i = 0; i < pairCount; i++) {
        const isHit = expected.distance[i] <= 0;
        hits += Number(isHit);
        const isSame = isHit ? Math.abs(found.distance[i] - expected.distance[i]) < 1e-4 : found.distance[i] > 0;
        if (!isSame) others.push(`seed ${seed}, pair ${i}: ${found.distance[i]} for ${expected.distance[i]}`);
      }
    }
    expect(hits).toBeGreaterThan(15 * scenes);
    // Two compounds that overlap deeply may leave each other in several ways.
    expect(others.length, others.join('\n')).toBeLessThanOrEqual(0.0005 * hits);
    batch.dispose();
    usePlanarShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });
});

/** A wall of tiles, 11 by 7 units. */
const WALL: PlanarCompoundDescription = {
  type: 'compound',
  parts: Array.from({ length: 77 }, (_, i) => ({
    shape: { type: 'rectangle', halfExtents: [0.5, 0.5] },
    position: [(i % 11) - 5, Math.floor(i / 11) - 3],
  })),
};
const TILE_AND_BALL: PlanarCompoundDescription = {
  type: 'compound',
  parts: [
    { shape: { type: 'rectangle', halfExtents: [0.5, 0.5] }, position: [-0.5, 0] },
    { shape: { type: 'circle', radius: 0.4 }, position: [0.6, 0.2] },
    { shape: { type: 'rectangle', halfExtents: [0.2, 0.2], radius: 0.1 }, position: [0, 0.7] },
  ],
};

/** Boxes and circles anywhere in a rectangle, as body B of pairs with body 0. */
function bodiesIn(ids: readonly number[], count: number, [width, height]: readonly [number, number], scale: number) {
  const random = createRandom(SEED);
  return {
    shapes: Uint32Array.from({ length: count + 1 }, (_, i) => ids[i === 0 ? 0 : 1 + (i % 2)]),
    positions: Float32Array.from({ length: 2 * count + 2 }, (_, i) =>
      i < 2 ? 0 : scale * uniform(random, -1, 1) * (i % 2 ? height : width),
    ),
    angles: Float32Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 0.3 : uniform(random, -3, 3))),
    scales: new Float32Array(count + 1).fill(scale),
  };
}

describe.each([1, 1e-4, 1e4])('at scale %s', (scale) => {
  test.each([
    ['inside of a wall of tiles', WALL, [5.2, 3.2]],
    ['at a tile, a ball and a rounded box', TILE_AND_BALL, [1.2, 1.2]],
  ] as const)('bodies %s have the contacts of the CPU backend, with a margin or without', async (_, shape, size) => {
    const tester = await createTester({ backend: 'webgpu', dimension: 2 });
    const count = atNight(200, 2000);
    const shapes = [shape, { type: 'rectangle', halfExtents: [0.45, 0.3] }, { type: 'circle', radius: 0.3 }] as const;
    const ids = shapes.map((each) => tester.addShape(each));
    const others = shapes.map((each) => reference.addShape(each));
    const bodies = bodiesIn(ids, count, size, scale);
    const own = { ...bodies, shapes: bodies.shapes.map((id) => others[ids.indexOf(id)]) };
    const pairs = Uint32Array.from({ length: 2 * count }, (_unused, i) => (i % 2 ? (i + 1) / 2 : 0));
    const room = { maxBodies: count + 1, maxPairs: count, maxPartPairs: 100 * count };
    const expected = await reference.contacts(own, pairs);
    for (const margin of [0, 0.05 * scale]) {
      const batch = await tester.createBatch({ query: 'contacts', ...room, margin });
      const found = await frame(batch, { bodies, pairs });
      const faults = Array.from(expected.distance.keys()).filter(
        (i) => expected.distance[i] <= 0 && !(Math.abs(found.distance[i] - expected.distance[i]) < 1e-4 * scale),
      );
      expect(faults, `margin ${margin}, seed ${SEED}`).toEqual([]);
      batch.dispose();
    }
    expect(expected.distance.filter((d) => d <= 0).length).toBeGreaterThan(count / 2);
    for (const id of others) reference.removeShape(id);
    tester.dispose();
  });
});

test('the CPU backend has the contact of a compound that is its deepest part', async () => {
  const count = atNight(300, 3000);
  const shapes = [
    TILE_AND_BALL,
    { type: 'rectangle', halfExtents: [0.45, 0.3] },
    { type: 'circle', radius: 0.3 },
  ] as const;
  const ids = shapes.map((each) => reference.addShape(each));
  const alone = TILE_AND_BALL.parts.map((part) => reference.addShape({ type: 'compound', parts: [part] }));
  const bodies = bodiesIn(ids, count, [1.2, 1.2], 1);
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? (i + 1) / 2 : 0));
  const { distance } = await reference.contacts(bodies, pairs);
  const byPart = await Promise.all(
    alone.map((id) =>
      reference.contacts({ ...bodies, shapes: bodies.shapes.map((each, i) => (i === 0 ? id : each)) }, pairs),
    ),
  );
  // No parts touch, so that the deepest one decides.
  for (let i = 0; i < count; i++) {
    const deepest = Math.min(...byPart.map((each) => each.distance[i]));
    if (deepest <= 0) expect(Math.abs(distance[i] - deepest), `seed ${SEED}, pair ${i}`).toBeLessThan(1e-6);
  }
  for (const id of [...ids, ...alone]) reference.removeShape(id);
});

test.each(['contacts', 'manifolds', 'impacts'] as const)('%s beyond the room for pairs of parts', async (query) => {
  const tester = await createTester({ backend: 'webgpu', dimension: 2 });
  const wall = tester.addShape(WALL);
  const box = tester.addShape({ type: 'rectangle', halfExtents: [0.4, 0.4] });
  // 1 and 2 tiles.
  const bodies = unturned([wall, box, box], [0, 0, 0, 3.8, 0.5, 3.8]);
  const moving = { ...bodies, linearVelocities: new Float32Array(6) };
  const isMotion = query === 'impacts';
  const batch = await tester.createBatch({
    query,
    maxBodies: 3,
    maxPairs: 2,
    maxPartPairs: 2,
    ...(isMotion && { duration: 1 }),
    ...(query === 'manifolds' && { parts: 'all', results: 'hits' }),
  } as BatchOptions<typeof query>);
  await frame(batch, { bodies: isMotion ? moving : bodies, pairs: Uint32Array.of(0, 1, 0, 2) } as never);
  const { partPairs, partPairOverflow, statusCounts } = await batch.readCounts();
  expect({ partPairs, partPairOverflow }).toEqual({ partPairs: 3, partPairOverflow: 2 });
  expect(statusCounts[Status.Overlapping]).toBe(1);
  if (query !== 'manifolds') expect(statusCounts[Status.CapacityExceeded]).toBe(1);
  tester.dispose();
});

test('bodies on two tiles, far from the origin, and on either side of a chain with one side', async () => {
  const tester = await createTester({ backend: 'webgpu', dimension: 2 });
  const box = { type: 'rectangle', halfExtents: [0.5, 0.5] } as const;
  const tiles = tester.addShape({
    type: 'compound',
    parts: [-0.5, 0.5].map((x) => ({ shape: box, position: [x, -0.5] })),
  });
  const front = tester.addShape({ type: 'chain', points: [1, 0, 0, 0, -1, 0], sides: 'front' });
  const body = tester.addShape(box);
  const far = 4096;
  const bodies = unturned(
    [tiles, body, front, body, body],
    [far, far, far + 0.0625, far + 0.4375, 0, 0, 0.1, 0.45, 0.1, -0.3],
  );
  const batch = await tester.createBatch({
    query: 'manifolds',
    maxBodies: 5,
    maxPairs: 3,
    parts: 'all',
    results: 'hits',
  });
  const manifolds = await frame(batch, { bodies, pairs: Uint32Array.of(0, 1, 3, 2, 2, 4) });
  const slots = [...manifolds];
  // Both tiles and both segments hold the box, each with its normal.
  expect(slots.map(({ pair }) => pair)).toEqual([0, 0, 1, 1, 2, 2]);
  for (const { pair, normal } of slots) {
    expect(normal[0]).toBeCloseTo(0, 6);
    expect(normal[1]).toBeCloseTo(pair === 1 ? -1 : 1, 6);
  }
  for (const { pair, contactDistance } of slots) expect(contactDistance).toBeCloseTo([-0.0625, -0.05, -0.8][pair], 5);
  expect(manifolds.statusCounts[Status.Overlapping]).toBe(6);
  tester.dispose();
});
