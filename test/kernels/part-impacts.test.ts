/** Batches of impacts with compounds and meshes beside the CPU backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Status, type Impacts, type Tester } from '../../src/api/types.ts';
import { createTester } from '../../src/node.ts';
import { makePartsScene } from '../../verification/families/parts-scene.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { frame, submit } from '../helpers/batch.ts';
import { columnsOf } from '../helpers/impacts.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { makeSheet } from '../helpers/meshes.ts';
import { atNight } from '../helpers/night.ts';
import { useShapesOf } from '../helpers/part-batches.ts';
import { makeSliders } from '../helpers/sliders.ts';

const SEED = 20_261_130;

/** Of bodies of about 1 unit at speeds of about 1. At night, there are curved ones among them. */
const TOLERANCE = 2e-3;

const MODES = [
  ['stop at penetration', {}],
  ['pass what they overlap', { stopAtPenetration: false }],
] as const;

let reference: Tester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => reference?.dispose());

/** How a slot differs from what is expected; undefined if it agrees. */
function differenceIn(
  found: Impacts,
  expected: Impacts,
  slot: number,
  column: 'time' | 'unclampedTime',
): string | undefined {
  const [a, b] = [found[column][slot], expected[column][slot]];
  if (found.status[slot] !== expected.status[slot]) return `status ${found.status[slot]} for ${expected.status[slot]}`;
  if (a !== b && !(Math.abs(a - b) <= TOLERANCE * (1 + Math.abs(b)))) return `time ${a} for ${b}`;
  const cosine = [0, 1, 2].reduce((sum, k) => sum + found.normal[3 * slot + k] * expected.normal[3 * slot + k], 0);
  return b < Infinity && cosine < 0.98 ? `normal ${found.normal.slice(3 * slot, 3 * slot + 3)}` : undefined;
}

