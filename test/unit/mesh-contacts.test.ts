/** The smallest inputs for each part of the rule of contacts with meshes: their depths, normals and points. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MeshDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { createTester, type Tester } from '../../src/index.ts';
import { makeFan, makeSheet } from '../helpers/meshes.ts';
import { makeBoxMesh, makePrism } from '../../verification/families/surface-meshes.ts';

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => tester.dispose());

interface Placed {
  mesh: MeshDescription;
  shape: ShapeDescription;
  position: readonly number[];
  quaternion?: readonly number[];
  margin?: number;
}

const UPRIGHT = [0, 0, 0, 1];

/** The contact of a mesh with a body, the list of all contacts, and the manifolds. */
async function answersOf({ mesh, shape, position, quaternion = UPRIGHT, margin = 0 }: Placed) {
  const ids = [tester.addShape(mesh), tester.addShape(shape)];
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, 0, ...position),
    quaternions: Float32Array.of(...UPRIGHT, ...quaternion),
  };
  const pairs = Uint32Array.of(0, 1);
  const [contact] = await tester.contacts(bodies, pairs, {
    margin,
    fields: ['distance', 'normal', 'pointA', 'pointB'],
  });
  const all = Array.from(await tester.contacts(bodies, pairs, { margin, parts: 'all' }));
  const manifolds = Array.from(await tester.manifolds(bodies, pairs, { margin }));
  for (const id of ids) tester.removeShape(id);
  return { contact, all, manifolds };
}

type Answers = Awaited<ReturnType<typeof answersOf>>;

/** Checks that all answers have one of these normals. */
function expectNormals({ contact, all, manifolds }: Answers, ...normals: readonly (readonly number[])[]): void {
  expect(all.length).toBeGreaterThan(0);
  expect(manifolds.length).toBe(all.length);
  for (const { normal } of [contact, ...all, ...manifolds]) {
    const off = normals.map((expected) => Math.hypot(...expected.map((x, k) => x - normal[k])));
    expect(Math.min(...off), `normal ${normal.join()}`).toBeLessThan(1e-4);
  }
  for (const { points } of manifolds) expect(points.length).toBeGreaterThan(0);
}

const UP = [0, 1, 0];

test('a crate that rests across a step is pushed up by its depth, not along the step by its width', async () => {
  const mesh: MeshDescription = {
    type: 'mesh',
    positions: [-1, 0, 0, -1, 0, 0.5, 0, 0, 0, 0, 0, 0.5, 0, -0.05, 0, 0, -0.05, 0.5],
    indices: [0, 1, 3, 0, 3, 2, 4, 3, 5, 4, 2, 3],
  };
  const shape: ShapeDescription = { type: 'box', halfExtents: [0.3, 0.3, 0.3] };
  for (const x of [-0.1, -0.02, 0.05]) {
    const answers = await answersOf({ mesh, shape, position: [x, 0.29, 0.15] });
    expect(answers.contact.distance).toBeCloseTo(-0.01, 5);
    expectNormals(answers, UP);
  }
});

test.each([1, 4, 16])(
  "a cube at a cube's corner has the depth of both as solids, with %i squares per edge",
  async (cells) => {
    const mesh = makeBoxMesh([1, 1, 1], cells);
    const answers = await answersOf({
      mesh,
      shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
      position: [0.69, 0.9, 1.2],
    });
    // The cubes overlap by 0.1 along z, by 0.61 along x and 0.4 along y.
    expect(answers.contact.distance).toBeCloseTo(-0.1, 5);
    expect(answers.contact.normal[2]).toBeCloseTo(1, 5);
    for (const { distance } of answers.all) expect(distance).toBeGreaterThan(-0.1001);
  },
);

test.each([1, 4, 16])(
  'a crate over the edge of a slab is never deeper than the slab says, with %i squares per edge',
  async (cells) => {
    const mesh = makeBoxMesh([1, 0.1, 1], cells);
    const shape: ShapeDescription = { type: 'box', halfExtents: [0.3, 0.2, 0.25] };
    for (const x of [0.8, 0.95, 1.1]) {
      const answers = await answersOf({ mesh, shape, position: [x, 0.29, 0.13] });
      expect(answers.contact.distance).toBeCloseTo(-0.01, 5);
      expectNormals(answers, UP);
    }
  },
);

