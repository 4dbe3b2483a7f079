/** Batches with compounds and meshes: the device finds the pairs of parts, answers them and joins their answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { makePartsScene } from '../../verification/families/parts-scene.ts';
import { differences, frame, submit } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { bodiesOf, compareBatches, placed, useShapesOf } from '../helpers/part-batches.ts';

let reference: Tester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => reference?.dispose());

const FLOOR: ShapeDescription = {
  type: 'mesh',
  positions: new Float32Array([-5, 0, -5, -5, 0, 5, 5, 0, 5, 5, 0, -5]),
  indices: new Uint32Array([0, 1, 2, 0, 2, 3]),
};
const BOX: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
const TABLE: ShapeDescription = {
  type: 'compound',
  parts: [
    { shape: { type: 'box', halfExtents: [1, 0.05, 0.6] }, position: [0, 0.7, 0] },
    { shape: { type: 'cylinder', halfHeight: 0.35, radius: 0.05 }, position: [0.9, 0.35, 0] },
  ],
};

/** In CI those of graphics cards: test/browser/pairs.slow.test.ts has those of software adapters. */
const ADAPTERS = [
  ['software', undefined, 1000],
  ['hardware', HARDWARE.info, atNight(8, 200)],
] as const;

describe.each(ADAPTERS.slice(atNight(1, 0)))('with the numbers of %s', (_name, info, scenes) => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu', gpu: info && keepDevices({ info }).gpu });
  });
  afterAll(() => tester?.dispose());

  test('random scenes have the answers of the CPU backend, and the same bits on every run', async () => {
    const { pairs, hits, borderline, partPairs, faults } = await compareBatches(tester, reference, {
      firstSeed: 1,
      scenes,
    });
    console.log(
      `${scenes} scenes: ${pairs} pairs, ${hits} hits, ${borderline} borderline, ${partPairs} pairs of parts`,
    );
    expect(faults).toEqual([]);
    expect(hits).toBeGreaterThan(0.08 * pairs);
    expect(borderline).toBeLessThan(0.001 * pairs);
    expect(partPairs).toBeGreaterThan(0.5 * pairs);
  });

  test('a workgroup takes several pairs, where there are many', async () => {
    const count = 3000;
    const scene = makePartsScene(7, 150, count);
    useShapesOf(scene, [tester, reference], undefined);
    const what = { query: 'intersects', maxBodies: 150, maxPairs: 2 * count } as const;
    const batch = await tester.createBatch(what);
    const { pairs } = scene;
    const found = await frame(batch, { bodies: bodiesOf(scene), pairs });
    const expected = await reference.intersects(bodiesOf(scene), pairs);
    const differing = Array.from(pairs.subarray(0, count), (_, i) => i).filter((i) => found.hit[i] !== expected.hit[i]);
    // Those on the border.
    expect(differing.length).toBeLessThan(3);
    expect(expected.hits).toBeGreaterThan(200);
    batch.dispose();
    useShapesOf({ ...scene, shapes: [] }, [tester, reference], scene);
  });
});

