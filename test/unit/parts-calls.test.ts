/** Queries over compounds and meshes by all ways of calling them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, NarrowphaseError, type Tester } from '../../src/index.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeSheet } from '../helpers/meshes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

const SEED = 3;
const BODIES = 60;
const PAIRS = 400;

const SHAPES: ShapeDescription[] = [
  { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
  { type: 'sphere', radius: 0.4 },
  {
    type: 'compound',
    parts: [
      { shape: { type: 'box', halfExtents: [1, 0.1, 0.1] } },
      { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.1 }, position: [1, 0.5, 0] },
      { shape: { type: 'cone', halfHeight: 0.4, radius: 0.3 }, position: [-1, 0.3, 0], quaternion: [0.3, 0, 0.1, 1] },
    ],
  },
  {
    type: 'mesh',
    positions: [0, 1, 0, 1, -0.5, 0, -0.5, -0.5, 0.8, -0.5, -0.5, -0.8],
    indices: [0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3],
  },
];

function makeBodies() {
  const random = createRandom(SEED);
  return {
    shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % SHAPES.length),
    positions: Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -2, 2)),
    quaternions: Float32Array.from({ length: 4 * BODIES }, () => uniform(random, -1, 1)),
    scales: Float32Array.from({ length: BODIES }, () => uniform(random, 0.5, 1.5)),
    linearVelocities: Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -1, 1)),
  };
}

const bodies = makeBodies();
const pairs = (() => {
  const random = createRandom(SEED + 1);
  return Uint32Array.from({ length: 2 * PAIRS }, () => Math.floor(random() * BODIES));
})();

describe('on the CPU backend', () => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', threads: 1 });
    for (const shape of SHAPES) tester.addShape(shape);
  });
  afterAll(() => tester.dispose());

  test("'hits' are the hits among all pairs", async () => {
    for (const query of ['distances', 'contacts'] as const) {
      const all = await tester[query](bodies, pairs, { margin: 0.3 });
      const hits = await tester[query](bodies, pairs, { margin: 0.3, results: 'hits' });
      const expected = Array.from({ length: PAIRS }, (_, i) => i).filter((i) => all.distance[i] <= 0.3);
      expect(Array.from(hits.pair)).toEqual(expected);
      expect(Array.from(hits.distance)).toEqual(expected.map((i) => all.distance[i]));
      expect(hits.statusCounts).toEqual(all.statusCounts);
    }
  });

  test('a target is written again; the result has the named fields only', async () => {
    const first = await tester.contacts(bodies, pairs, { margin: 1 });
    const kept = first.distance.slice();
    const again = await tester.contacts(bodies, pairs, { margin: 1, target: first });
    expect(again.distance).toBe(first.distance);
    expect(Array.from(again.distance)).toEqual(Array.from(kept));
    const some = await tester.contacts(bodies, pairs, { margin: 1, fields: ['partA', 'distance'], bodies: true });
    expect(Object.keys(some).sort()).toEqual(['count', 'distance', 'hits', 'partA', 'statusCounts']);
    expect(Array.from(some.distance)).toEqual(Array.from(kept));
  });

  test('64-bit positions far from the origin change nothing', async () => {
    const near = { ...bodies, positions: Float64Array.from(bodies.positions) };
    const far = { ...bodies, positions: near.positions.map((x, i) => x + [2 ** 30, -(2 ** 31), 2 ** 29][i % 3]) };
    const [a, b] = [
      await tester.contacts(near, pairs, { margin: 1 }),
      await tester.contacts(far, pairs, { margin: 1 }),
    ];
    expect(Array.from(b.status)).toEqual(Array.from(a.status));
    a.distance.forEach((distance, i) => expect(b.distance[i], `pair ${i}`).toBeCloseTo(distance, 5));
    expect(b.pointA).toBeInstanceOf(Float64Array);
  });

  test('A and B change places: the same distance', async () => {
    const swapped = pairs.map((_, i) => pairs[i ^ 1]);
    const [a, b] = [
      await tester.contacts(bodies, pairs, { margin: 1 }),
      await tester.contacts(bodies, swapped, { margin: 1 }),
    ];
    for (let i = 0; i < PAIRS; i++) {
      if (a.distance[i] > 1 || b.distance[i] > 1) continue;
      expect(b.distance[i], `pair ${i}`).toBeCloseTo(a.distance[i], 4);
    }
  });

  test('bodies by matrix, and bodies of createBodies, have the answers of bodies by position', async () => {
    const posed = { ...bodies, scales: undefined, linearVelocities: undefined };
    const matrices = new Float32Array(16 * BODIES);
    for (let i = 0; i < BODIES; i++) {
      const [qx, qy, qz, qw] = bodies.quaternions.subarray(4 * i, 4 * i + 4);
      const length = Math.hypot(qx, qy, qz, qw);
      const [x, y, z, w] = [qx, qy, qz, qw].map((value) => value / length);
      matrices.set(
        [
          1 - 2 * (y * y + z * z),
          2 * (x * y + w * z),
          2 * (x * z - w * y),
          0,
          2 * (x * y - w * z),
          1 - 2 * (x * x + z * z),
          2 * (y * z + w * x),
          0,
          2 * (x * z + w * y),
          2 * (y * z - w * x),
          1 - 2 * (x * x + y * y),
          0,
          ...bodies.positions.subarray(3 * i, 3 * i + 3),
          1,
        ],
        16 * i,
      );
    }
    const plain = await tester.distances(posed, pairs);
    const byMatrix = await tester.distances({ shapes: bodies.shapes, matrices }, pairs);
    byMatrix.distance.forEach((distance, i) => expect(distance).toBeCloseTo(plain.distance[i], 5));
    using handle = tester.createBodies(posed);
    const resident = await tester.distances(handle, pairs);
    expect(Array.from(resident.distance)).toEqual(Array.from(plain.distance));
  });

  test("the first impacts of 'earliest' are those of all impacts", async () => {
    const all = await tester.impacts(bodies, pairs, { duration: 2 });
    const { first, pair, time } = await tester.impacts(bodies, pairs, { duration: 2, results: 'earliest' });
    for (let body = 0; body < BODIES; body++) {
      let least = Infinity;
      for (let i = 0; i < PAIRS; i++)
        if (pairs[2 * i] === body || pairs[2 * i + 1] === body) least = Math.min(least, all.time[i]);
      const slot = first![body];
      if (least === Infinity) continue;
      expect(time[slot]).toBe(least);
      expect([pairs[2 * pair[slot]], pairs[2 * pair[slot] + 1]]).toContain(body);
    }
  });

  test('pairs that groups and fixed bodies exclude are left out', async () => {
    const all = await tester.findPairs(bodies);
    const fixed = new Uint8Array(BODIES).fill(1);
    expect((await tester.findPairs({ ...bodies, fixed })).length).toBe(0);
    const groups = Uint32Array.from({ length: BODIES }, (_, i) => (i % 2 ? 0x0001_0001 : 0x0002_0002));
    const grouped = await tester.findPairs({ ...bodies, groups });
    const expected = [];
    for (let i = 0; i < all.length; i += 2) if ((all[i] - all[i + 1]) % 2 === 0) expected.push(all[i], all[i + 1]);
    expect(Array.from(grouped)).toEqual(expected);
  });

  test('a signal ends a query between two turns', async () => {
    const controller = new AbortController();
    const side = 120;
    const positions = Array.from({ length: 3 * side * side }, (_, i) =>
      i % 3 === 1 ? 0 : Math.floor(i / 3 / (i % 3 === 0 ? side : 1)) % side,
    );
    const indices = [];
    for (let i = 0; i < side - 1; i++)
      for (let j = 0; j < side - 1; j++) {
        const a = i * side + j;
        indices.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
      }
    const id = tester.addShape({ type: 'mesh', positions, indices });
    const sheets = {
      shapes: Uint32Array.of(id, id),
      positions: new Float32Array(6),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    };
    const answer = tester.trianglePairs(sheets, Uint32Array.of(0, 1), { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED' });
    tester.removeShape(id);
  });

  test.each([
    [{ type: 'compound', parts: [] }, /description\.parts is \[\], expected an array of at least one/],
    [
      { type: 'compound', parts: [{ shape: { type: 'halfspace', normal: [0, 1, 0], offset: 0 } }] },
      /parts\[0\]\.shape\.type/,
    ],
    [{ type: 'compound', parts: [{ shape: { type: 'compound', parts: [] } }] }, /parts\[0\]\.shape/],
    [{ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 }, scale: 0 }] }, /parts\[0\]\.scale is 0/],
    [{ type: 'compound', parts: [{ shape: { type: 'sphere', radius: -1 } }] }, /parts\[0\]\.shape\.radius is -1/],
    [{ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 }, place: [0, 0, 0] }] }, /place/],
    [{ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 }, quaternion: [0, 0, 0, 0] }] }, /quaternion/],
    [{ type: 'mesh', positions: [0, 0, 0], indices: [] }, /description\.indices\.length is 0/],
    [{ type: 'mesh', positions: [], indices: [0, 0, 0] }, /description\.positions\.length is 0/],
    [{ type: 'mesh', positions: [0, 0, NaN], indices: [0, 0, 0] }, /description\.positions\[2\] is NaN/],
    [
      { type: 'mesh', positions: [0, 0, 0], indices: [0, 0, 1] },
      /description\.indices\[2\] is 1, expected a vertex below the 1/,
    ],
    [{ type: 'mesh', positions: [0, 0, 0], indices: [0, 0] }, /description\.indices\.length is 2/],
  ])('a bad description is refused by name: %j', (description, message) => {
    expect(() => tester.addShape(description as ShapeDescription)).toThrow(message);
    expect(() => tester.addShape(description as ShapeDescription)).toThrow(NarrowphaseError);
  });

  test('trianglePairs takes meshes only, and parts is refused where it has no meaning', async () => {
    await expect(tester.trianglePairs(bodies, Uint32Array.of(3, 0))).rejects.toThrow(
      /pairs\[1\] is 0, expected a body whose/,
    );
    await expect(tester.impacts(bodies, pairs, { duration: 1, results: 'earliest', parts: 'all' })).rejects.toThrow(
      /options\.parts/,
    );
    await expect(tester.contacts(bodies, pairs, { parts: 'some' as 'all' })).rejects.toThrow(
      /options\.parts is "some"/,
    );
    const plane = await createTester({ backend: 'cpu', dimension: 2 });
    expect(() => plane.addShape({ type: 'mesh', positions: [0, 0, 0], indices: [0, 0, 0] } as never)).toThrow(/type/);
    plane.dispose();
  });

  test('mass properties of a compound and of a closed mesh are those of the solids', () => {
    const two = tester.addShape({
      type: 'compound',
      parts: [
        { shape: { type: 'box', halfExtents: [0.5, 1, 1.5] }, position: [-0.5, 0, 0] },
        { shape: { type: 'box', halfExtents: [0.5, 1, 1.5] }, position: [0.5, 0, 0] },
      ],
    });
    const whole = tester.addShape({ type: 'box', halfExtents: [1, 1, 1.5] });
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1.5 : -1.5]);
    const faces = [
      0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
    ];
    const mesh = tester.addShape({ type: 'mesh', positions: corners, indices: faces });
    const expected = tester.massProperties(whole);
    for (const id of [two, mesh]) {
      const found = tester.massProperties(id);
      expect(found.volume).toBeCloseTo(expected.volume, 12);
      found.centroid.forEach((x, k) => expect(x).toBeCloseTo(expected.centroid[k], 12));
      found.inertia.forEach((x, k) => expect(x).toBeCloseTo(expected.inertia[k], 10));
    }
    const open = tester.addShape({ type: 'mesh', positions: corners, indices: faces.slice(3) });
    expect(() => tester.massProperties(open)).toThrow(/closed mesh/);
    expect(tester.shapeGeometry(mesh).faces.length).toBe(12);
    expect(() => tester.shapeGeometry(two)).toThrow(/convex shape or a mesh/);
  });

  test('pairs without an answer of parts have the parts 0, whatever came before', async () => {
    const two = {
      shapes: Uint32Array.of(3, 1, 3, 1),
      positions: Float32Array.of(0, 0, 0, 0, -0.8, 0, 20, 0, 0, 30, 0, 0),
      quaternions: new Float32Array(16).map((_, i) => (i % 4 === 3 ? 1 : 0)),
    };
    const fields = ['partA', 'partB'] as const;
    for (const query of ['intersects', 'distances', 'contacts'] as const) {
      const margin = query === 'distances' ? 1 : 0;
      const { partA, partB } = await tester[query](two, Uint32Array.of(0, 1, 2, 3), { margin, fields });
      expect(partA[0], query).toBeGreaterThan(0);
      expect([partA[1], partB[1]], query).toEqual([0, 0]);
    }
  });

  test('a query over meshes ends when its tester is disposed', async () => {
    const other = await createTester({ backend: 'cpu', threads: 1 });
    const sheet = other.addShape({ type: 'mesh', ...makeSheet(60, (x, z) => 0.1 * Math.sin(9 * x + 5 * z)) });
    const many = { ...bodies, shapes: new Uint32Array(BODIES).fill(sheet) };
    const asked = other.distances(many, pairs);
    setTimeout(() => other.dispose(), 20);
    await expect(asked).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  test('a warm start changes no answer, whatever it was used for before', async () => {
    using warmStart = tester.createWarmStart(PAIRS);
    const random = createRandom(SEED + 2);
    const moved = { ...bodies, positions: bodies.positions.slice() };
    for (let frame = 0; frame < 6; frame++) {
      // In between, shapes change places.
      moved.shapes = frame === 3 ? bodies.shapes.map((shape) => (shape + 1) % SHAPES.length) : bodies.shapes;
      for (let i = 0; i < moved.positions.length; i++) moved.positions[i] += uniform(random, -0.02, 0.02);
      for (const query of ['distances', 'contacts', 'intersects'] as const) {
        const asked = frame % 2 === 0 ? pairs : pairs.subarray(0, PAIRS);
        const margin = frame < 4 ? Infinity : 0.2;
        const plain = await tester[query](moved, asked, { margin });
        const warm = await tester[query](moved, asked, { margin, warmStart });
        expect(arraysOf(warm), `${query}, frame ${frame}`).toEqual(arraysOf(plain));
      }
    }
  });
});

function arraysOf(result: object): unknown {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value !== 'function'));
}