test.each([0, 5e-4, 0.01, 0.1, 1, 10, 45])(
  'a crate beside a ridge of %f degrees has the normal of its slope',
  async (degrees) => {
    const height = -2 * Math.tan((degrees * Math.PI) / 360);
    const mesh = makePrism([[-2, height], [0, 0], [2, height]], 2, 1); // prettier-ignore
    const half = (degrees * Math.PI) / 360;
    const answers = await answersOf({
      mesh,
      shape: { type: 'box', halfExtents: [0.3, 0.2, 0.3] },
      position: [-0.28, 0.15, 0.05],
    });
    const { distance, normal } = answers.contact;
    expect(Math.abs(normal[2])).toBeLessThan(1e-5);
    expect(Math.abs(normal[0])).toBeLessThan(Math.sin(half) + 1e-5);
    // The ridge itself is 0.02 from the crate's right side: straight up, it is 0.05 deep.
    expect(-distance).toBeLessThan(0.05 + 1e-5);
    expect(-distance).toBeGreaterThan(0.05 * Math.cos(half) - 0.3 * Math.sin(half) - 1e-5);
  },
);

test('a box that is through one slope of a ridge is not pushed down by the other slope', async () => {
  const mesh = makePrism(
    [
      [-1, -0.4],
      [0, 0],
      [1, -0.4],
    ],
    0.65,
    2,
  );
  const shape: ShapeDescription = { type: 'box', halfExtents: [0.26, 0.2, 0.26] };
  const { contact, all, manifolds } = await answersOf({
    mesh,
    shape,
    position: [-0.28, 0.06, 0.1],
    quaternion: [0, 0.2, 0.2, 1],
  });
  expect(all.length).toBe(6);
  for (const { normal } of [contact, ...all, ...manifolds]) expect(normal[1]).toBeGreaterThan(0.9);
  expect(contact.distance).toBeCloseTo(Math.min(...all.map(({ distance }) => distance)), 6);
});

