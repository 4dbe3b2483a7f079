/** Batches of `impacts` of bodies that turn, with compounds, meshes and chains, beside the CPU backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Status, type PlanarTester, type Tester } from '../../src/api/types.ts';
import { createTester } from '../../src/node.ts';
import { makePartsScene } from '../../verification/families/parts-scene.ts';
import { makePlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import { makePlanarSurfaceFamilies } from '../../verification/families/planar-surface-families.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { frame, submit } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { makeSheet } from '../helpers/meshes.ts';
import { distancesAt, planarDistancesAt } from '../helpers/moved-bodies.ts';
import { atNight } from '../helpers/night.ts';
import { useShapesOf } from '../helpers/part-batches.ts';
import { sceneOfFamily, usePlanarShapesOf } from '../helpers/planar-part-batches.ts';
import { compareTurning, impactDifference, TURNING_TOLERANCE } from '../helpers/turning-impacts.ts';

const SEED = 20_261_130;

const STOPS = { name: 'that stop', options: {}, margin: 0 };
const PASSES = { name: 'that pass', options: { stopAtPenetration: false }, margin: 0 };
const MODES = [STOPS, PASSES, { ...STOPS, margin: 0.01 }, { ...PASSES, margin: 0.01 }];

/**
 * Of bodies that overlap at the start and pass, the backends may take other contacts there. Shares of pairs that differ, at most: of
 * 3,000 pairs over grounds, 1 of bodies that stop, and 9 of those that pass; of 2,400 of random scenes, where many overlap deeply, 17.
 */
const MOST_DIFFERENT = { stops: 0.001, passes: 0.006 };
const MOST_OF_SCENES = { stops: 0.001, passes: 0.01 };

function mostOf(options: { stopAtPenetration?: boolean }, { stops, passes } = MOST_DIFFERENT): number {
  return options.stopAtPenetration === false ? passes : stops;
}

const ADAPTERS = [
  ['software', undefined],
  ['hardware', HARDWARE.info],
] as const;

