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

/** Whether two results have points of a slot in one plane at right angles to the normal. */
function isSamePoint(found: Impacts, expected: Impacts, slot: number): boolean {
  const heights = [found, expected].map(({ point }) =>
    [0, 1, 2].reduce((sum, k) => sum + point[3 * slot + k] * expected.normal[3 * slot + k], 0),
  );
  return Math.abs(heights[0] - heights[1]) <= TOLERANCE;
}

/** Whether a ground is flat, and the body over it without a surface: in f32, these have one contact at the start too. */
function isFlat(name: string): boolean {
  return /over (sheet|front|tiles|small tiles),/.test(name) && !name.startsWith('four blocks');
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

const ROOM = { maxBodies: 4, maxPairs: 4 };

/** What becomes of the falling bodies with this room. */
async function countsWith(tester: Tester, maxPartPairs: number) {
  using batch = await tester.createBatch({ query: 'impacts', ...ROOM, duration: 2, maxPartPairs });
  const { status } = await frame(batch, { bodies: FALLING.bodies, pairs: FALLING.pairs });
  const { partPairs, partPairOverflow } = await batch.readCounts();
  return { status: [...status], partPairs: partPairs!, partPairOverflow: partPairOverflow! };
}

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
        // Of several contacts at the start, the backends may take another one: those times are before 0.
        const difference = differenceIn(found, expected, slot, isFlat(name) ? 'unclampedTime' : 'time');
        return difference === undefined ? [] : [`${name}: ${difference}`];
      });
      expect(faults.filter(isFlat)).toEqual([]);
      expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(0.005 * count);
      // Where a surface replaces the normal, any point of the parts may be left.
      const points = names.filter((_, slot) => expected.time[slot] < Infinity && !isSamePoint(found, expected, slot));
      expect(points.length).toBeLessThan(0.05 * count);
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
    const device = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
    const cpu = await createTester({ backend: 'cpu', threads: 1 });
    useShapesOf(before, [device, cpu], undefined);
    const room = { maxBodies: BODIES, maxPairs: PAIRS, maxPartPairs: 20_000 };
    using batch = await device.createBatch({ query: 'impacts', ...room, ...options, duration: 0.4 });
    const faults: string[] = [];
    let hits = 0;
    let overlapping = 0;
    let others = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const scene = makePartsScene(seed, BODIES, PAIRS);
      useShapesOf(scene, [device, cpu], before);
      before = scene;
      await batch.prepare();
      const { angularVelocities: _, ...bodies } = scene.bodies;
      const found = await frame(batch, { bodies, pairs: scene.pairs });
      const expected = await cpu.impacts(bodies, scene.pairs, { ...options, duration: 0.4 });
      for (let slot = 0; slot < PAIRS; slot++) {
        if (!stops && Math.min(expected.time[slot], found.time[slot]) === 0) {
          // Where parts of compounds cross each other, the backends may keep other contacts at the start.
          overlapping++;
          others += Number(found.time[slot] !== expected.time[slot]);
          continue;
        }
        hits += Number(expected.time[slot] < Infinity);
        const difference = differenceIn(found, expected, slot, 'unclampedTime');
        if (difference !== undefined) faults.push(`seed ${seed}, pair ${slot}: ${difference}`);
      }
    }
    expect(faults).toEqual([]);
    expect(hits).toBeGreaterThan(200);
    expect(others).toBeLessThanOrEqual(0.02 * overlapping);
    device.dispose();
    cpu.dispose();
  });

  describe('bodies that fall', () => {
    const { bodies, pairs } = FALLING;
    beforeAll(() => useShapes(tester, FALLING.shapes));

    test('meet a mesh, a body and a half-space, in durations that change', async () => {
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, duration: 1 });
      const first = await frame(batch, { bodies, pairs });
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

    test('are invalid with what kernels refuse, and others beside them are not', async () => {
      using batch = await tester.createBatch({ query: 'impacts', ...ROOM, maxPairs: 7, duration: 1 });
      // Body 2 has no velocity, and there is no body 7.
      batch.write({ bodies, pairs: new Uint32Array(14) });
      const list = Uint32Array.of(0, 1, 1, 2, 3, 2, 0, 3, 0, 2, 2, 0, 7, 0);
      batch.device.queue.writeBuffer(batch.input.pairs!, 0, list);
      for (const bad of [NaN, Infinity, 2e30]) {
        batch.device.queue.writeBuffer(batch.input.velocities!, 2 * 32, Float32Array.of(0, bad, 0));
        submit(batch);
        const { status, time } = await batch.read();
        const [no, hit, invalid] = [Status.Separated, Status.Overlapping, Status.InvalidInput];
        expect([...status], `${bad}`).toEqual([hit, invalid, invalid, no, invalid, invalid, invalid]);
        expect([...time]).toEqual([expect.closeTo(0.5, 5), 0, 0, Infinity, 0, 0, 0]);
      }
    });

    test('are counted where there is no room for their parts, whole pairs of bodies at a time', async () => {
      const all = await countsWith(tester, 100);
      expect(all).toMatchObject({ partPairOverflow: 0, status: [1, 1, 1, 0] });
      // One each of the second and third pair, and none of the mesh and the half-space, which are apart.
      const ofFirst = all.partPairs - 2;
      expect(ofFirst).toBeGreaterThan(1);
      const full = Status.CapacityExceeded;
      expect(await countsWith(tester, ofFirst + 1)).toEqual({ ...all, partPairOverflow: 1, status: [1, 1, full, 0] });
      expect(await countsWith(tester, ofFirst)).toEqual({ ...all, partPairOverflow: 2, status: [1, full, full, 0] });
      expect(await countsWith(tester, 1)).toEqual({
        ...all,
        partPairOverflow: all.partPairs,
        status: [full, full, full, 0],
      });
    });

    test('meet a mesh that was added later', async () => {
      const later = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
      for (const shape of FALLING.shapes.slice(1)) later.addShape(shape);
      using batch = await later.createBatch({ query: 'impacts', ...ROOM, duration: 1 });
      const before = { ...bodies, shapes: Uint32Array.of(0, 0, 0, 1) };
      expect((await frame(batch, { bodies: before, pairs })).time[1]).toBeCloseTo(1, 5);
      later.addShape(FALLING.shapes[0]);
      await batch.prepare();
      const after = { ...bodies, shapes: Uint32Array.of(2, 0, 0, 1) };
      const { time } = await frame(batch, { bodies: after, pairs, duration: 2 });
      for (const [slot, expected] of [0.5, 1, 1.1, Infinity].entries()) expect(time[slot]).toBeCloseTo(expected, 5);
      later.dispose();
    });

    test.each(atNight([4], [4, 300]))('from far away, and over a mesh of %d by as many squares', async (side) => {
      const shapes = [
        { type: 'mesh', ...makeSheet(side, () => 0) },
        { type: 'box', halfExtents: [0.15, 0.15, 0.15] },
        { type: 'sphere', radius: 0 },
      ] as const;
      for (const each of [tester, reference]) useShapes(each, shapes);
      const moving = {
        shapes: Uint32Array.of(0, 1, 2),
        positions: Float32Array.of(0, 0, 0, 0, 0.14, 0, 600, 800, -0.3),
        quaternions: Float32Array.from({ length: 12 }, (_, i) => Number(i % 4 === 3)),
        linearVelocities: Float32Array.of(0, 0, 0, 1.3, -0.05, 1.3, -600, -800, 0.5),
      };
      const asked = { duration: Infinity, stopAtPenetration: false } as const;
      const room = { maxBodies: 3, maxPairs: 2, maxPartPairs: 100_000 };
      using batch = await tester.createBatch({ query: 'impacts', ...room, ...asked });
      const list = Uint32Array.of(0, 1, 2, 0);
      const found = await frame(batch, { bodies: moving, pairs: list });
      const expected = await reference.impacts(moving, list, asked);
      expect([...expected.status]).toEqual([Status.Overlapping, Status.Overlapping]);
      for (const slot of [0, 1]) expect(differenceIn(found, expected, slot, 'unclampedTime')).toBeUndefined();
      // More pairs of parts than contacts that may be compared: few of them touch at the start.
      if (side > 4) expect((await batch.readCounts()).partPairs).toBeGreaterThan(2 ** 14);
      useShapes(tester, FALLING.shapes);
    });
  });
});
