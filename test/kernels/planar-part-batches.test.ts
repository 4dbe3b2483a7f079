/** Batches of `intersects` and `distances` with compounds and chains in 2-D. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { makePlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import { frame, submit } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { placedBodies, unturned, usePlanarShapesOf } from '../helpers/planar-part-batches.ts';

const BODIES = 24;
const PAIRS = 100;
const ROOM = { maxBodies: BODIES, maxPairs: PAIRS, maxPartPairs: 100_000 };
/** A margin beyond which some bodies are. */
const MARGIN = 0.3;
/** Bodies are at most about 4 units large. */
const TOLERANCE = 2e-5;

let reference: PlanarTester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
});
afterAll(() => reference?.dispose());

const ADAPTERS = [
  ['software', undefined],
  ['hardware', HARDWARE.info],
] as const;

describe.each(ADAPTERS)('with the numbers of %s', (_name, info) => {
  let tester: PlanarTester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu', dimension: 2, gpu: info && keepDevices({ info }).gpu });
  });
  afterAll(() => tester?.dispose());

  test('random scenes have the answers of the CPU backend, and the same bits on every run', async () => {
    const scenes = atNight(10, 500);
    let before = makePlanarPartsScene(1, BODIES, PAIRS);
    usePlanarShapesOf(before, [tester, reference], undefined);
    const intersects = await tester.createBatch({ query: 'intersects', ...ROOM });
    const distances = await tester.createBatch({ query: 'distances', ...ROOM });
    const near = await tester.createBatch({ query: 'distances', ...ROOM, margin: MARGIN });
    let hits = 0;
    for (let seed = 1; seed <= scenes; seed++) {
      const scene = makePlanarPartsScene(seed, BODIES, PAIRS);
      usePlanarShapesOf(scene, [tester, reference], before);
      before = scene;
      const input = { bodies: placedBodies(scene), pairs: scene.pairs };
      await Promise.all([intersects, distances, near].map((batch) => batch.prepare()));
      const met = await frame(intersects, input);
      const found = await frame(distances, input);
      const within = await frame(near, input);
      submit(distances);
      const again = await distances.read();
      expect(again.distance, `seed ${seed}`).toEqual(found.distance);
      expect(again.pointA, `seed ${seed}`).toEqual(found.pointA);
      const expected = await reference.distances(input.bodies, input.pairs);
      for (let i = 0; i < PAIRS; i++) {
        const what = `seed ${seed}, pair ${i}, at ${expected.distance[i]}`;
        const distance = expected.distance[i];
        expect(Math.abs(found.distance[i] - distance), what).toBeLessThan(TOLERANCE);
        if (distance > TOLERANCE) expect(met.hit[i], what).toBe(0);
        if (distance === 0) hits += met.hit[i];
        if (distance > MARGIN + TOLERANCE) {
          expect(within.distance[i], what).toBeGreaterThan(MARGIN);
          expect(within.distance[i], what).toBeLessThan(distance + TOLERANCE);
        } else expect(Math.abs(within.distance[i] - distance), what).toBeLessThan(TOLERANCE);
        if (!(distance > TOLERANCE)) continue;
        const apart = [0, 1].map((k) => found.pointB[2 * i + k] - found.pointA[2 * i + k]);
        expect(Math.abs(Math.hypot(...apart) - distance), what).toBeLessThan(TOLERANCE);
      }
      const { hit } = await reference.intersects(input.bodies, input.pairs);
      const differing = Array.from(hit.keys()).filter((i) => hit[i] !== met.hit[i]);
      for (const i of differing) {
        const margin = TOLERANCE;
        const { distance } = await reference.contacts(input.bodies, input.pairs.subarray(2 * i, 2 * i + 2), { margin });
        expect(Math.abs(distance[0]), `seed ${seed}, pair ${i}`).toBeLessThan(TOLERANCE);
      }
      for (const batch of [intersects, distances, near])
        expect(await batch.readCounts()).toMatchObject({ pairs: PAIRS, partPairOverflow: 0 });
    }
    expect(hits).toBeGreaterThan(15 * scenes);
    for (const batch of [intersects, distances, near]) batch.dispose();
    usePlanarShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });

  test('pairs of parts beyond the room are left out, whole pairs of bodies, and counted', async () => {
    const tiles = tester.addShape({
      type: 'compound',
      parts: [-1.5, -0.5, 0.5, 1.5].map((x) => ({
        shape: { type: 'rectangle', halfExtents: [0.5, 0.5] },
        position: [x, -0.5],
      })),
    });
    const box = tester.addShape({ type: 'rectangle', halfExtents: [0.4, 0.5] });
    const bodies = unturned([tiles, box, box, box], [0, 0, 0, 0.4, 1, 0.4, 5, 0.4]);
    // 2, 0, 1 and 2 pairs of parts.
    const pairs = Uint32Array.of(0, 1, 0, 3, 1, 2, 0, 2);
    const { Overlapping, Separated, CapacityExceeded } = Status;
    for (const [maxPartPairs, left, status] of [
      [5, 0, [Overlapping, Separated, Separated, Overlapping]],
      [4, 2, [Overlapping, Separated, Separated, CapacityExceeded]],
      [2, 3, [Overlapping, Separated, CapacityExceeded, CapacityExceeded]],
    ] as const) {
      const batch = await tester.createBatch({ query: 'intersects', maxBodies: 4, maxPairs: 4, maxPartPairs });
      const found = await frame(batch, { bodies, pairs });
      expect([...found.status], `${maxPartPairs}`).toEqual(status);
      expect(await batch.readCounts()).toMatchObject({ partPairs: 5, partPairOverflow: left });
      batch.dispose();
    }
    for (const id of [tiles, box]) tester.removeShape(id);
  });

  test('a batch with a broad phase lists circles near a chain of 100,000 points', async () => {
    const points = Array.from({ length: 100_000 }, (_, i) => [0.01 * i, Math.sin(0.01 * i)]).flat();
    const ids = [tester, reference].map((each) => [
      each.addShape({ type: 'chain', points }),
      each.addShape({ type: 'circle', radius: 0.1 }),
    ]);
    expect(ids[1]).toEqual(ids[0]);
    const [chain, ball] = ids[0];
    const count = 200;
    const places = Array.from({ length: count }, (_, i) => {
      const x = 4.9 * i + 0.37;
      return [x, Math.sin(x) + 0.05 * ((i % 9) - 4)];
    }).flat();
    const bodies = unturned([chain, ...Array.from({ length: count }, () => ball)], [0, 0, ...places]);
    const batch = await tester.createBatch({
      query: 'distances',
      maxBodies: count + 1,
      maxPairs: 2 * count,
      maxPartPairs: 100 * count,
      margin: 0.05,
      broadPhase: true,
      results: 'hits',
    });
    const found = await frame(batch, { bodies }, { bodies: true } as never);
    const { a, b } = found as unknown as { a: Uint32Array; b: Uint32Array };
    const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? (i + 1) / 2 : 0));
    const { distance } = await reference.distances(bodies, pairs);
    const expected = Array.from(distance.keys()).filter((i) => distance[i] <= 0.05);
    expect(Array.from(b)).toEqual(expected.map((i) => i + 1));
    expect(a.every((body) => body === 0)).toBe(true);
    expect(expected.length).toBeGreaterThan(0.5 * count);
    expect(expected.length).toBeLessThan(0.9 * count);
    // Positions go up to 1000, of which f32 has 6e-5.
    expected.forEach((i, slot) => expect(Math.abs(found.distance[slot] - distance[i])).toBeLessThan(2e-4));
    batch.dispose();
    for (const each of [tester, reference]) for (const id of ids[0]) each.removeShape(id);
  });
});

test('a chain that is added after a batch was made needs `prepare`', async () => {
  const tester = await createTester({ backend: 'webgpu', dimension: 2 });
  const ball = tester.addShape({ type: 'circle', radius: 0.5 });
  const batch = await tester.createBatch({ query: 'intersects', maxBodies: 3, maxPairs: 2 });
  const chain = tester.addShape({ type: 'chain', points: [-1, 0, 1, 0, 2, 1] });
  const bodies = unturned([chain, ball, ball], [0, 0, 0, 0.4, 2, 1.6]);
  const pairs = Uint32Array.of(0, 1, 2, 0);
  batch.write({ bodies, pairs });
  expect(() => submit(batch)).toThrow(/prepare/);
  await batch.prepare();
  expect([...(await frame(batch, { bodies, pairs })).hit]).toEqual([1, 0]);
  tester.dispose();
});
