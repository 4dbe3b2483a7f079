/**
 * A batch of impacts gives what the tester's query gives, bit for bit, with points in the world, and goes along with
 * durations and velocities of its caller.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { packVelocities } from '../../verification/records/packed-bodies.ts';
import { Status, type Impacts, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { LIST_HEADER, layouts } from '../../src/wgsl.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { readBuffer, storageBuffer, submit, frame } from '../helpers/batch.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { columnsOf, movingFamily } from '../helpers/impacts.ts';
import { inMemory, withMemoryOf } from '../helpers/memory.ts';

const SEED = 20_261_305;
const PAIRS = 1200;
const NOTHING = 0xffff_ffff;

let device: GPUDevice;
let tester: Tester;

beforeAll(async () => {
  device = await openDefaultDevice('impacts-batch.device');
  tester = await createTester({ device });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

/**
 * Expects the tester's answer from a batch: the same bits but for the points, which the batch places on the GPU, in
 * f32, and the tester in double precision.
 */
function expectSame(found: Impacts, expected: Impacts, bodies: MovingBodies, pairs: Uint32Array): void {
  const { point: _, first, ...others } = columnsOf(found);
  const { point: __, first: firstOfAll, ...columns } = columnsOf(expected);
  expect(others).toEqual(columns);
  if (firstOfAll) {
    // A slot a body, of as many as there is room for.
    const slots = first as number[];
    const count = bodies.shapes.length;
    expect(slots.slice(0, count)).toEqual(firstOfAll);
    expect(slots.slice(count).every((slot) => slot === NOTHING)).toBe(true);
  } else {
    expect(first).toBeUndefined();
  }
  const off = Array.from(expected.pair, (pair, slot) => {
    const a = pairs[2 * pair];
    const moved = Number.isFinite(expected.unclampedTime[slot]) ? expected.unclampedTime[slot] : 0;
    return Math.max(
      ...[0, 1, 2].map((k) => {
        const size =
          Math.abs(expected.point[3 * slot + k]) +
          Math.abs(bodies.positions![3 * a + k]) +
          Math.abs(moved * bodies.linearVelocities[3 * a + k]);
        return Math.abs(found.point[3 * slot + k] - expected.point[3 * slot + k]) / (size || 1);
      }),
    );
  });
  expect(Math.max(0, ...off)).toBeLessThanOrEqual(4 * F32_ROUNDING);
}

/** Every body in several pairs, so that a first impact is one of many. */
function crowded(pairs: Uint32Array): Uint32Array {
  const bodies = pairs.length;
  const more = Array.from({ length: 2 * pairs.length }, (_, i) =>
    i % 2 === 0 ? i / 2 : (i / 2 + 1 + (i % 7)) % bodies,
  ).map(Math.floor);
  return Uint32Array.from([
    ...pairs,
    ...more.flatMap((body, i) => (i % 2 === 0 && more[i + 1] !== body ? [body, more[i + 1]] : [])),
  ]);
}