test('bodies on a dome have normals between those of the triangles there', async () => {
  const mesh: MeshDescription = { type: 'mesh', ...makeSheet(16, (x, z) => -0.1 * (x * x + z * z)) };
  const steepest = 0.2 * Math.SQRT2 * 0.7;
  for (const [x, z] of [
    [0, 0],
    [0.3, -0.2],
    [0.51, 0.49],
    [-0.126, 0.374],
  ]) {
    // prettier-ignore
    const y = -0.1 * (x * x + z * z) + 0.19;
    for (const shape of [
      { type: 'sphere', radius: 0.2 },
      { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
    ] satisfies ShapeDescription[]) {
      const { contact, all } = await answersOf({ mesh, shape, position: [x, y, z] });
      for (const { normal } of [contact, ...all])
        expect(Math.hypot(normal[0], normal[2])).toBeLessThan(steepest + 0.05);
      const deepest = Math.min(...all.map(({ distance }) => distance));
      expect(contact.distance).toBeCloseTo(deepest, 5);
    }
  }
});

test("a ball beside an open sheet is pushed out across the sheet's rim", async () => {
  const mesh: MeshDescription = { type: 'mesh', ...makeSheet(6, () => 0) };
  const answers = await answersOf({ mesh, shape: { type: 'sphere', radius: 0.3 }, position: [1.29, 0, 0.1] });
  expect(answers.contact.distance).toBeCloseTo(-0.01, 5);
  expectNormals(answers, [1, 0, 0]);
});

test("a crate that hangs over the rim of an open sheet has the sheet's normal", async () => {
  const mesh: MeshDescription = { type: 'mesh', ...makeSheet(6, () => 0) };
  const answers = await answersOf({
    mesh,
    shape: { type: 'box', halfExtents: [0.3, 0.2, 0.25] },
    position: [1.1, 0.19, 1.05],
  });
  expect(answers.contact.distance).toBeCloseTo(-0.01, 5);
  expectNormals(answers, UP);
});

test.each([8, 40, 200])("a body at the hub of a fan of %i triangles has the fan's normal", async (count) => {
  const mesh: MeshDescription = { type: 'mesh', ...makeFan(count) };
  for (const shape of [
    { type: 'sphere', radius: 0.3 },
    { type: 'box', halfExtents: [0.1, 0.3, 0.2] },
  ] satisfies ShapeDescription[]) {
    const answers = await answersOf({ mesh, shape, position: [0.003, 0.28, -0.002] });
    expect(answers.contact.distance).toBeCloseTo(-0.02, 5);
    expectNormals(answers, UP);
  }
});

describe('the rim of a tilted body on two triangles', () => {
  const mesh: MeshDescription = {
    type: 'mesh',
    positions: [-2, 0, -2, -2, 0, 2, 2, 0, 2, 2, 0, -2],
    indices: [0, 1, 2, 0, 2, 3],
  };
  const quaternion = [0.16317591, 0, 0.059391174, 0.98480773];

  test('of a cone overlaps as deep as its lowest point is', async () => {
    const shape: ShapeDescription = { type: 'cone', halfHeight: 0.5, radius: 0.5 };
    const answers = await answersOf({
      mesh,
      shape,
      quaternion,
      position: [0.10150091, 0.59085637, -0.28010711],
      margin: 0.02,
    });
    expect(answers.contact.distance).toBeCloseTo(-0.05, 4);
    expectNormals(answers, UP);
    const points = answers.manifolds.flatMap((manifold) => manifold.points);
    expect(Math.min(...points.map(({ distance }) => distance))).toBeCloseTo(-0.05, 4);
  });

  test('of a cylinder has the gap of its lowest point', async () => {
    const shape: ShapeDescription = { type: 'cylinder', halfHeight: 0.5, radius: 0.5 };
    const answers = await answersOf({
      mesh,
      shape,
      quaternion: [0.024598286, 0, 0.0089530433, 0.99965733],
      position: [0.16253284, 0.53048277, -0.44531965],
      margin: 0.02,
    });
    expect(answers.contact.distance).toBeCloseTo(0.005, 4);
    expectNormals(answers, UP);
    const points = answers.manifolds.flatMap((manifold) => manifold.points);
    expect(Math.min(...points.map(({ distance }) => distance))).toBeCloseTo(0.005, 4);
  });
});

test('two overlapping strips that a box cuts have a contact, of the strips as solids would', async () => {
  const corners = [[-1, -0.5, -0.8], [-1, -0.25, -0.8], [-0.5, -0.5, -0.8], [-0.5, -0.25, -0.8], [0, -0.5, -0.8]]; // prettier-ignore
  const answers = await answersOf({
    mesh: { type: 'mesh', positions: corners.flat(), indices: [0, 1, 2, 2, 3, 4] },
    shape: { type: 'box', halfExtents: [0.3, 0.2, 0.4] },
    position: [-0.087273024, -0.72539878, -0.73305172],
    quaternion: [-0.82673818, 0.071412474, -0.54857188, 0.10233808],
  });
  expect(answers.all.length).toBeGreaterThan(0);
  expect(answers.contact.distance).toBeGreaterThan(-0.00101);
  expect(answers.contact.distance).toBeLessThan(0);
});

test('what hits triangles without area only keeps the contact of the deepest', async () => {
  const answers = await answersOf({
    mesh: { type: 'mesh', positions: [-1, 0, 0, 1, 0, 0, 0, 0, 0], indices: [0, 1, 2] },
    shape: { type: 'sphere', radius: 0.3 },
    position: [0, 0.28, 0],
  });
  expect(answers.contact.distance).toBeCloseTo(-0.02, 5);
  expectNormals(answers, UP);
});

test('a body over the seams of a floor has the normal of the floor at every gap within the margin', async () => {
  const mesh: MeshDescription = { type: 'mesh', ...makeSheet(20, () => 0) };
  for (const shape of [
    { type: 'cone', halfHeight: 0.2, radius: 0.2 },
    { type: 'box', halfExtents: [0.2, 0.2, 0.1] },
    { type: 'capsule', halfHeight: 0, radius: 0.2 },
  ] satisfies ShapeDescription[]) {
    for (const gap of [0.009, 0.003, 1e-5, -1e-4]) {
      for (let i = 0; i < 5; i++) {
        const position = [0.077 * i - 0.2, 0.2 + gap, 0.043 * i];
        const answers = await answersOf({ mesh, shape, position, margin: 0.01 });
        expect(answers.contact.distance).toBeCloseTo(gap, 5);
        expectNormals(answers, UP);
      }
    }
  }
});

test('a leaning rod is as deep as its end under the floor, beside the triangle that it passes', async () => {
  // The rod goes through the floor at x = 0.03, and its lower end is 0.1 lower, at x = 0.13.
  const mesh: MeshDescription = { type: 'mesh', ...makeSheet(40, () => 0) };
  const half = Math.PI / 8;
  const answers = await answersOf({
    mesh,
    shape: { type: 'capsule', halfHeight: 0.5, radius: 0.01 },
    position: [-0.22, 0.26, 0],
    quaternion: [0, 0, Math.sin(half), Math.cos(half)],
  });
  const lowest = 0.26 - 0.5 * Math.SQRT1_2 - 0.01;
  expect(answers.contact.distance).toBeCloseTo(lowest, 4);
  expectNormals(answers, UP);
});
