/** Compounds and meshes on a WebGPU tester: queries, which the CPU answers, and batches that refuse them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { submit } from '../helpers/batch.ts';
import { createRandom } from '../../verification/families/random.ts';
import { compareParts } from '../helpers/compare-parts.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

let device: GPUDevice;
let tester: Tester;
let reference: Tester;
beforeAll(async () => {
  device = await openDefaultDevice('parts.device');
  tester = await createTester({ device });
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => {
  tester.dispose();
  reference.dispose();
  device.destroy();
});

test('all queries have the answers of the CPU backend, within the tolerance', async () => {
  const seed = 20_261_125;
  const { answers, overlaps, faults } = await compareParts(tester, reference, seed);
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(answers).toBeGreaterThan(4000);
  expect(overlaps).toBeGreaterThan(500);
});

/** More than are answered at a time. */
const MIXED_PAIRS = 70_000;

test('the device answers pairs of convex bodies, and the CPU all others, whatever their order', async () => {
  const shapes = [
    { type: 'box', halfExtents: [1, 0.8, 0.6] },
    { type: 'sphere', radius: 0.7 },
    { type: 'mesh', positions: [-9, 0, -9, -9, 0, 9, 9, 0, 0], indices: [0, 1, 2] },
  ] as const;
  const both = [tester, reference];
  const [[box, ball, mesh]] = both.map((each) => shapes.map((shape) => each.addShape(shape)));
  const random = createRandom(7);
  const count = 400;
  const bodies = {
    shapes: Uint32Array.from({ length: count }, (_, i) => (i % 20 === 0 ? mesh : i % 2 ? box : ball)),
    positions: Float32Array.from({ length: 3 * count }, () => 5 * random() - 2.5),
    quaternions: Float32Array.from({ length: 4 * count }, () => random() - 0.5),
  };
  const pairs = Uint32Array.from({ length: 2 * MIXED_PAIRS }, () => Math.floor(count * random()));
  const isConvex = (pair: number): boolean =>
    bodies.shapes[pairs[2 * pair]] !== mesh && bodies.shapes[pairs[2 * pair + 1]] !== mesh;
  const convex = Uint32Array.from({ length: MIXED_PAIRS }, (_, pair) => pair).filter(isConvex);
  const ofConvex = Uint32Array.from({ length: 2 * convex.length }, (_, i) => pairs[2 * convex[i >> 1] + (i & 1)]);
  const fields = ['pair', 'distance', 'pointA'] as const;
  for (const results of ['all', 'hits'] as const) {
    const options = { margin: 0.1, fields, results };
    const mixed = await tester.contacts(bodies, pairs, options);
    const expected = await reference.contacts(bodies, pairs, options);
    const alone = await tester.contacts(bodies, ofConvex, options);
    const slots = new Map(Array.from(alone.pair, (index, slot) => [convex[index], slot]));
    const others = new Map(Array.from(expected.pair, (pair, slot) => [pair, slot]));
    for (let slot = 0; slot < mixed.count; slot++) {
      const pair = mixed.pair[slot];
      const [from, at] = isConvex(pair) ? [alone, slots.get(pair)!] : [expected, others.get(pair)!];
      if (mixed.distance[slot] !== from.distance[at] || mixed.pointA[3 * slot] !== from.pointA[3 * at])
        expect.fail(`${results}, pair ${pair}: ${mixed.distance[slot]}, ${from.distance[at]}`);
    }
    expect(mixed.pair).toEqual(mixed.pair.slice().sort());
    const ofMeshes = Array.from(expected.pair).filter((pair) => !isConvex(pair)).length;
    expect([mixed.count, ofMeshes > 1000]).toEqual([alone.count + ofMeshes, true]);
  }
  const listed = await tester.contacts(bodies, pairs, { parts: 'all', fields });
  const ofDevice = await tester.contacts(bodies, ofConvex, { results: 'hits', fields });
  expect(Array.from(listed.pair).filter(isConvex)).toEqual(Array.from(ofDevice.pair, (index) => convex[index]));
  expect(listed.distance.filter((_, slot) => isConvex(listed.pair[slot]))).toEqual(ofDevice.distance);
  for (const each of both) for (const id of [box, ball, mesh]) each.removeShape(id);
});

