/**
 * Bodies by matrix: the answers of the same bodies by position and rotation, and every matrix that is refused, by name.
 */

import { BufferGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { createTester, NarrowphaseError, type Bodies, type PosedBodies } from '../../src/index.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { readSpaceBodies } from '../../src/request/validate-bodies.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { createRandom, spread, uniform, unitVector } from '../../verification/families/random.ts';

const SEED = 20_261_209;
const COUNT = 500;

const random = createRandom(SEED);
const table = createShapeTable();
const box = addShape(table, { type: 'box', halfExtents: [1, 0.5, 0.25], radius: 0.125 }, dimension3);

/** Bodies as three.js composes them; in 64 bits each pair far out, one body near the other. */
function composed(count: number, isWide: boolean): { posed: PosedBodies; matrices: Float32Array | Float64Array } {
  const shapes = new Uint32Array(count).fill(box);
  const positions = isWide ? new Float64Array(3 * count) : new Float32Array(3 * count);
  const quaternions = new Float32Array(4 * count);
  const scales = new Float32Array(count);
  const matrices = isWide ? new Float64Array(16 * count) : new Float32Array(16 * count);
  const matrix = new Matrix4();
  for (let i = 0; i < count; i++) {
    // Half turns about each axis and a quarter turn come first.
    const q =
      i < 3
        ? [0, 1, 2, 3].map((k) => (k === i ? 1 : 0))
        : i === 3
          ? [0, 0, Math.SQRT1_2, Math.SQRT1_2]
          : unitVector(random, [0, 0, 0, 0]);
    quaternions.set(q, 4 * i);
    const isFarOut = isWide && i % 2 === 0;
    for (let k = 0; k < 3; k++) {
      const from = isWide && !isFarOut ? positions[3 * i + k - 3] : 0;
      positions[3 * i + k] = from + uniform(random, -1, 1) * (isFarOut ? 1e7 : 10);
    }
    scales[i] = spread(random, 100, 20);
    matrix.compose(
      new Vector3(...positions.subarray(3 * i)),
      new Quaternion(...quaternions.subarray(4 * i)),
      new Vector3().setScalar(scales[i]),
    );
    matrix.toArray(matrices, 16 * i);
  }
  return { posed: { shapes, positions, quaternions, scales }, matrices };
}

describe.each([
  ['f32', false],
  ['f64', true],
] as const)('%s matrices', (_, isWide) => {
  const { posed, matrices } = composed(COUNT, isWide);
  const found = readSpaceBodies({ shapes: posed.shapes, matrices }, table).bodies;

  test('are taken apart into positions as they are, rotations and scales to rounding', () => {
    expect(found.positions).toEqual(posed.positions);
    expect(found.positions.constructor).toBe(isWide ? Float64Array : Float32Array);
    for (let i = 0; i < COUNT; i++) {
      expect(Math.abs(found.scales![i] / posed.scales![i] - 1), `body ${i}`).toBeLessThan(2e-7);
      const cosine = [0, 1, 2, 3].reduce(
        (sum, k) => sum + found.quaternions[4 * i + k] * posed.quaternions[4 * i + k],
        0,
      );
      const sign = Math.sign(cosine);
      const off = Math.hypot(
        ...[0, 1, 2, 3].map((k) => sign * found.quaternions[4 * i + k] - posed.quaternions[4 * i + k]),
      );
      expect(off, `body ${i}`).toBeLessThan(5e-7);
    }
  });

  test('give the contacts of positions and quaternions', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'box', halfExtents: [1, 0.5, 0.25], radius: 0.125 });
    const pairs = Uint32Array.from({ length: COUNT }, (__, i) => i);
    const expected = await tester.contacts(posed, pairs, { margin: Infinity });
    const byMatrix = await tester.contacts({ shapes: posed.shapes, matrices }, pairs, { margin: Infinity });
    expect(byMatrix.pointA.constructor).toBe(isWide ? Float64Array : Float32Array);
    for (let i = 0; i < COUNT / 2; i++) {
      const [a, b] = [posed.positions.subarray(6 * i, 6 * i + 3), posed.positions.subarray(6 * i + 3, 6 * i + 6)];
      const size = Math.max(
        Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]),
        posed.scales![2 * i] + posed.scales![2 * i + 1],
      );
      expect(Math.abs(byMatrix.distance[i] - expected.distance[i])).toBeLessThan(2e-6 * size);
    }
    tester.dispose();
  });
});

