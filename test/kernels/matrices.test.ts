/**
 * Bodies by matrix on the GPU, in queries and batches: the same bits as the positions, rotations and scales in them.
 */

import { Matrix4, Quaternion, Vector3 } from 'three';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { posesOfMatrices } from '../../src/records/matrices.ts';
import type { Tester } from '../../src/api/types.ts';
import { createRandom, spread, uniform, unitVector } from '../../verification/families/random.ts';
import { differences, frame } from '../helpers/batch.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';

const SEED = 20_261_210;
const COUNT = 600;

let tester: Tester;

beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, [
    { type: 'sphere', radius: 0.75 },
    { type: 'capsule', halfHeight: 1, radius: 0.5 },
  ]);
});

afterAll(() => tester?.dispose());

const random = createRandom(SEED);
const shapes = Uint32Array.from({ length: COUNT }, (_, i) => i % 2);
const pairs = Uint32Array.from({ length: COUNT }, (_, i) => i);
const matrices = new Float32Array(16 * COUNT);
for (let i = 0; i < COUNT; i++) {
  const position = new Vector3(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
  const rotation = new Quaternion(...(unitVector(random, [0, 0, 0, 0]) as [number, number, number, number]));
  new Matrix4().compose(position, rotation, new Vector3().setScalar(spread(random, 2, 3))).toArray(matrices, 16 * i);
}

test('queries give the bits of positions, rotations and scales', async () => {
  for (const given of [matrices, Float64Array.from(matrices)]) {
    const found = await tester.contacts({ shapes, matrices: given }, pairs);
    expect(differences(found, await tester.contacts(posesOfMatrices({ shapes, matrices: given }), pairs))).toEqual([]);
    expect(found.statusCounts[1]).toBeGreaterThan(COUNT / 10);
  }
});

test('a batch takes f32 matrices, and refuses 64-bit ones by name', async () => {
  const batch = await tester.createBatch({ query: 'contacts', maxBodies: COUNT, maxPairs: COUNT / 2 });
  const expected = await frame(batch, { bodies: posesOfMatrices({ shapes, matrices }), pairs });
  batch.write({
    bodies: { shapes, positions: new Float32Array(3 * COUNT), quaternions: new Float32Array(4 * COUNT).fill(1) },
  });
  expect(differences(await frame(batch, { bodies: { shapes, matrices } }), expected)).toEqual([]);
  expect(expected.statusCounts[1]).toBeGreaterThan(COUNT / 10);
  expect(() => batch.write({ bodies: { shapes, matrices: Float64Array.from(matrices) } })).toThrow(
    /^bodies\.matrices is Float64Array of 9600 elements, expected a Float32Array/,
  );
  const mirrored = Float32Array.from(matrices, (x, k) => (k < 3 ? -x : x));
  expect(() => batch.write({ bodies: { shapes, matrices: mirrored } })).toThrow(
    /^bodies\.matrices\[0\.\.15\] is .*, expected no mirrored matrix/,
  );
  batch.dispose();
});