describe('a batch', () => {
  let tester: Tester;
  let ids: { floor: number; box: number; table: number };
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu' });
    ids = { floor: tester.addShape(FLOOR), box: tester.addShape(BOX), table: tester.addShape(TABLE) };
  });
  afterAll(() => tester?.dispose());

  test('answers a box on a floor of two triangles, either way round', async () => {
    const { floor, box } = ids;
    const batch = await tester.createBatch({ query: 'intersects', maxBodies: 3, maxPairs: 4 });
    const bodies = placed([floor, box, box], [0, 0, 0, 1, 0.4, 0, 1, 0.6, 3]);
    const { hit, status } = await frame(batch, { bodies, pairs: Uint32Array.of(0, 1, 0, 2, 1, 2, 1, 0) });
    expect([...hit]).toEqual([1, 0, 0, 1]);
    expect([...status]).toEqual([Status.Overlapping, Status.Separated, Status.Separated, Status.Overlapping]);
    // The box on the diagonal meets the boxes of both triangles; the two boxes are one pair.
    expect(await batch.readCounts()).toMatchObject({ pairs: 4, hits: 2, partPairs: 5, partPairOverflow: 0 });
    batch.dispose();
  });

  test('keeps whole pairs of bodies, the lowest indices, and says what it left out', async () => {
    const { floor, box } = ids;
    const what = { query: 'intersects', maxBodies: 3, maxPairs: 6 } as const;
    const bodies = placed([floor, box, box], [0, 0, 0, 1, 0.4, 1, 1, 0.6, 3]);
    // 2, 0, 1, 2, 2 pairs of parts.
    const pairs = Uint32Array.of(0, 1, 0, 2, 1, 2, 1, 0, 0, 1);
    const { Overlapping, Separated, CapacityExceeded } = Status;
    const cases = [
      [1, 7, [CapacityExceeded, Separated, CapacityExceeded, CapacityExceeded, CapacityExceeded]],
      [2, 5, [Overlapping, Separated, CapacityExceeded, CapacityExceeded, CapacityExceeded]],
      [3, 4, [Overlapping, Separated, Separated, CapacityExceeded, CapacityExceeded]],
      [4, 4, [Overlapping, Separated, Separated, CapacityExceeded, CapacityExceeded]],
      [6, 2, [Overlapping, Separated, Separated, Overlapping, CapacityExceeded]],
      [7, 0, [Overlapping, Separated, Separated, Overlapping, Overlapping]],
    ] as const;
    for (const [maxPartPairs, partPairOverflow, expected] of cases) {
      const batch = await tester.createBatch({ ...what, maxPartPairs });
      const { status } = await frame(batch, { bodies, pairs });
      expect([...status], `${maxPartPairs}`).toEqual(expected);
      const lost = expected.filter((each) => each === CapacityExceeded).length;
      const { partPairs, ...counts } = await batch.readCounts();
      expect(partPairs).toBe(7);
      expect(counts).toMatchObject({ partPairOverflow });
      expect(counts.statusCounts[CapacityExceeded]).toBe(lost);
      // A frame with less to do on the memory of this one.
      const after = await frame(batch, { pairs: Uint32Array.of(0, 2) });
      expect([...after.status]).toEqual([Separated]);
      expect(await batch.readCounts()).toMatchObject({ pairs: 1, partPairs: 0, partPairOverflow: 0 });
      await frame(batch, { pairs: new Uint32Array(0) });
      expect(await batch.readCounts()).toMatchObject({ pairs: 0, partPairs: 0, partPairOverflow: 0 });
      batch.dispose();
    }
  });

  test('finds the pairs of resident bodies, and lists the hits', async () => {
    const { floor, box, table } = ids;
    const bodies = placed([floor, box, table, table], [0, 0, 0, 1, 0.4, 0, -2, 0, 0, -2, 3, 0]);
    const handle = await tester.createBodies(bodies);
    const batch = await tester.createBatch({
      query: 'intersects',
      bodies: handle,
      maxPairs: 10,
      broadPhase: true,
      results: 'hits',
    });
    const hits = async (): Promise<number[][]> => {
      submit(batch);
      const { a, b } = await batch.read({ bodies: true });
      return Array.from(a, (each, i) => [each, b[i]]);
    };
    expect(await hits()).toEqual([
      [0, 1],
      [0, 2],
    ]);
    // The leg of the second table goes through the top of the first.
    handle.write({ positions: Float32Array.of(0, 0, 0, 1, 2, 0, -2, 1, 0, -2.5, 1.5, 0) });
    expect(await hits()).toEqual([[2, 3]]);
    batch.dispose();
    handle.dispose();
  });

  test('says which bodies are invalid, and answers the others', async () => {
    const { floor, box, table } = ids;
    const batch = await tester.createBatch({ query: 'intersects', maxBodies: 6, maxPairs: 5 });
    const bodies = placed([floor, box, table, box], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const pairs = Uint32Array.of(0, 1, 0, 2, 0, 3, 1, 3, 2, 2);
    await frame(batch, { bodies, pairs });
    // As a caller's own buffers might have them.
    const { queue } = batch.device;
    queue.writeBuffer(batch.input.shapes, 4, Uint32Array.of(77));
    queue.writeBuffer(batch.input.poses, 2 * 32, Float32Array.of(NaN, 0, 0, 1));
    queue.writeBuffer(batch.input.pairs, 4 * 4, Uint32Array.of(0, 3_000_000_000));
    submit(batch);
    const { status } = await batch.read();
    expect([...status]).toEqual(Array(5).fill(Status.InvalidInput));
    queue.writeBuffer(batch.input.pairs, 4 * 4, Uint32Array.of(0, 3));
    submit(batch);
    expect((await batch.read()).status[2]).toBe(Status.Overlapping);
    batch.dispose();
  });

  test('takes meshes that are added later, once it is prepared, and forgets those that are removed', async () => {
    const other = await createTester({ backend: 'webgpu' });
    const box = other.addShape(BOX);
    const batch = await other.createBatch({ query: 'intersects', maxBodies: 2, maxPairs: 1 });
    const pairs = Uint32Array.of(0, 1);
    const first = await frame(batch, { bodies: placed([box, box], [0, 0, 0, 0.5, 0, 0]), pairs });
    expect([...first.hit]).toEqual([1]);
    expect(await batch.readCounts()).toMatchObject({ partPairs: 0, partPairOverflow: 0 });
    const floor = other.addShape(FLOOR);
    expect(() => submit(batch)).toThrow('expected await batch.prepare() before encode');
    await batch.prepare();
    const bodies = placed([floor, box], [0, 0, 0, 1, 0.4, 0]);
    expect([...(await frame(batch, { bodies })).hit]).toEqual([1]);
    // Another mesh has its tree built first, though the kernels are there.
    const second = other.addShape({
      ...FLOOR,
      positions: (FLOOR.positions as Float32Array).map((x) => x + 3),
    } as never);
    expect(() => submit(batch)).toThrow('expected await batch.prepare() before encode');
    await batch.prepare();
    expect([...(await frame(batch, { bodies: placed([second, box], [0, 0, 0, 1, 3.4, 0]) })).hit]).toEqual([1]);
    other.removeShape(floor);
    batch.write({ bodies: placed([second, box], [0, 0, 0, 1, 3.6, 0]) });
    submit(batch);
    expect([...(await batch.read()).hit]).toEqual([0]);
    other.dispose();
  });

  test('has the same bits in any frame, whatever the frames before left', async () => {
    const other = await createTester({ backend: 'webgpu' });
    const scenes = [3, 4, 5].map((seed) => makePartsScene(seed, 16, 60));
    // One table of shapes: the scenes differ in their bodies.
    useShapesOf(scenes[0], [other], undefined);
    const what = { query: 'intersects', maxBodies: 16, maxPairs: 60, maxPartPairs: 90, margin: 0.3 } as const;
    const alone = [];
    for (const scene of scenes) {
      const batch = await other.createBatch(what);
      alone.push(await frame(batch, { bodies: bodiesOf(scene), pairs: scene.pairs }));
      batch.dispose();
    }
    const batch = await other.createBatch({ ...what, warmStart: true });
    const reused = await other.createBatch(what);
    for (const i of [0, 1, 2, 1, 0, 2, 2]) {
      const data = { bodies: bodiesOf(scenes[i]), pairs: scenes[i].pairs };
      expect(differences(await frame(reused, data), alone[i]), `scene ${i}`).toEqual([]);
      const warm = await frame(batch, data);
      expect([...warm.hit], `scene ${i}, warm`).toEqual([...alone[i].hit]);
    }
    expect(alone.some(({ statusCounts }) => statusCounts[Status.CapacityExceeded] > 0)).toBe(true);
    other.dispose();
  });

  test('tells two large meshes in one place apart from a hang', async () => {
    const other = await createTester({ backend: 'webgpu' });
    const positions = Float32Array.from({ length: 3 * 81 }, (_, i) => Math.sin(7.1 * i) + (i % 3));
    const indices = Uint32Array.from({ length: 3 * 1500 }, (_, i) => (i * 37 + Math.floor(i / 81)) % 81);
    const soup = other.addShape({ type: 'mesh', positions, indices });
    const batch = await other.createBatch({
      query: 'intersects',
      maxBodies: 2,
      maxPairs: 1,
      margin: Infinity,
      maxPartPairs: 100,
    });
    const { status } = await frame(batch, {
      bodies: placed([soup, soup], [0, 0, 0, 0, 0, 0]),
      pairs: Uint32Array.of(0, 1),
    });
    expect([...status]).toEqual([Status.CapacityExceeded]);
    const { partPairs, partPairOverflow } = await batch.readCounts();
    expect(partPairs).toBe(1500 ** 2);
    expect(partPairOverflow).toBe(partPairs);
    other.dispose();
  });
});