test("the matrices of three.js's InstancedMesh work as they are", async () => {
  const mesh = new InstancedMesh(new BufferGeometry(), new MeshBasicMaterial(), 3);
  const places = [
    [0, 0, 0, 1],
    [0, 1.75, 0, 1],
    [0, 10, 0, 2],
  ];
  places.forEach(([x, y, z, scale], i) =>
    mesh.setMatrixAt(
      i,
      new Matrix4().compose(
        new Vector3(x, y, z),
        new Quaternion(0, Math.SQRT1_2, 0, Math.SQRT1_2),
        new Vector3().setScalar(scale),
      ),
    ),
  );
  const tester = await createTester({ backend: 'cpu' });
  const cube = tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
  const bodies: Bodies = { shapes: new Uint32Array(3).fill(cube), matrices: mesh.instanceMatrix.array as Float32Array };
  const { distance } = await tester.contacts(bodies, Uint32Array.of(0, 1, 1, 2), { margin: Infinity });
  expect(Array.from(distance, (x) => Math.fround(Math.round(x * 1e6) / 1e6))).toEqual([-0.25, 5.25]);
  tester.dispose();
});

/** Why bodies are refused. */
function messageOf(bodies: unknown): string {
  try {
    readSpaceBodies(bodies as Bodies, table);
  } catch (error) {
    expect(error).toBeInstanceOf(NarrowphaseError);
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    return (error as Error).message;
  }
  return 'nothing';
}