describe.each([
  ['box-box', false],
  ['rounded-box-hull', false],
  ['rounded-box-hull', true],
] as const)('%s, turning: %s', (name, turning) => {
  const family = movingFamily(name, PAIRS, SEED, { isTurning: turning });
  const { bodies, duration } = family;
  const pairs = crowded(family.pairs);
  const room = { maxBodies: 2 * PAIRS + 10, maxPairs: pairs.length / 2 + 100 };

  beforeAll(() => useShapes(tester, family.shapes));

  test.each(['all', 'hits', 'earliest'] as const)("results: '%s' are the tester's", async (results) => {
    const expected = await tester.impacts(bodies, pairs, { duration, results });
    const batch = await tester.createBatch({ query: 'impacts', duration, turning, results, ...room });
    const found = await frame(batch, { bodies, pairs });
    expectSame(found, expected, bodies, pairs);
    expect(found.count).toBeGreaterThan(PAIRS / 2);
    expect([...found].length).toBe(found.count);
    const counts = await batch.readCounts();
    expect(counts).toMatchObject({
      pairs: pairs.length / 2,
      pairOverflow: 0,
      hitOverflow: 0,
      statusCounts: expected.statusCounts,
    });
    if (results !== 'all') expect(counts.hits).toBe(expected.count);
    expect(found.first?.length).toBe(results === 'earliest' ? room.maxBodies : undefined);
    batch.dispose();
  });

  test('by GJK, with a margin, into a target', async () => {
    const options = { duration, algorithm: 'cast', margin: 0.0625 } as const;
    const expected = await tester.impacts(bodies, pairs, options);
    const batch = await tester.createBatch({ query: 'impacts', turning, ...options, ...room });
    const target = await tester.impacts(bodies, pairs, { duration: 0 });
    const found = await frame(batch, { bodies, pairs }, { target });
    expectSame(found, expected, bodies, pairs);
    expect(found.time.buffer).toBe(target.time.buffer);
    batch.dispose();
  });

  test('the output holds records relative to A where it is at the unclamped time, hits and first impacts', async () => {
    const batch = await tester.createBatch({ query: 'impacts', duration, turning, results: 'earliest', ...room });
    const found = await frame(batch, { bodies, pairs });
    const words = layouts.Impact.size / 4;
    const { normal, unclampedTime, point, info } = layouts.Impact.fields;
    const floats = new Float32Array(await readBuffer(device, batch.output.records, layouts.Impact.size * found.count));
    const integers = new Uint32Array(floats.buffer);
    const hits = new Uint32Array(await readBuffer(device, batch.output.hits!));
    expect(hits[1]).toBe(found.count);
    expect(Array.from(hits.subarray(LIST_HEADER, LIST_HEADER + found.count))).toEqual(Array.from(found.pair));
    for (let slot = 0; slot < found.count; slot++) {
      const at = words * slot;
      const a = pairs[2 * found.pair[slot]];
      expect(integers[at + info.offset / 4] & 7).toBe(found.status[slot]);
      expect(floats[at + unclampedTime.offset / 4]).toBe(found.unclampedTime[slot]);
      const moved = Number.isFinite(found.unclampedTime[slot]) ? found.unclampedTime[slot] : 0;
      for (let k = 0; k < 3; k++) {
        expect(floats[at + normal.offset / 4 + k]).toBe(found.normal[3 * slot + k]);
        if (found.status[slot] !== Status.Overlapping) continue;
        const inWorld =
          bodies.positions[3 * a + k] + bodies.linearVelocities[3 * a + k] * moved + floats[at + point.offset / 4 + k];
        expect(Math.abs(found.point[3 * slot + k] - inWorld)).toBeLessThanOrEqual(
          4 * F32_ROUNDING * (20 + Math.abs(bodies.linearVelocities[3 * a + k] * moved)),
        );
      }
    }
    // Pairs on the GPU, slots on the host.
    const first = new Uint32Array(await readBuffer(device, batch.output.first!));
    expect(first.length).toBe(room.maxBodies);
    expect(Array.from(first, (pair) => (pair === NOTHING ? NOTHING : found.pair.indexOf(pair)))).toEqual(
      Array.from(found.first!),
    );
    expect(Array.from(first).filter((pair) => pair !== NOTHING).length).toBeGreaterThan(PAIRS);
    batch.dispose();
  });
});