test('mixed queries have the answers of the CPU backend for all kinds of bodies, and its counts', async () => {
  const shapes = [
    { type: 'box', halfExtents: [1, 0.8, 0.6] },
    { type: 'halfspace', normal: [0, 1, 0], offset: -1 },
    { type: 'mesh', positions: [-9, 0, -9, -9, 0, 9, 9, 0, 0], indices: [0, 1, 2] },
  ] as const;
  const both = [tester, reference];
  const [[box, plane, mesh]] = both.map((each) => shapes.map((shape) => each.addShape(shape)));
  const random = createRandom(8);
  const count = 60;
  const positions = Float32Array.from({ length: 3 * count }, () => 5 * random() - 2.5);
  const bodies = {
    shapes: Uint32Array.from({ length: count }, (_, i) => (i === 0 ? plane : i < 4 ? mesh : box)),
    positions,
    quaternions: Float32Array.from({ length: 4 * count }, () => random() - 0.5),
    linearVelocities: Float32Array.from({ length: 3 * count }, () => random() - 0.5),
    angularVelocities: Float32Array.from({ length: 3 * count }, (_, i) => (i === 3 * count - 1 ? 1e9 : 0)),
  };
  const pairs = Uint32Array.from({ length: 600 }, (_, i) => (i % 2 ? 5 + Math.floor((count - 5) * random()) : i % 5));
  const handles = both.map((each) => each.createBodies(bodies));
  const forms = [
    () => [bodies, bodies],
    () => [{ ...bodies, positions: Float64Array.from(positions, (value) => value + 1e4) }].flatMap((far) => [far, far]),
    () => handles,
  ] as const;
  for (const makeBodies of forms) {
    const given = makeBodies() as never[];
    for (const escalate of [false, true]) {
      const [found, expected] = await Promise.all(both.map((each, i) => each.contacts(given[i], pairs, { escalate })));
      // Of bodies that are apart, distances are bounds.
      const depths = [found, expected].map(({ distance }) => Array.from(distance, (value) => Math.min(value, 0)));
      depths[0].forEach((depth, slot) => expect(depth).toBeCloseTo(depths[1][slot], 3));
      expect(found.statusCounts).toEqual(expected.statusCounts);
    }
    for (const options of [{ parts: 'all' }, { results: 'earliest' }] as const) {
      const [found, expected] = await Promise.all(
        both.map((each, i) => each.impacts(given[i], pairs, { duration: 1, ...options })),
      );
      expect([found.count, found.statusCounts]).toEqual([expected.count, expected.statusCounts]);
      expect(Array.from(found.pair)).toEqual(Array.from(expected.pair));
      expect(found.statusCounts[Status.InvalidInput]).toBeGreaterThan(0);
    }
  }
  for (const handle of handles) handle.dispose();
  for (const each of both) for (const id of [box, plane, mesh]) each.removeShape(id);
});

test('the timings of a query without pairs of convex bodies are its own', async () => {
  const ball = tester.addShape({ type: 'sphere', radius: 1 });
  const mesh = tester.addShape({ type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
  const bodies = {
    shapes: Uint32Array.of(mesh, ball, ball),
    positions: new Float32Array(9),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  await tester.contacts(bodies, Uint32Array.of(1, 2));
  expect(tester.timings.readBack).toBeGreaterThan(0);
  await tester.contacts(bodies, Uint32Array.of(0, 1));
  expect(tester.timings.readBack).toBe(0);
  await tester.contacts(bodies, Uint32Array.of(0, 1, 1, 2));
  expect(tester.timings.readBack).toBeGreaterThan(0);
  for (const id of [ball, mesh]) tester.removeShape(id);
});

test('in a batch of manifolds of bodies, a pair with a mesh or a compound is invalid, and the others are answered', async () => {
  const ball = tester.addShape({ type: 'sphere', radius: 1 });
  const mesh = tester.addShape({ type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
  const compound = tester.addShape({ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 } }] });
  const bodies = {
    shapes: Uint32Array.of(ball, ball, mesh, compound),
    positions: new Float32Array(12),
    quaternions: Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  };
  bodies.positions[3] = 1.5;
  const batch = await tester.createBatch({ query: 'manifolds', maxBodies: 4, maxPairs: 3 });
  batch.write({ bodies, pairs: Uint32Array.of(0, 1, 0, 2, 3, 1) });
  submit(batch);
  const { status, contactDistance } = await batch.read();
  expect(Array.from(status)).toEqual([Status.Overlapping, Status.InvalidInput, Status.InvalidInput]);
  expect(contactDistance[0]).toBe(-0.5);
  batch.dispose();
  for (const id of [ball, mesh, compound]) tester.removeShape(id);
});

test('prepare compiles what queries over parts need', async () => {
  const other = await createTester({ backend: 'webgpu' });
  const compound = other.addShape({
    type: 'compound',
    parts: [
      { shape: { type: 'box', halfExtents: [1, 1, 1] } },
      { shape: { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2] } },
    ],
  });
  const bodies = {
    shapes: Uint32Array.of(compound, compound),
    positions: Float32Array.of(0, 0, 0, 0.5, 0.3, 0.2),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  await other.prepare({ query: 'contacts' });
  const { count } = await other.contacts(bodies, Uint32Array.of(0, 1), { parts: 'all' });
  expect(count).toBeGreaterThan(1);
  other.dispose();
});