describe.each(ADAPTERS.slice(0, atNight(1, 2)))('with the numbers of %s', (_name, info) => {
  describe('in 3-D', () => {
    let tester: Tester;
    let reference: Tester;
    beforeAll(async () => {
      tester = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
      reference = await createTester({ backend: 'cpu', threads: 1 });
    });
    afterAll(() => [tester, reference].forEach((each) => each?.dispose()));

    test.each(atNight([STOPS], MODES))(
      'bodies $name at a margin of $margin turn over grounds as those of the CPU backend do',
      async ({ options, margin }) => {
        const count = atNight(300, 1500);
        const asked = { ...options, margin, count, seed: SEED, hasCurved: atNight(false, true) };
        const { pairs: answered, hits, misses, faults } = await compareTurning(tester, reference, asked);
        expect(answered).toBe(count);
        expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(mostOf(options) * answered);
        expect(hits).toBeGreaterThan(answered / 3);
        expect(misses).toBeGreaterThan(answered / 10);
      },
    );

    test.each(atNight([], [STOPS, PASSES]))(
      'bodies of random scenes $name as those of the CPU backend do',
      async (mode) => {
        const [bodyCount, pairCount] = [16, 60];
        let before = makePartsScene(1, bodyCount, pairCount);
        const device = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
        const cpu = await createTester({ backend: 'cpu', threads: 1 });
        useShapesOf(before, [device, cpu], undefined);
        const asked = { ...mode.options, duration: 0.4 };
        const room = { maxBodies: bodyCount, maxPairs: pairCount, maxPartPairs: 40_000 };
        using batch = await device.createBatch({ query: 'impacts', ...room, ...asked, turning: true });
        const faults: string[] = [];
        let hits = 0;
        let undecided = 0;
        const scenes = 40;
        for (let seed = 1; seed <= scenes; seed++) {
          const scene = makePartsScene(seed, bodyCount, pairCount);
          useShapesOf(scene, [device, cpu], before);
          before = scene;
          await batch.prepare();
          const { bodies, pairs } = scene;
          const found = await frame(batch, { bodies, pairs });
          const expected = await cpu.impacts(bodies, pairs, asked);
          const moving = bodies as typeof bodies & { angularVelocities: Float32Array };
          const placed = (times: Float32Array) => distancesAt(cpu, moving, pairs, times, asked.duration);
          const distances = [await placed(found.time), await placed(expected.time)] as const;
          const compared = { found, expected, distances, axes: 3, tolerance: TURNING_TOLERANCE } as const;
          for (let slot = 0; slot < pairCount; slot++) {
            // The CPU backend gives up on a few pairs with curved bodies.
            if (expected.status[slot] === Status.NotConverged) {
              undecided++;
              continue;
            }
            hits += Number(expected.time[slot] < Infinity);
            const difference = impactDifference(compared, slot);
            if (difference !== undefined) faults.push(`seed ${seed}, pair ${slot}: ${difference}`);
          }
        }
        expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(
          mostOf(mode.options, MOST_OF_SCENES) * scenes * pairCount,
        );
        expect(hits).toBeGreaterThan(5 * scenes);
        expect(undecided).toBeLessThan(0.02 * scenes * pairCount);
        device.dispose();
        cpu.dispose();
      },
    );

    test('a box slides over the seams of a sheet, and tips onto it when its corner is as low', async () => {
      const shapes = [
        { type: 'mesh', ...makeSheet(16, () => 0) },
        { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
        { type: 'mesh', ...makeSheet(2, () => 0) },
        { type: 'sphere', radius: 0.1 },
      ] as const;
      useShapes(tester, shapes);
      const height = 0.2 + 1e-3;
      const bodies = {
        shapes: Uint32Array.of(0, 1, 1, 2, 3),
        positions: Float32Array.of(0, 0, 0, -0.7, height, 0.1, 0, height, 0.13, 9, 0, 0, 9.6, 0.5, 0.3),
        quaternions: Float32Array.from({ length: 20 }, (_, i) => Number(i % 4 === 3)),
        linearVelocities: Float32Array.of(0, 0, 0, 1.4, 0, 0, 0.5, 0, 0.2, 0, 0, 0, 0, 0, 0),
        // One turns about the vertical, one tips over, and a sheet turns up from below a ball.
        angularVelocities: Float32Array.of(0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0),
      };
      const options = {
        maxBodies: 5,
        maxPairs: 3,
        maxPartPairs: 5000,
        duration: 1,
        stopAtPenetration: atNight(false, true),
      };
      using batch = await tester.createBatch({ query: 'impacts', ...options, turning: true });
      const pairs = Uint32Array.of(0, 1, 2, 0, 3, 4);
      const { status, time, normal } = await frame(batch, { bodies, pairs });
      expect([...status]).toEqual([Status.Separated, Status.Overlapping, Status.Overlapping]);
      // The corner goes down from 0.2 to 0.2 (cos t + sin t).
      const corner = 0.2 * (Math.cos(time[1]) + Math.sin(time[1]));
      expect(Math.abs(corner - height)).toBeLessThan(3e-6);
      expect(normal[4]).toBeCloseTo(-1, 4);
      // The ball is at (0.6, 0.5) from the axis.
      expect(0.5 * Math.cos(time[2]) - 0.6 * Math.sin(time[2])).toBeCloseTo(0.1, 5);
      expect(normal[6]).toBeCloseTo(-Math.sin(time[2]), 4);
    });

    test('bodies that overlap a sheet by the same depth all the time pass it', async () => {
      const square = { positions: [-1, 0, -1, 1, 0, -1, -1, 0, 1, 1, 0, 1], indices: [0, 2, 1, 1, 2, 3] };
      useShapes(tester, [
        { type: 'mesh', ...makeSheet(8, () => 0) },
        { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
        { type: 'mesh', ...square },
        { type: 'box', halfExtents: [0.02, 0.02, 0.02] },
      ]);
      // Boxes that turn about the vertical, and sheets that do below them.
      const bodies = {
        shapes: Uint32Array.of(0, 1, 1, 2, 3, 3, 2, 3),
        positions: new Float32Array([
          0, 0, 0, 0.31, 0.2997, -0.17, 0, 0.2997, 0, 0, 0, 0, -0.1, 0.019, -0.1, 0, 0.019, 0, 0, 0, 0, 0, 0.019, 0,
        ]),
        quaternions: Float32Array.from({ length: 32 }, (_, i) => Number(i % 4 === 3)),
        linearVelocities: new Float32Array([
          0, 0, 0, 0, 0, 0, 0.3, 0, -0.1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0, 0.05,
        ]),
        angularVelocities: new Float32Array([
          0, 0, 0, 0, 31, 0, 0, 31, 0, 0, 31, 0, 0, 0, 0, 0, -31, 0, 0, 3, 0, 0, -31, 0,
        ]),
      };
      const options = { maxBodies: 8, maxPairs: 5, maxPartPairs: 5000, duration: 1, stopAtPenetration: false };
      using batch = await tester.createBatch({ query: 'impacts', ...options, turning: true });
      const { status } = await frame(batch, { bodies, pairs: Uint32Array.of(0, 1, 0, 2, 3, 4, 3, 5, 6, 7) });
      expect([...status]).toEqual(Array.from({ length: 5 }, () => Status.Separated));
    });

    test('pairs are found on the device, and what kernels refuse is invalid', async () => {
      useShapes(tester, [
        { type: 'mesh', ...makeSheet(4, () => 0) },
        { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
      ]);
      const bodies = {
        shapes: Uint32Array.of(0, 1, 1),
        positions: Float32Array.of(0, 0, 0, 0.1, 0.25, 0.1, 0.1, 3, 0.1),
        quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
        linearVelocities: new Float32Array(9),
        angularVelocities: Float32Array.of(0, 0, 0, 0, 0, 2, 0, 0, 2),
      };
      const options = {
        maxBodies: 3,
        maxPairs: 3,
        maxPartPairs: 5000,
        duration: 1,
        broadPhase: true,
        results: 'hits',
      } as const;
      using batch = await tester.createBatch({ query: 'impacts', ...options, turning: true });
      batch.write({ bodies });
      submit(batch);
      const { count, a, b, time } = await batch.read({ bodies: true });
      expect([count, a![0], b![0]]).toEqual([1, 0, 1]);
      expect(0.2 * (Math.cos(2 * time[0]) + Math.sin(2 * time[0]))).toBeCloseTo(0.25, 5);
      using listed = await tester.createBatch({
        query: 'impacts',
        maxBodies: 3,
        maxPairs: 2,
        maxPartPairs: 5000,
        duration: 1,
        turning: true,
      });
      listed.write({ bodies, pairs: Uint32Array.of(0, 1, 2, 0) });
      for (const bad of [NaN, Infinity, 40]) {
        // The angular velocity of body 1.
        listed.device.queue.writeBuffer(listed.input.velocities!, 32 + 16, Float32Array.of(0, bad, 0));
        submit(listed);
        const { status } = await listed.read();
        expect([...status], `${bad}`).toEqual([Status.InvalidInput, Status.Separated]);
      }
    });
  });

  describe('in 2-D', () => {
    const TOLERANCE = { time: 1e-4, distance: 5e-5, cosine: 0.9999 };
    let tester: PlanarTester;
    let reference: PlanarTester;
    beforeAll(async () => {
      tester = await createTester({ backend: 'webgpu', dimension: 2, gpu: info && keepDevices({ info }).gpu });
      reference = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
    });
    afterAll(() => [tester, reference].forEach((each) => each?.dispose()));

    test.each(atNight([PASSES], MODES))(
      'bodies $name at a margin of $margin turn over surfaces as those of the CPU backend do',
      async ({ options, margin }) => {
        const count = atNight(40, 300);
        const asked = { ...options, margin, duration: 0.7 };
        const faults: string[] = [];
        let total = 0;
        let hits = 0;
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
            angularVelocities: Float32Array.from({ length: count + 1 }, (_, i) =>
              i === 0 ? 0 : [0, 0.3, -2, 5, 0.01, -12][i % 6],
            ),
          };
          const room = { maxBodies: count + 1, maxPairs: count, maxPartPairs: 1000 * count };
          using batch = await tester.createBatch({ query: 'impacts', ...room, ...asked, turning: true });
          const found = await frame(batch, { bodies: moving, pairs });
          submit(batch);
          const again = await batch.read();
          for (const column of ['unclampedTime', 'normal', 'point'] as const)
            expect(again[column]).toEqual(found[column]);
          const expected = await reference.impacts(moving, pairs, asked);
          const placed = (times: Float32Array) => planarDistancesAt(reference, moving, pairs, times, asked.duration);
          const distances = [await placed(found.time), await placed(expected.time)] as const;
          const compared = { found, expected, distances, axes: 2, tolerance: TOLERANCE } as const;
          for (let slot = 0; slot < count; slot++) {
            total++;
            hits += Number(expected.time[slot] < Infinity);
            const difference = impactDifference(compared, slot);
            if (difference) faults.push(`${family.name}, seed ${SEED}, pair ${slot}: ${difference}`);
          }
          for (const [i, each] of both.entries()) for (const id of ids) each.removeShape(id[i]);
        }
        expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(mostOf(options) * total);
        expect(hits).toBeGreaterThan(total / 3);
        expect(hits).toBeLessThan(0.9 * total);
      },
    );

    test('convex bodies beside chains and compounds meet', async () => {
      const [large, middle, small] = [1, 0.5, 0.2].map((x) =>
        tester.addShape({ type: 'rectangle', halfExtents: [x, x] }),
      );
      const chain = tester.addShape({ type: 'chain', points: [-1, 0, 0, 0.5, 1, 0] });
      const bodies = {
        shapes: Uint32Array.of(large, middle, small),
        positions: Float32Array.of(0, 0, 3, 0, 0, 30),
        angles: Float32Array.of(0, 0.3, 0),
        linearVelocities: Float32Array.of(0, 0, -3, 0, 0, 0),
        angularVelocities: Float32Array.of(2, 2, 2),
      };
      const asked = { duration: 1, ...PASSES.options };
      const room = { maxBodies: 3, maxPairs: 2, maxPartPairs: 100 };
      using batch = await tester.createBatch({ query: 'impacts', ...room, ...asked, turning: true });
      const pairs = Uint32Array.of(0, 1, 1, 2);
      const { time } = await frame(batch, { bodies, pairs });
      const own = [large, middle, small].map((_, i) =>
        reference.addShape({
          type: 'rectangle',
          halfExtents: [[1, 1] as const, [0.5, 0.5] as const, [0.2, 0.2] as const][i],
        }),
      );
      const expected = await reference.impacts({ ...bodies, shapes: Uint32Array.from(own) }, pairs, asked);
      expect(time[0]).toBeCloseTo(expected.time[0], 5);
      expect([time[1], expected.time[1]]).toEqual([Infinity, Infinity]);
      for (const id of [large, middle, small, chain]) tester.removeShape(id);
      for (const id of own) reference.removeShape(id);
    });

    test.each(atNight([], [STOPS, PASSES]))(
      'bodies of random scenes $name as those of the CPU backend do',
      async (mode) => {
        const [bodyCount, pairCount] = [24, 100];
        let before = makePlanarPartsScene(1, bodyCount, pairCount);
        usePlanarShapesOf(before, [tester, reference], undefined);
        const asked = { ...mode.options, duration: 0.7 };
        const room = { maxBodies: bodyCount, maxPairs: pairCount, maxPartPairs: 100_000 };
        using batch = await tester.createBatch({ query: 'impacts', ...room, ...asked, turning: true });
        const faults: string[] = [];
        let hits = 0;
        const scenes = 100;
        for (let seed = 1; seed <= scenes; seed++) {
          const scene = makePlanarPartsScene(seed, bodyCount, pairCount);
          usePlanarShapesOf(scene, [tester, reference], before);
          before = scene;
          await batch.prepare();
          const { bodies, pairs } = scene;
          const found = await frame(batch, { bodies, pairs });
          const expected = await reference.impacts(bodies, pairs, asked);
          const moving = bodies as Parameters<typeof planarDistancesAt>[1];
          const placed = (times: Float32Array) => planarDistancesAt(reference, moving, pairs, times, asked.duration);
          const distances = [await placed(found.time), await placed(expected.time)] as const;
          const compared = { found, expected, distances, axes: 2, tolerance: TOLERANCE } as const;
          for (let slot = 0; slot < pairCount; slot++) {
            hits += Number(expected.time[slot] < Infinity);
            const difference = impactDifference(compared, slot);
            if (difference) faults.push(`seed ${seed}, pair ${slot}: ${difference}`);
          }
        }
        expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(
          mostOf(mode.options, MOST_OF_SCENES) * scenes * pairCount,
        );
        expect(hits).toBeGreaterThan(20 * scenes);
        usePlanarShapesOf({ ...before, shapes: [] }, [tester, reference], before);
      },
    );
  });
});