describe('frames', () => {
  const family = movingFamily('box-box', 300, SEED + 1, { isTurning: true });
  const { pairs, duration } = family;
  const { angularVelocities, ...straight } = family.bodies;

  beforeAll(() => useShapes(tester, family.shapes));

  test('the duration changes with a write, alone or with others, and stays', async () => {
    const batch = await tester.createBatch({ query: 'impacts', duration, maxBodies: 600, maxPairs: 300 });
    const expected = (seconds: number, list = pairs) => tester.impacts(straight, list, { duration: seconds });
    expectSame(await frame(batch, { bodies: straight, pairs }), await expected(duration), straight, pairs);
    for (const seconds of [0, 0.1, 2, Infinity]) {
      expectSame(await frame(batch, { duration: seconds }), await expected(seconds), straight, pairs);
      const fewer = pairs.subarray(0, 200);
      expectSame(await frame(batch, { pairs: fewer }), await expected(seconds, fewer), straight, pairs);
      expectSame(await frame(batch, { pairs, duration: 0.25 }), await expected(0.25), straight, pairs);
    }
    expect((await expected(0)).statusCounts).not.toEqual((await expected(2)).statusCounts);
    batch.dispose();
  });

  test('a read under way keeps the duration and the velocities of its frame', async () => {
    const batch = await tester.createBatch({ query: 'impacts', duration, maxBodies: 600, maxPairs: 300 });
    const moved = { ...straight, linearVelocities: straight.linearVelocities.map((x) => -x) };
    batch.write({ bodies: straight, pairs });
    submit(batch as never);
    const first = batch.read();
    batch.write({ bodies: moved, duration: 2 * duration });
    submit(batch as never);
    const second = batch.read();
    expectSame(await first, await tester.impacts(straight, pairs, { duration }), straight, pairs);
    expectSame(await second, await tester.impacts(moved, pairs, { duration: 2 * duration }), moved, pairs);
    batch.dispose();
  });

  test('bodies that do not turn in a batch that has turning are as others', async () => {
    const batch = await tester.createBatch({
      query: 'impacts',
      duration,
      turning: true,
      maxBodies: 600,
      maxPairs: 300,
    });
    const still = { ...straight, angularVelocities: new Float32Array(1800) };
    expectSame(
      await frame(batch, { bodies: straight, pairs }),
      await tester.impacts(still, pairs, { duration }),
      straight,
      pairs,
    );
    const turning = { ...straight, angularVelocities } as MovingBodies;
    expectSame(
      await frame(batch, { bodies: turning }),
      await tester.impacts(family.bodies, pairs, { duration }),
      turning,
      pairs,
    );
    batch.dispose();
  });

  test('bodies that nobody wrote are invalid, no pairs give nothing, and too many are counted', async () => {
    const batch = await tester.createBatch({
      query: 'impacts',
      duration,
      maxBodies: 600,
      maxPairs: 300,
      results: 'earliest',
    });
    expect(await batch.read()).toMatchObject({ count: 0, statusCounts: [0, 0, 0, 0, 0] });
    const unknown = await frame(batch, { pairs });
    expect([unknown.count, ...unknown.statusCounts]).toEqual([0, 0, 0, 0, 300, 0]);
    expect(new Set(unknown.first)).toEqual(new Set([NOTHING]));
    expect((await frame(batch, { bodies: straight })).count).toBeGreaterThan(50);
    const none = await frame(batch, { pairs: new Uint32Array(0) });
    expect([none.count, ...none.statusCounts]).toEqual([0, 0, 0, 0, 0, 0]);
    // What the frame before found is forgotten.
    expect(new Set(none.first)).toEqual(new Set([NOTHING]));
    batch.dispose();
  });

  test.each(['hits', 'earliest'] as const)(
    "with less room than results: '%s' need the first of them are kept, and the others counted",
    async (results) => {
      const all = await tester.impacts(straight, pairs, { duration, results });
      const batch = await tester.createBatch({
        query: 'impacts',
        duration,
        maxBodies: 600,
        maxPairs: 300,
        maxHits: 20,
        results,
      });
      const found = await frame(batch, { bodies: straight, pairs });
      expect(found.count).toBe(20);
      expect(Array.from(found.pair)).toEqual(Array.from(all.pair.subarray(0, 20)));
      expect(Array.from(found.time)).toEqual(Array.from(all.time.subarray(0, 20)));
      expect(await batch.readCounts()).toMatchObject({
        hits: all.count,
        hitOverflow: all.count - 20,
        statusCounts: all.statusCounts,
      });
      // A body whose first impact had no room has no slot.
      if (results === 'earliest')
        expect(Array.from(found.first!, (slot) => slot)).toEqual(
          Array.from(all.first!, (slot) => (slot < 20 ? slot : NOTHING)),
        );
      batch.dispose();
    },
  );
});