test('maxPartPairs is refused where nothing has parts', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  const planar = await createTester({ backend: 'webgpu', dimension: 2 });
  const what = { maxBodies: 2, maxPairs: 2, maxPartPairs: 8 };
  const refusals = [
    [
      tester.createBatch({ ...what, query: 'manifolds' }),
      "options.maxPartPairs is 8, expected undefined, or options.parts: 'all' too",
    ],
    [
      tester.createBatch({ ...what, query: 'manifolds', parts: 'all' }),
      "options.results is undefined, expected 'hits', as there are options.parts",
    ],
    [
      tester.createBatch({ ...what, query: 'intersects', results: 'hits', parts: 'all' } as never),
      'options.parts is "all", expected undefined for intersects',
    ],
    [
      tester.createBatch({ ...what, query: 'contacts', results: 'hits', parts: 'deciding' } as never),
      'options.parts is "deciding", expected \'all\'',
    ],
    [
      tester.createBatch({ ...what, query: 'pairs' } as never),
      'options.maxPartPairs is 8, expected undefined for pairs',
    ],
    [
      planar.createBatch({ ...what, query: 'manifolds' }),
      "options.maxPartPairs is 8, expected undefined, or options.parts: 'all' too",
    ],
    [
      tester.createBatch({ ...what, query: 'intersects', maxPartPairs: 0 }),
      'options.maxPartPairs is 0, expected a whole number from 1 up',
    ],
    [
      tester.createBatch({ ...what, query: 'intersects', maxPartPairs: 2 ** 31 }),
      'options.maxPartPairs is 2147483648, expected at most',
    ],
  ] as const;
  for (const [refused, message] of refusals) await expect(refused).rejects.toThrow(message);
  tester.dispose();
  planar.dispose();
});
