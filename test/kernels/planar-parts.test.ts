/** Chains and compounds in 2-D on a GPU beside the CPU backend, and in batches that do not take them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { makePlanarSurfaceFamilies } from '../../verification/families/planar-surface-families.ts';
import { isGhost, partsOfSurface } from '../../verification/judges/planar-surface-contacts.ts';
import { submit } from '../helpers/batch.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

let device: GPUDevice;
let tester: PlanarTester;
let reference: PlanarTester;
beforeAll(async () => {
  device = await openDefaultDevice('planar-parts.device');
  tester = await createTester({ device, dimension: 2 });
  reference = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
});
afterAll(() => {
  tester.dispose();
  reference.dispose();
  device.destroy();
});

const SEED = 5;
const CASES = 6;
const FIELDS = ['distance', 'normal', 'pointA', 'partA', 'partB'] as const;

test('all queries have the answers of the CPU backend, within the tolerance', async () => {
  let hits = 0;
  for (const family of makePlanarSurfaceFamilies(SEED, CASES)) {
    const { name, cases, shape } = family;
    const shapes = [shape, ...cases.map((each) => each.shape)];
    const ids = shapes.map((each) => tester.addShape(each));
    expect(shapes.map((each) => reference.addShape(each))).toEqual(ids);
    const bodies = {
      shapes: Uint32Array.from(ids),
      positions: Float32Array.of(0, 0, ...cases.flatMap(({ position }) => position)),
      angles: Float32Array.of(0, ...cases.map(({ angle }) => angle)),
      linearVelocities: Float32Array.from({ length: 2 * CASES + 2 }, (_, i) => (i < 2 ? 0 : i % 2 ? -1 : 0.5)),
    };
    const pairs = Uint32Array.from({ length: 2 * CASES }, (_, i) => (i % 2 ? 1 + (i >> 1) : 0));
    const both = [tester, reference] as const;
    const [one, other] = await Promise.all(
      both.map((each) => each.contacts(bodies, pairs, { fields: FIELDS, margin: 0.1 })),
    );
    const parts = partsOfSurface(family);
    for (let i = 0; i < CASES; i++) {
      const what = `${name} ${i}, seed ${SEED}`;
      expect(one.distance[i], what).toBeCloseTo(other.distance[i], 4);
      if (!(other.distance[i] < -1e-4)) continue;
      hits++;
      const [x, y] = [one.normal[2 * i], one.normal[2 * i + 1]];
      expect(isGhost(parts, Array.from(one.pointA.subarray(2 * i, 2 * i + 2)), [x, y]), what).toBe(false);
    }
    const lists = await Promise.all(both.map((each) => each.contacts(bodies, pairs, { parts: 'all' })));
    for (const slot of lists[0]) expect(isGhost(parts, slot.pointA, slot.normal), `${name} ${slot.pair}`).toBe(false);
    expect(Math.abs(lists[0].count - lists[1].count)).toBeLessThanOrEqual(0.05 * lists[1].count);
    const [gap, known] = await Promise.all(both.map((each) => each.distances(bodies, pairs)));
    const [met, meets] = await Promise.all(both.map((each) => each.intersects(bodies, pairs)));
    for (let i = 0; i < CASES; i++) expect(gap.distance[i]).toBeCloseTo(known.distance[i], 4);
    expect(Array.from(met.hit)).toEqual(Array.from(meets.hit));
    const up = { ...bodies, positions: bodies.positions.map((value, i) => (i > 2 && i % 2 ? value + 0.5 : value)) };
    for (const algorithm of ['auto', 'velocity-epa'] as const) {
      const [first, second] = await Promise.all(
        both.map((each) => each.impacts(up, pairs, { duration: 2, algorithm })),
      );
      for (let i = 0; i < CASES; i++) {
        if (second.time[i] === Infinity) expect(first.time[i]).toBe(Infinity);
        else expect(first.time[i]).toBeCloseTo(second.time[i], 4);
      }
      const [all, expected] = await Promise.all(
        both.map((each) => each.impacts(up, pairs, { duration: 2, algorithm, parts: 'all' })),
      );
      expect(Math.abs(all.count - expected.count)).toBeLessThanOrEqual(0.05 * expected.count + 1);
      if (family.plane) for (const { normal } of all) expect(normal[1], name).toBeGreaterThan(0.999);
    }
    const manifolds = await Promise.all(both.map((each) => each.manifolds(bodies, pairs)));
    for (const { points } of manifolds[0]) expect(points.length).toBeGreaterThan(0);
    for (const id of ids) for (const each of both) each.removeShape(id);
  }
  expect(hits).toBeGreaterThan(40);
});

test('in batches that do not take them, pairs with chains and compounds are invalid, others are answered', async () => {
  const ball = tester.addShape({ type: 'circle', radius: 1 });
  const chain = tester.addShape({ type: 'chain', points: [0, 0, 1, 0, 1, 1] });
  const compound = tester.addShape({ type: 'compound', parts: [{ shape: { type: 'circle', radius: 1 } }] });
  const bodies = {
    shapes: Uint32Array.of(ball, ball, chain, compound),
    positions: Float32Array.of(0, 0, 1.5, 0, 0, 0, 0, 0),
    angles: new Float32Array(4),
  };
  const batch = await tester.createBatch({ query: 'manifolds', maxBodies: 4, maxPairs: 3 });
  batch.write({ bodies, pairs: Uint32Array.of(0, 1, 0, 2, 3, 1) });
  submit(batch);
  const { status } = await batch.read();
  expect(Array.from(status)).toEqual([Status.Overlapping, Status.InvalidInput, Status.InvalidInput]);
  batch.dispose();
  const found = await tester.createBatch({ query: 'pairs', maxBodies: 4, maxPairs: 8 });
  found.write({ bodies });
  submit(found);
  const { pairs } = await found.read();
  expect(Array.from(pairs)).toEqual([0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]);
  found.dispose();
  for (const id of [ball, chain, compound]) tester.removeShape(id);
});

test('prepare compiles what queries over parts need', async () => {
  const other = await createTester({ backend: 'webgpu', dimension: 2 });
  const chain = other.addShape({ type: 'chain', points: [-1, 0, 0, 0, 1, 0] });
  const box = other.addShape({ type: 'rectangle', halfExtents: [0.5, 0.5] });
  await other.prepare({ query: 'contacts', parts: 'all' });
  const bodies = {
    shapes: Uint32Array.of(chain, box),
    positions: Float32Array.of(0, 0, 0.1, 0.4),
    angles: new Float32Array(2),
  };
  const { count } = await other.contacts(bodies, Uint32Array.of(0, 1), { parts: 'all' });
  expect(count).toBe(2);
  other.dispose();
});
