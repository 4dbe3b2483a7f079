/** Batches of `contacts` and `manifolds` with compounds and chains in 2-D beside the CPU backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { makePlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
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
    let others = 0;
    for (const slot of manifolds) {
      expect(slot.points.length).toBeGreaterThan(0);
      const same = known.get(keyOf(slot));
      const isSame = same?.points.every(
        ({ distance, feature }, i) =>
          feature === slot.points[i]?.feature && Math.abs(distance - slot.points[i].distance) < TOLERANCE,
      );
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
    expect(others.length, others.join('\n')).toBeLessThan(0.005 * hits);
    batch.dispose();
    usePlanarShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });
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