/** One body falls on a mesh, one on another body, and one on a half-space. */
const FALLING = {
  shapes: [
    { type: 'mesh', ...makeSheet(4, () => 0) },
    { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
    { type: 'halfspace', normal: [0, 1, 0], offset: -1 },
  ],
  bodies: {
    shapes: Uint32Array.of(0, 1, 1, 2),
    positions: Float32Array.of(0, 0, 0, 0.1, 1.2, 0.1, 0.1, 3.6, 0.1, 0, 0, 0),
    quaternions: Float32Array.from({ length: 16 }, (_, i) => Number(i % 4 === 3)),
    linearVelocities: Float32Array.of(0, 0, 0, 0, -2, 0, 0, -4, 0, 0, 0, 0),
  },
  pairs: Uint32Array.of(0, 1, 1, 2, 3, 2, 0, 3),
} as const;

const ADAPTERS = [
  ['software', undefined],
  ['hardware', HARDWARE.info],
] as const;

describe.each(ADAPTERS.slice(0, atNight(1, 2)))('with the numbers of %s', (_name, info) => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
  });
  afterAll(() => tester?.dispose());

  test.each(MODES.flatMap(([mode, options]) => [0, 0.01].map((margin) => ({ mode, options, margin }))))(
    'bodies over grounds $mode, with a margin of $margin, as those of the CPU backend do',
    async ({ options, margin }) => {
      const count = atNight(400, 6000);
      const { shapes, bodies, pairs, names } = makeSliders(count, SEED, atNight(false, true));
      for (const each of [tester, reference]) useShapes(each, shapes);
      const asked = { ...options, margin, duration: 0.39 };
      const room = { maxBodies: bodies.shapes.length, maxPairs: count, maxPartPairs: Math.min(400 * count, 2 ** 20) };
      using batch = await tester.createBatch({ query: 'impacts', ...room, ...asked });
      const found = await frame(batch, { bodies, pairs });
      submit(batch);
      expect(columnsOf(await batch.read())).toEqual(columnsOf(found));
      const expected = await reference.impacts(bodies, pairs, asked);
      const faults = names.flatMap((name, slot) => {
        const difference = differenceIn(found, expected, slot, 'time');
        return difference === undefined ? [] : [`${name}: ${difference}`];
      });
      expect(faults).toEqual([]);
      expect(await batch.readCounts()).toMatchObject({ pairs: count, partPairOverflow: 0 });
      expect(found.statusCounts[Status.Overlapping]).toBeGreaterThan(count / 3);
      expect(found.statusCounts[Status.Separated]).toBeGreaterThan(count / 8);
    },
  );

  test.each(
    atNight(
      [],
      MODES.map(([mode, options]) => ({ mode, options })),
    ),
  )('bodies of random scenes $mode as those of the CPU backend do', async ({ options }) => {
    const [BODIES, PAIRS] = [16, 60];
    const stops = !('stopAtPenetration' in options);
    let before = makePartsScene(1, BODIES, PAIRS);
    useShapesOf(before, [tester, reference], undefined);
    const room = { maxBodies: BODIES, maxPairs: PAIRS, maxPartPairs: 20_000 };
    using batch = await tester.createBatch({ query: 'impacts', ...room, ...options, duration: 0.4 });
    const faults: string[] = [];
    let hits = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const scene = makePartsScene(seed, BODIES, PAIRS);
      useShapesOf(scene, [tester, reference], before);
      before = scene;
      await batch.prepare();
      const { angularVelocities: _, ...bodies } = scene.bodies;
      const found = await frame(batch, { bodies, pairs: scene.pairs });
      const expected = await reference.impacts(bodies, scene.pairs, { ...options, duration: 0.4 });
      for (let slot = 0; slot < PAIRS; slot++) {
        const overlap = Math.min(expected.unclampedTime[slot], found.unclampedTime[slot]) <= 0;
        // Where triangles of a soup or parts of a compound cross each other, the backends may keep other contacts at the start.
        if (!stops && overlap) continue;
        hits += Number(expected.time[slot] < Infinity);
        const difference = differenceIn(found, expected, slot, 'unclampedTime');
        if (difference !== undefined) faults.push(`seed ${seed}, pair ${slot}: ${difference}`);
      }
    }
    expect(faults).toEqual([]);
    expect(hits).toBeGreaterThan(200);
    useShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  });

  describe('bodies that fall', () => {
    const { bodies, pairs } = FALLING;
    const ROOM = { maxBodies: 4, maxPairs: 4 };
    beforeAll(() => useShapes(tester, FALLING.shapes));

    test('meet a mesh, a body and a half-space, in durations that change', async () => {
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, duration: 1 });
      const first = await frame(batch, { bodies, pairs });
      // Two half-spaces would be invalid; a half-space and a mesh are not.
      for (const [slot, time] of [0.5, 1, Infinity, Infinity].entries()) expect(first.time[slot]).toBeCloseTo(time, 5);
      const longer = await frame(batch, { bodies, pairs, duration: 2 });
      for (const [slot, time] of [0.5, 1, 1.1, Infinity].entries()) expect(longer.time[slot]).toBeCloseTo(time, 5);
      expect([...longer.normal.subarray(0, 3)]).toEqual([0, 1, 0]);
      const shorter = await frame(batch, { bodies, pairs, duration: 0.4 });
      expect([...shorter.time]).toEqual([Infinity, Infinity, Infinity, Infinity]);
      expect(shorter.statusCounts[Status.Separated]).toBe(4);
    });

    test('have their pairs found on the device', async () => {
      const options = { broadPhase: true, results: 'hits', duration: 2 } as const;
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, maxPairs: 10, ...options });
      batch.write({ bodies });
      submit(batch);
      const { count, a, b, time } = await batch.read({ bodies: true });
      const found = Array.from({ length: count }, (_, slot) => [
        a![slot],
        b![slot],
        Math.round(100 * time[slot]) / 100,
      ]);
      expect(found).toEqual([
        [0, 1, 0.5],
        [0, 2, 0.85],
        [1, 2, 1],
        [1, 3, 1],
        [2, 3, 1.1],
      ]);
    });

    test('have their first impacts', async () => {
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, results: 'earliest', duration: 2 });
      const { pair, first } = await frame(batch, { bodies, pairs });
      expect([...pair]).toEqual([0, 1, 2]);
      expect([...first!]).toEqual([0, 0, 1, 2]);
    });

    test('are invalid with velocities that are not finite, and beside them others are not', async () => {
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, duration: 1 });
      batch.write({ bodies, pairs });
      const bad = new Float32Array(12).fill(NaN, 6, 9);
      const velocities = new Float32Array(32);
      for (let body = 0; body < 4; body++) velocities.set(bad.subarray(3 * body, 3 * body + 3), 8 * body);
      batch.device.queue.writeBuffer(batch.input.velocities!, 0, velocities);
      submit(batch);
      const { status } = await batch.read();
      expect([...status]).toEqual([Status.Separated, Status.InvalidInput, Status.InvalidInput, Status.Separated]);
    });

    test('are counted where there is no room for their parts', async () => {
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, duration: 2, maxPartPairs: 1 });
      const found = await frame(batch, { bodies, pairs });
      // The mesh and the half-space are apart.
      expect([...found.status]).toEqual([...Array(3).fill(Status.CapacityExceeded), Status.Separated]);
      const { partPairs, partPairOverflow } = await batch.readCounts();
      expect(partPairs).toBe(partPairOverflow);
      expect(partPairs).toBeGreaterThan(4);
    });
  });
});

test('batches of bodies that turn take no meshes', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, FALLING.shapes);
  const options = { query: 'impacts', maxBodies: 4, maxPairs: 4, duration: 1, turning: true } as const;
  await expect(tester.createBatch({ ...options, maxPartPairs: 10 })).rejects.toThrow(
    'options.maxPartPairs is 10, expected undefined for impacts of bodies that turn',
  );
  using batch = await tester.createBatch(options);
  const { status } = await frame(batch, { bodies: FALLING.bodies, pairs: FALLING.pairs });
  expect([...status]).toEqual([Status.InvalidInput, Status.Overlapping, Status.Separated, Status.InvalidInput]);
  tester.dispose();
});