describe('what is refused', () => {
  const shapes = Uint32Array.of(box, box, box);
  const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

  /** Three bodies, the second with other elements. */
  function changed(elements: Record<number, number>): Float32Array {
    const matrices = Float32Array.from([...IDENTITY, ...IDENTITY, ...IDENTITY]);
    for (const [k, value] of Object.entries(elements)) matrices[16 + Number(k)] = value;
    return matrices;
  }

  const SECOND = String.raw`^bodies\.matrices\[16\.\.31\] is \[.*, expected `;

  test.each([
    ['mirrored along x', { 0: -1 }, `${SECOND}no mirrored matrix; that of body 1 has the determinant -1`],
    ['mirrored through the origin', { 0: -1, 5: -1, 10: -1 }, `${SECOND}no mirrored matrix; that of body 1 .* -1`],
    ['sheared by 1e-4', { 4: 1e-4 }, `${SECOND}no sheared matrix; the axes of body 1 have the cosines`],
    ['sheared', { 1: 0.5, 0: Math.sqrt(0.75) }, `${SECOND}no sheared matrix; the axes of body 1`],
    ['longer along y', { 5: 2 }, `${SECOND}one scale along all axes, no non-uniform one; body 1 has 1, 2, 1`],
    ['longer along z by 1e-4', { 10: 1.0001 }, `${SECOND}one scale along all axes, no non-uniform one; body 1`],
    ['flat', { 10: 0 }, `${SECOND}axes of a length above 0 .* body 1 have 1, 1, 0`],
    ['zero', { 0: 0, 5: 0, 10: 0 }, `${SECOND}axes of a length above 0`],
    [
      'a NaN',
      { 6: NaN },
      String.raw`^bodies\.matrices\[22\] is NaN, expected a finite number in the matrix of body 1$`,
    ],
    [
      'infinite',
      { 12: Infinity },
      String.raw`^bodies\.matrices\[28\] is Infinity, expected a finite number in the matrix of body 1$`,
    ],
    [
      'a perspective',
      { 7: 0.5 },
      String.raw`^bodies\.matrices\[23\] is 0\.5, expected 0, as the last row of the matrix of body 1 is 0, 0, 0, 1$`,
    ],
    [
      'homogeneous with another weight',
      { 15: 2 },
      String.raw`^bodies\.matrices\[31\] is 2, expected 1, as the last row`,
    ],
    [
      'too far out',
      { 13: 2e30 },
      String.raw`^bodies\.matrices\[29\] is 2\.\d+e\+30, expected a position of body 1 of at most 1e30`,
    ],
  ] as const)('a matrix that is %s', (_, elements, message) => {
    expect(messageOf({ shapes, matrices: changed(elements) })).toMatch(new RegExp(message));
    expect(messageOf({ shapes, matrices: Float64Array.from(changed(elements)) })).toMatch(new RegExp(message));
  });

  test('a shear and a stretch of less than 1e-5 are rounding', () => {
    for (const elements of [{ 4: 9e-6 } as Record<number, number>, { 1: -9e-6 }, { 10: 1.000009 }, { 0: 0.999992 }]) {
      expect(messageOf({ shapes, matrices: changed(elements) }), JSON.stringify(elements)).toBe('nothing');
    }
  });

  test.each([
    [
      'matrices beside positions',
      { matrices: changed({}), positions: new Float32Array(9) },
      /^bodies\.positions is Float32Array of 9 elements, expected nothing, as there are bodies\.matrices/,
    ],
    [
      'matrices beside scales',
      { matrices: changed({}), scales: new Float32Array(3) },
      /^bodies\.scales is .*expected nothing/,
    ],
    [
      'matrices beside quaternions',
      { matrices: changed({}), quaternions: new Float32Array(12) },
      /^bodies\.quaternions is .*expected nothing/,
    ],
    [
      'matrices as an array',
      { matrices: [...changed({})] },
      /^bodies\.matrices is \[1,0.*expected a Float32Array or Float64Array/,
    ],
    [
      'a matrix too few',
      { matrices: new Float32Array(32) },
      /^bodies\.matrices\.length is 32, expected 48 for 3 bodies/,
    ],
    [
      'an unknown shape',
      { matrices: changed({}), shapes: Uint32Array.of(box, 9, box) },
      /^bodies\.shapes\[1\] is 9, expected the id of a shape/,
    ],
    ['neither', {}, /^bodies\.positions is undefined/],
  ])('%s', (_, given, message) => {
    expect(messageOf({ shapes, ...given })).toMatch(message);
  });
});

test('a matrix with one odd element is refused, or gives a unit quaternion and a scale', () => {
  const odd = [0, -0, NaN, Infinity, -Infinity, 2 ** -149, 2 ** -60, 1e19, 1e30, 1.01e30, 3e38, 1e200, 1, -1, 1 + 1e-5];
  const { matrices } = composed(1, true);
  const shapes = Uint32Array.of(box);
  let refused = 0;
  for (const Type of [Float32Array, Float64Array]) {
    for (let at = 0; at < 16; at++) {
      for (const value of odd) {
        const changed = Type.from(matrices);
        changed[at] = value;
        let posed: PosedBodies;
        try {
          posed = readSpaceBodies({ shapes, matrices: changed }, table).bodies;
        } catch (error) {
          expect((error as NarrowphaseError).code).toBe('INVALID_INPUT');
          refused++;
          continue;
        }
        expect(posed.scales![0], `${value} at ${at}`).toBeGreaterThan(0);
        expect(Math.hypot(...posed.quaternions), `${value} at ${at}`).toBeCloseTo(1, 6);
      }
    }
  }
  expect(refused).toBeGreaterThan(200);
  expect(refused).toBeLessThan(2 * 16 * odd.length);
});
