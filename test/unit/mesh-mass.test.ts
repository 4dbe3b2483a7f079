/** Mass properties of closed meshes whose vertices are repeated, with rounding between them. */
import { expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { MassProperties } from '../../src/api/geometry.ts';
import { WELD_TOLERANCE } from '../../src/shapes/weld-vertices.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { makeIcosphere } from '../helpers/meshes.ts';

const SEED = 20_261_204;

const tester = await createTester({ backend: 'cpu', threads: 1 });

function massOf(positions: ArrayLike<number>, indices: ArrayLike<number>): MassProperties {
  const id = tester.addShape({
    type: 'mesh',
    positions: Float64Array.from(positions),
    indices: Uint32Array.from(indices),
  });
  try {
    return tester.massProperties(id);
  } finally {
    tester.removeShape(id);
  }
}

/** A box as glTF has it: four vertices per face, two triangles. Half extents 0.5, 1 and 1.5. */
function boxOfFaces(): { positions: number[]; indices: number[] } {
  const half = [0.5, 1, 1.5];
  const positions: number[] = [];
  const indices: number[] = [];
  for (let face = 0; face < 6; face++) {
    const axis = face >> 1;
    const side = face & 1 ? 1 : -1;
    const first = positions.length / 3;
    for (const [u, v] of [
      [-1, -1],
      [side, -side],
      [1, 1],
      [-side, side],
    ]) {
      // prettier-ignore
      const corner = [0, 0, 0];
      corner[axis] = side * half[axis];
      corner[(axis + 1) % 3] = u * half[(axis + 1) % 3];
      corner[(axis + 2) % 3] = v * half[(axis + 2) % 3];
      positions.push(...corner);
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return { positions, indices };
}

/** The positions, each moved along each axis by up to a share of the weld tolerance. */
function jittered(positions: ArrayLike<number>, share: number): number[] {
  const random = createRandom(SEED);
  const largest = Math.max(...Array.from(positions, Math.abs));
  return Array.from(positions, (x) => x + uniform(random, -1, 1) * share * WELD_TOLERANCE * largest);
}

function expectNear(found: MassProperties, expected: MassProperties, share: number): void {
  const size = expected.volume;
  expect(Math.abs(found.volume - expected.volume)).toBeLessThan(share * size);
  found.centroid.forEach((x, k) => expect(Math.abs(x - expected.centroid[k])).toBeLessThan(share));
  found.inertia.forEach((x, k) => expect(Math.abs(x - expected.inertia[k])).toBeLessThan(3 * share * size));
}

function massOfBox(): MassProperties {
  const id = tester.addShape({ type: 'box', halfExtents: [0.5, 1, 1.5] });
  const mass = tester.massProperties(id);
  tester.removeShape(id);
  return mass;
}

/** A sphere as STL has it: three vertices per triangle, counter-clockwise from outside. */
function sphereSoup(): { positions: Float64Array; indices: Uint32Array } {
  const { positions, indices } = makeIcosphere(4, 2);
  const turned = indices.slice();
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
    const height =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    if (height < 0) turned.set([indices[i + 2], indices[i + 1]], i + 1);
  }
  return { positions, indices: turned };
}

test('a cube of 24 vertices and 12 triangles has the mass properties of the box', () => {
  const { positions, indices } = boxOfFaces();
  expect([positions.length, indices.length]).toEqual([72, 36]);
  expectNear(massOf(positions, indices), massOfBox(), 1e-12);
});

test('vertices within the weld tolerance of each other count as one', () => {
  const { positions, indices } = boxOfFaces();
  const near = jittered(positions, 0.2);
  expect(near.map(Math.fround)).not.toEqual(positions);
  expectNear(massOf(near, indices), massOfBox(), 4 * WELD_TOLERANCE);
});

test('vertices farther apart leave a mesh open', () => {
  const { positions, indices } = boxOfFaces();
  expect(() => massOf(jittered(positions, 8), indices)).toThrowError(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(
        /^id is 0, expected a closed mesh; the edge between vertices \d+ and \d+ has one side$/,
      ),
    }),
  );
});

test('a soup of triangles around a sphere, as STL has it, encloses nearly the ball', () => {
  const { positions, indices } = sphereSoup();
  const ball = tester.addShape({ type: 'sphere', radius: 2 });
  const expected = tester.massProperties(ball);
  tester.removeShape(ball);
  // The polyhedron is in the ball. Its 5,120 triangles are up to 0.1 % of the radius below it.
  expectNear(massOf(positions, indices), expected, 5e-3);
  const found = massOf(jittered(positions, 0.2), indices);
  expectNear(found, massOf(positions, indices), 4 * WELD_TOLERANCE);
  expect(found.volume).toBeLessThan(expected.volume);
});

test('an open mesh is refused, also after welding', () => {
  for (const { positions, indices } of [boxOfFaces(), sphereSoup()]) {
    const open = Array.from(indices).slice(3);
    for (const at of [positions, jittered(positions, 0.2)])
      expect(() => massOf(at, open)).toThrow(/ expected a closed mesh; /);
  }
});

test('a mesh that is closed as it is keeps its details, however small they are beside its coordinates', () => {
  // Far from the origin, the whole box is smaller than the weld tolerance.
  const { positions, indices } = boxOfFaces();
  const far = positions.map((x, i) => x + [2 ** 22, 0, 0][i % 3]);
  const { volume, centroid } = massOf(far, indices);
  expect(2 ** 22 * WELD_TOLERANCE).toBeGreaterThan(1);
  expect(volume).toBeCloseTo(6, 9);
  expect(centroid[0]).toBeCloseTo(2 ** 22, 6);
});
