/** Batches of distances with compounds and meshes: the nearest point, bounds, room, and frame after frame. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { frame } from '../helpers/batch.ts';
import { placed } from '../helpers/part-batches.ts';

const BOX: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };

let reference: Tester;
beforeAll(async () => {
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => reference?.dispose());

test('a batch says where a point is nearest to a mesh, and what lies beyond the margin', async () => {
  const other = await createTester({ backend: 'webgpu' });
  const cells = 40;
  const positions = new Float32Array(3 * (cells + 1) ** 2);
  for (let i = 0; i < positions.length / 3; i++) {
    const [x, z] = [(i % (cells + 1)) - cells / 2, Math.floor(i / (cells + 1)) - cells / 2];
    positions.set([x, Math.abs(x), z], 3 * i);
  }
  const indices = Uint32Array.from({ length: cells * cells }, (_, i) => i + Math.floor(i / cells)).reduce<number[]>(
    (all, at) => [...all, at, at + cells + 1, at + 1, at + 1, at + cells + 1, at + cells + 2],
    [],
  );
  const valley = other.addShape({ type: 'mesh', positions, indices });
  const point = other.addShape({ type: 'sphere', radius: 0 });
  const box = other.addShape(BOX);
  const bodies = placed([valley, point, point, box, box], [0, 0, 0, 3, 0, 0.25, 0, 7, 0.5, 1, 0.4, 0, 9, 30, 0]);
  const pairs = Uint32Array.of(0, 1, 2, 0, 0, 3, 4, 0, 1, 2);
  const all = await other.createBatch({ query: 'distances', maxBodies: 5, maxPairs: 6, maxPartPairs: 3200 });
  const { distance, status, pointA, normal } = await frame(all, { bodies, pairs });
  // The lower edge of the second box is at (9.5, 29.5), and the slope there is y = x.
  const expected = [1.5 * Math.SQRT2, 3.5 * Math.SQRT2, 0, 20 * Math.SQRT1_2, Math.hypot(3, 7, 0.25)];
  for (const [i, each] of expected.entries()) expect(distance[i], `${i}`).toBeCloseTo(each, 4);
  expect([...status].filter((each) => each === Status.Overlapping)).toHaveLength(1);
  expect([...pointA.subarray(0, 3)].map((x) => Math.round(1e4 * x))).toEqual([15000, 15000, 2500]);
  for (const [k, each] of [Math.SQRT1_2, -Math.SQRT1_2, 0].entries()) expect(normal[k]).toBeCloseTo(each, 5);
  const { partPairs } = await all.readCounts();
  console.log(`${partPairs} pairs of parts, of 4 times 3,200`);
  expect(partPairs).toBeLessThan(600);
  // Too far for the margin: a bound, and no triangle. Then too little room, from the pair on that has none.
  const near = await other.createBatch({ query: 'distances', maxBodies: 5, maxPairs: 6, margin: 2 });
  const bounded = await frame(near, { bodies, pairs });
  expect([...bounded.distance].map((d) => d > 2)).toEqual([true, true, false, true, true]);
  expect(bounded.distance[0]).toBeLessThan(expected[0]);
  const small = await other.createBatch({ query: 'distances', maxBodies: 5, maxPairs: 6, maxPartPairs: 1 });
  const cut = await frame(small, { bodies, pairs });
  expect(cut.status[0]).toBe(Status.CapacityExceeded);
  // What one pair of parts decides needs no room.
  expect([cut.status[2], cut.status[4]]).toEqual([status[2], status[4]]);
  expect(cut.distance[4]).toBe(distance[4]);
  other.dispose();
});

test('a batch lists the hits of a broad phase, warm, frame after frame, on ground that moves', async () => {
  const other = await createTester({ backend: 'webgpu' });
  const cells = 12;
  const flat = new Float32Array(3 * (cells + 1) ** 2);
  for (let i = 0; i < flat.length / 3; i++)
    flat.set([(i % (cells + 1)) - cells / 2, 0, Math.floor(i / (cells + 1)) - cells / 2], 3 * i);
  const indices = Uint32Array.from({ length: 6 * cells * cells }, (_, i) => {
    const at = Math.floor(i / 6) + Math.floor(Math.floor(i / 6) / cells);
    return at + [0, cells + 1, 1, 1, cells + 1, cells + 2][i % 6];
  });
  const ground: ShapeDescription = { type: 'mesh', positions: flat, indices };
  const shapes = [ground, BOX, { type: 'cone', radius: 0.5, halfHeight: 0.5 }] as ShapeDescription[];
  for (const each of [other, reference]) for (const shape of shapes) each.addShape(shape);
  const count = 40;
  const bodies = {
    shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 0 : 1 + (i % 2))),
    positions: Float32Array.from({ length: 3 * (count + 1) }, (_, i) => (i < 3 ? 0 : 2.5 + 2.5 * Math.sin(3.7 * i))),
    quaternions: Float32Array.from({ length: 4 * (count + 1) }, (_, i) => (i < 4 ? Number(i === 3) : Math.cos(i))),
  };
  const margin = 1;
  const room = { maxBodies: count + 1, maxPairs: 500, maxPartPairs: 20_000 };
  const batch = await other.createBatch({
    query: 'distances',
    ...room,
    margin,
    broadPhase: true,
    results: 'hits',
    warmStart: true,
  });
  const all: number[] = [];
  for (let i = 0; i <= count; i++) for (let j = i + 1; j <= count; j++) all.push(i, j);
  for (const height of [0, 0, 0.5, -1]) {
    const positions = flat.map((x, i) => (i % 3 === 1 ? height + 0.3 * Math.sin(i + height) : x));
    for (const each of [other, reference]) each.updateMesh(0, positions);
    await batch.prepare();
    const found = (await frame(batch, { bodies }, { bodies: true } as never)) as unknown as {
      count: number;
      a: Uint32Array;
      b: Uint32Array;
      distance: Float32Array;
    };
    const expected = await reference.distances(bodies, Uint32Array.from(all), { margin });
    const near = new Map<string, number>();
    for (const [i, d] of expected.distance.entries()) if (d <= margin) near.set(`${all[2 * i]} ${all[2 * i + 1]}`, d);
    expect(found.count).toBe(near.size);
    expect(found.count).toBeGreaterThan(count);
    for (let i = 0; i < found.count; i++)
      expect(Math.abs(found.distance[i] - near.get(`${found.a[i]} ${found.b[i]}`)!)).toBeLessThan(1e-4);
    expect(await batch.readCounts()).toMatchObject({ partPairOverflow: 0 });
  }
  for (let id = 0; id < shapes.length; id++) reference.removeShape(id);
  other.dispose();
});
