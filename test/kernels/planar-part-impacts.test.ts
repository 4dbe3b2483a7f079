/** Batches of `impacts` with compounds and chains in 2-D, for bodies that do not turn, beside the CPU backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarTester } from '../../src/api/types.ts';
import { makePlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import { makePlanarSurfaceFamilies } from '../../verification/families/planar-surface-families.ts';
import { frame, submit } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { sceneOfFamily, unturned, usePlanarShapesOf } from '../helpers/planar-part-batches.ts';

const SEED = 42;
const MODES = [
  { name: 'that stop', options: { duration: 0.7 } },
  { name: 'that pass', options: { duration: 0.7, stopAtPenetration: false } },
  { name: 'that stop at a margin', options: { duration: 0.7, margin: 0.02 } },
  { name: 'that pass a margin', options: { duration: 0.7, margin: 0.02, stopAtPenetration: false } },
] as const;

let reference: PlanarTester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
});
afterAll(() => reference?.dispose());

interface Columns {
  status: Uint8Array;
  time: Float32Array;
  unclampedTime: Float32Array;
  normal: Float32Array;
}

/** How the answers for a pair differ; undefined if they do not. */
function differenceAt(found: Columns, expected: Columns, i: number): string | undefined {
  const [time, other] = [found.time[i], expected.time[i]];
  const [since, otherSince] = [found.unclampedTime[i], expected.unclampedTime[i]];
  const cosine = found.normal[2 * i] * expected.normal[2 * i] + found.normal[2 * i + 1] * expected.normal[2 * i + 1];
  const isSame =
    found.status[i] === expected.status[i] &&
    (time === other || Math.abs(time - other) < 1e-4) &&
    // How long ago they met is a depth divided by a speed, which may be small.
    (since === otherSince || Math.abs(since - otherSince) < 1e-3 * Math.max(1, Math.abs(otherSince))) &&
    (time === Infinity || cosine > 1 - 1e-4);
  return isSame ? undefined : `pair ${i}: ${since} with cosine ${cosine}, expected ${otherSince}`;
}

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

  test.each(MODES)(
    'bodies $name slide, fall and rise over surfaces as those of the CPU backend do',
    async ({ options }) => {
      const count = atNight(24, 400);
      const faults: string[] = [];
      let hits = 0;
      let total = 0;
      for (const family of makePlanarSurfaceFamilies(SEED, count)) {
        const { shapes, bodies, pairs } = sceneOfFamily(family);
        const both = [tester, reference] as const;
        const ids = shapes.map((shape) => both.map((each) => each.addShape(shape)));
        const moving = {
          ...bodies,
          shapes: Uint32Array.from(ids, ([id]) => id),
          positions: bodies.positions.map((x, i) => (i % 2 && i > 1 ? x + [0, 0.3, 0.11, -0.02][(i >> 1) % 4] : x)),
          linearVelocities: Float32Array.from({ length: 2 * count + 2 }, (_, i) =>
            i < 2 ? 0 : i % 2 ? [0, 0, -1, 1, -0.2][(i >> 1) % 5] : 3 * Math.sin(i),
          ),
        };
        const room = { maxBodies: count + 1, maxPairs: count, maxPartPairs: 1000 * count };
        const batch = await tester.createBatch({ query: 'impacts', ...room, ...options });
        const found = await frame(batch, { bodies: moving, pairs });
        submit(batch);
        const again = await batch.read();
        for (const field of ['unclampedTime', 'normal', 'point'] as const) expect(again[field]).toEqual(found[field]);
        const expected = await reference.impacts(moving, pairs, options);
        for (let i = 0; i < count; i++) {
          total++;
          hits += Number(expected.time[i] < Infinity);
          const difference = differenceAt(found, expected, i);
          if (difference) faults.push(`${family.name}, seed ${SEED}, ${difference}`);
        }
        expect(await batch.readCounts()).toMatchObject({ pairs: count, partPairOverflow: 0 });
        batch.dispose();
        for (const [i, each] of both.entries()) for (const id of ids) each.removeShape(id[i]);
      }
      expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(0.0005 * total);
      expect(hits).toBeGreaterThan(total / 3);
      expect(hits).toBeLessThan(0.9 * total);
    },
  );

  test.each(MODES.slice(0, 2))('random scenes $name have the impacts of the CPU backend', async ({ options }) => {
    const scenes = atNight(10, 200);
    const [bodyCount, pairCount] = [24, 100];
    let before = makePlanarPartsScene(1, bodyCount, pairCount);
    usePlanarShapesOf(before, [tester, reference], undefined);
    const room = { maxBodies: bodyCount, maxPairs: pairCount, maxPartPairs: 100_000 };
    const batch = await tester.createBatch({ query: 'impacts', ...room, ...options });
    const faults: string[] = [];
    let hits = 0;
    for (let seed = 1; seed <= scenes; seed++) {
      const scene = makePlanarPartsScene(seed, bodyCount, pairCount);
      usePlanarShapesOf(scene, [tester, reference], before);
      before = scene;
      await batch.prepare();
      const { angularVelocities: _, ...bodies } = scene.bodies;
      const found = await frame(batch, { bodies, pairs: scene.pairs });
      const expected = await reference.impacts(bodies, scene.pairs, options);
      for (let i = 0; i < pairCount; i++) {
        hits += Number(expected.time[i] < Infinity);
        const difference = differenceAt(found, expected, i);
        if (difference) faults.push(`seed ${seed}, ${difference}`);
      }
    }
    expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(0.0005 * scenes * pairCount);
    expect(hits).toBeGreaterThan(20 * scenes);
    batch.dispose();
    usePlanarShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });
});

test('a box slides over the seams of a platform, and one that falls is a hit of the broad phase', async () => {
  const tester = await createTester({ backend: 'webgpu', dimension: 2 });
  const box = { type: 'rectangle', halfExtents: [0.5, 0.5] } as const;
  const platform = tester.addShape({
    type: 'compound',
    parts: Array.from({ length: 100 }, (_, i) => ({ shape: box, position: [i - 49.5, -0.5] as const })),
  });
  const body = tester.addShape(box);
  const bodies = {
    ...unturned([platform, body, body], [0, 0, -40, 0.5, 0.25, 3.5]),
    linearVelocities: Float32Array.of(0, 0, 80, 0, 80, -2),
  };
  const batch = await tester.createBatch({
    query: 'impacts',
    maxBodies: 3,
    maxPairs: 3,
    maxPartPairs: 1000,
    duration: 1,
    stopAtPenetration: false,
    broadPhase: true,
    results: 'hits',
  });
  expect((await frame(batch, { bodies })).count).toBe(0);
  batch.write({ duration: 2 });
  submit(batch);
  const { count, time, normal, b } = (await batch.read({ bodies: true })) as unknown as Columns & {
    count: number;
    b: Uint32Array;
  };
  // By then the first box has left the platform, and the other one is not over it any more.
  expect(count).toBe(0);
  bodies.linearVelocities = Float32Array.of(0, 0, 80, 0, 20, -2);
  const found = (await frame(batch, { bodies }, { bodies: true } as never)) as unknown as typeof b & {
    count: number;
    time: Float32Array;
    normal: Float32Array;
    b: Uint32Array;
  };
  expect([...found.b]).toEqual([2]);
  expect(found.time[0]).toBeCloseTo(1.5, 5);
  expect([...found.normal]).toEqual([0, 1]);
  expect([time.length, normal.length]).toEqual([0, 0]);
  tester.dispose();
});
