/** Meshes of which only the fronts of the triangles are surface. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MeshDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { createTester, type Tester } from '../../src/index.ts';
import { makeBoxMesh } from '../../verification/families/surface-meshes.ts';
import { makeSheet } from '../helpers/meshes.ts';

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => tester.dispose());

const SHEET = makeSheet(10, () => 0);

/** A mesh at the origin, and a body. */
function bodiesOf(mesh: MeshDescription, shape: ShapeDescription, position: number[], velocity = [0, 0, 0]) {
  return {
    shapes: Uint32Array.of(tester.addShape(mesh), tester.addShape(shape)),
    positions: Float32Array.of(0, 0, 0, ...position),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: Float32Array.of(0, 0, 0, ...velocity),
  };
}

const PAIR = Uint32Array.of(0, 1);
const PLATE: ShapeDescription = { type: 'box', halfExtents: [0.3, 0.02, 0.3] };

test('a plate that has sunk beyond its middle comes up through the front', async () => {
  for (const [sides, distance, up] of [
    ['both', -0.01, -1],
    ['front', -0.03, 1],
  ] as const) {
    // prettier-ignore
    const bodies = bodiesOf({ type: 'mesh', ...SHEET, sides }, PLATE, [0.013, -0.01, 0.04]);
    const [contact] = await tester.contacts(bodies, PAIR);
    expect(contact.distance).toBeCloseTo(distance, 5);
    expect(contact.normal[1]).toBeCloseTo(up, 5);
    for (const { normal } of await tester.contacts(bodies, PAIR, { parts: 'all' }))
      expect(normal[1]).toBeCloseTo(up, 5);
    for (const { normal, points } of await tester.manifolds(bodies, PAIR)) {
      expect(normal[1]).toBeCloseTo(up, 5);
      expect(points.length).toBeGreaterThan(0);
    }
  }
});

test('triangles that are clockwise from above push down', async () => {
  const indices = SHEET.indices.slice().reverse();
  const bodies = bodiesOf({ type: 'mesh', positions: SHEET.positions, indices, sides: 'front' }, PLATE, [0, 0.01, 0]);
  const [contact] = await tester.contacts(bodies, PAIR);
  expect(contact.distance).toBeCloseTo(-0.03, 5);
  expect(contact.normal[1]).toBeCloseTo(-1, 5);
});

test("a cube whose middle is inside a closed mesh has the solid's depth", async () => {
  const cube: ShapeDescription = { type: 'box', halfExtents: [0.3, 0.3, 0.3] };
  for (const cells of [1, 4]) {
    const mesh: MeshDescription = { ...makeBoxMesh([1, 1, 1], cells), sides: 'front' };
    const [contact] = await tester.contacts(bodiesOf(mesh, cube, [0.1, 0.85, -0.2]), PAIR);
    expect(contact.distance).toBeCloseTo(-0.45, 5);
    expect(contact.normal[1]).toBeCloseTo(1, 5);
  }
});

test('a body is stopped at the front and passes from behind', async () => {
  const mesh: MeshDescription = { type: 'mesh', ...SHEET, sides: 'front' };
  const down = bodiesOf(mesh, PLATE, [0.1, 0.52, 0.1], [0, -1, 0]);
  const [front] = await tester.impacts(down, PAIR, { duration: 1 });
  expect(front.time).toBeCloseTo(0.5, 5);
  expect(front.normal[1]).toBeCloseTo(1, 5);
  const up = bodiesOf(mesh, PLATE, [0.1, -0.52, 0.1], [0, 1, 0]);
  expect((await tester.impacts(up, PAIR, { duration: 1 })).time[0]).toBe(Infinity);
  expect((await tester.impacts(up, PAIR, { duration: 1, parts: 'all' })).count).toBe(0);
});

test('a point is stopped at the front and passes from behind, and so does a body that spins', async () => {
  const mesh: MeshDescription = { type: 'mesh', ...SHEET, sides: 'front' };
  for (const [shape, spin] of [
    [{ type: 'sphere', radius: 0 }, 0],
    [PLATE, 3],
  ] as const) {
    for (const side of [1, -1]) {
      const bodies = bodiesOf(mesh, shape, [0.1, side * 0.52, 0.13], [0, -side, 0]);
      const angularVelocities = Float32Array.of(0, 0, 0, 0, spin, 0);
      const [hit] = await tester.impacts({ ...bodies, angularVelocities }, PAIR, { duration: 1 });
      if (side < 0) expect(hit.time).toBe(Infinity);
      else expect(hit.normal[1]).toBeCloseTo(1, 5);
    }
  }
});

test('a plate that spins about an axis of its plane is not stopped while its middle is behind', async () => {
  const mesh: MeshDescription = { type: 'mesh', ...SHEET, sides: 'front' };
  for (const spin of [0.3, 1, 3, 9]) {
    const bodies = bodiesOf(mesh, PLATE, [0.1, -0.4, 0.13], [0, 0.4, 0]);
    const angularVelocities = Float32Array.of(0, 0, 0, 0, 0, spin);
    const [hit] = await tester.impacts({ ...bodies, angularVelocities }, PAIR, { duration: 0.95 });
    expect(hit.time, `spin ${spin}`).toBe(Infinity);
  }
});

test('rays, and balls that move along them, meet both sides', async () => {
  const origins = Float32Array.of(0.3, -1, 0.1, 0.3, 1, 0.1, 0, -1, 0, 0, 1, 0);
  const directions = Float32Array.of(0, 1, 0, 0, -1, 0, 0, 1, 0, 0, -1, 0);
  for (const radius of [0, 0.1]) {
    const rays = { origins, directions, radii: new Float32Array(4).fill(radius) };
    const bodies = bodiesOf({ type: 'mesh', ...SHEET, sides: 'front' }, PLATE, [0, 9, 0]);
    const { time } = await tester.rayCasts(bodies, rays);
    for (const each of time) expect(each).toBeCloseTo(1 - radius, 5);
  }
});

test('two triangles that go along an edge in the same direction are refused with its vertices', async () => {
  const positions = [0, 0, 0, 0, 0, 1, -1, 0, 0.5, 1, 0, 0.5];
  const mesh = (indices: number[]): MeshDescription => ({ type: 'mesh', positions, indices, sides: 'front' });
  const bodies = bodiesOf(mesh([0, 1, 2, 0, 1, 3]), PLATE, [0, 0.01, 0]);
  await expect(tester.contacts(bodies, PAIR)).rejects.toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/indices is \[0,1\], expected edges/),
    }),
  );
  // Without normals, nothing depends on it.
  expect((await tester.intersects(bodies, PAIR)).hit[0]).toBe(1);
  for (const indices of [
    [0, 1, 2, 1, 0, 3],
    [0, 1, 2, 0, 1, 2],
    [0, 1, 2, 1, 0, 2],
  ]) {
    const other = bodiesOf(mesh(indices), PLATE, [-0.1, 0.01, 0.4]);
    expect((await tester.contacts(other, PAIR)).statusCounts[1]).toBe(1);
  }
});

test('sides are one of two words', () => {
  const sides = 'back' as unknown as 'front';
  expect(() => tester.addShape({ type: 'mesh', ...SHEET, sides })).toThrow(
    /sides is "back", expected 'both' or 'front'/,
  );
});