describe('velocities of the caller', () => {
  const family = movingFamily('capsule-hull', 400, SEED + 2, { isTurning: true });
  const { bodies, pairs, duration } = family;

  test('are read in place, and the bodies come from the batch or the caller', async () => {
    useShapes(tester, family.shapes);
    await withoutErrors(device, async () => {
      const velocities = storageBuffer(
        device,
        'test.velocities',
        packVelocities({ linear: bodies.linearVelocities, angular: bodies.angularVelocities, duration: 0 }, dimension3),
      );
      const shapes = storageBuffer(device, 'test.shapes', bodies.shapes as Uint32Array<ArrayBuffer>);
      const room = { maxBodies: bodies.shapes.length, maxPairs: pairs.length / 2 };
      const expected = await tester.impacts(bodies, pairs, { duration });
      expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(100);
      const { linearVelocities: _, angularVelocities: __, ...still } = bodies;
      const own = await tester.createBatch({ query: 'impacts', duration, turning: true, velocities, ...room });
      expect(own.input.velocities).toBe(velocities);
      expectSame(await frame(own, { bodies: still as MovingBodies, pairs }), expected, bodies, pairs);
      const all = await tester.createBatch({
        query: 'impacts',
        duration,
        turning: true,
        velocities,
        poses: own.input.poses,
        shapes,
        ...room,
      });
      expectSame(await frame(all, { pairs }), expected, bodies, pairs);
      own.dispose();
      all.dispose();
      // They outlive the batch.
      expect(new Float32Array(await readBuffer(device, velocities)).some((x) => x !== 0)).toBe(true);
    });
  });

  test('may be written on the GPU between two frames, into the buffer of the batch too', async () => {
    useShapes(tester, family.shapes);
    await withoutErrors(device, async () => {
      const batch = await tester.createBatch({
        query: 'impacts',
        duration,
        turning: true,
        maxBodies: bodies.shapes.length,
        maxPairs: pairs.length / 2,
      });
      await frame(batch, { bodies, pairs });
      const turned = {
        ...bodies,
        linearVelocities: bodies.linearVelocities.map((x) => -x),
        angularVelocities: bodies.angularVelocities!.map((x) => -x),
      };
      const staged = storageBuffer(
        device,
        'test.staged',
        packVelocities({ linear: turned.linearVelocities, angular: turned.angularVelocities, duration: 0 }, dimension3),
      );
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(staged, 0, batch.input.velocities!, 0, staged.size);
      batch.encode(encoder);
      device.queue.submit([encoder.finish()]);
      const { point: _, ...found } = columnsOf(await batch.read());
      const { point: __, ...expected } = columnsOf(await tester.impacts(turned, pairs, { duration }));
      expect(found).toEqual(expected);
      batch.dispose();
    });
  });
});

function inShared(bodies: MovingBodies): MovingBodies {
  return { ...bodies, quaternions: inMemory(bodies.quaternions!, 'a SharedArrayBuffer') } as MovingBodies;
}

test('a write that there is no memory for changes nothing', async () => {
  const ball = tester.addShape({ type: 'sphere', radius: 0.5 });
  const count = 2000;
  const numbers = (width: number, valueOf: (body: number, axis: number) => number): Float32Array =>
    Float32Array.from({ length: width * count }, (_, i) => valueOf(Math.floor(i / width), i % width));
  const moving = (speed: number): MovingBodies => ({
    shapes: new Uint32Array(count).fill(ball),
    positions: numbers(3, (body, axis) => (axis === 0 ? 2 * body : 0)),
    quaternions: numbers(4, (_, axis) => Number(axis === 3)),
    linearVelocities: numbers(3, (body, axis) => (axis === 0 ? speed * (0.5 - (body % 2)) : 0)),
  });
  const pairs = Uint32Array.from({ length: count }, (_, i) => i);
  const open = () => tester.createBatch({ query: 'impacts', maxBodies: count, maxPairs: count / 2, duration: 2 });
  const batch = await open();
  const before = await frame(batch, { bodies: moving(1), pairs });
  expect(before.statusCounts[Status.Overlapping]).toBe(count / 2);
  const unwritten = await open();
  const none = await frame(unwritten, { pairs });
  expect(none.statusCounts[Status.InvalidInput]).toBe(count / 2);
  const fewer = pairs.slice(2);
  const shared = inMemory(fewer, 'a SharedArrayBuffer');
  for (const [bytes, into, given, expected] of [
    // The refused bytes are those of copies of shared memory.
    [16 * count - 4, unwritten, { bodies: inShared(moving(0.25)), pairs: fewer, duration: 0.5 }, none],
    [4 * fewer.length - 4, batch, { pairs: shared, duration: 0.5 }, before],
  ] as const) {
    const refused = withMemoryOf(bytes, async () => into.write(given));
    await expect(refused).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    submit(into as never);
    expect(columnsOf(await into.read())).toEqual(columnsOf(expected));
  }
  unwritten.dispose();
  // Later writes allocate nothing but parameters of kernels.
  const again = moving(1);
  const given = { bodies: { ...again, angularVelocities: undefined }, pairs, duration: 2 };
  await withMemoryOf(64, async () => batch.write(given));
  submit(batch as never);
  expect(columnsOf(await batch.read())).toEqual(columnsOf(before));
  expect((await frame(batch, { bodies: moving(1), pairs: shared, duration: 0.5 })).count).toBe(count / 2 - 1);
  batch.dispose();
  tester.removeShape(ball);
});
