/** What ray casts refuse, and what they make of nothing, in both dimensions. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Bodies, type Rays, type Tester } from '../../src/api/types.ts';

const NO_BODY = 0xffff_ffff;

/** Zeros, but for the value at one place. */
function floats(count: number, at = 0, value = 0): Float32Array {
  return new Float32Array(count).fill(value, at, at + 1);
}

describe.each([
  { dimension: 3, rotations: 'quaternions' },
  { dimension: 2, rotations: 'angles' },
] as const)('in $dimension dimensions', ({ dimension, rotations }) => {
  let gpu: Tester;
  let cpu: Tester;
  beforeAll(async () => {
    // Rays of both dimensions have the same fields, of as many numbers as there are axes.
    gpu = (await createTester({ dimension, backend: 'webgpu' })) as unknown as Tester;
    cpu = (await createTester({ dimension, backend: 'cpu' })) as unknown as Tester;
  });
  afterAll(() => {
    gpu?.dispose();
    cpu?.dispose();
  });

  const nobody = { shapes: new Uint32Array(0), positions: floats(0), [rotations]: floats(0) } as unknown as Bodies;
  const one = { origins: floats(dimension), directions: floats(dimension) };
  const last = dimension - 1;
  const cases: [string, unknown][] = [
    ['rays', null],
    ['rays.origins', { ...one, origins: Array.from(one.origins) }],
    ['rays.origins.length', { ...one, origins: floats(dimension + 1) }],
    ['rays.origins[1]', { ...one, origins: floats(dimension, 1, NaN) }],
    ['rays.directions', { origins: one.origins }],
    ['rays.directions.length', { ...one, directions: floats(dimension + 1) }],
    ['rays.directions.length', { ...one, directions: floats(2 * dimension) }],
    [`rays.directions[${last}]`, { ...one, directions: floats(dimension, last, Infinity) }],
    ['rays.maxTimes', { ...one, maxTimes: [1] }],
    ['rays.maxTimes.length', { ...one, maxTimes: floats(2) }],
    ['rays.maxTimes[0]', { ...one, maxTimes: floats(1, 0, -1) }],
    ['rays.maxTimes[0]', { ...one, maxTimes: floats(1, 0, NaN) }],
    ['rays.radii.length', { ...one, radii: floats(2) }],
    ['rays.radii[0]', { ...one, radii: floats(1, 0, -1) }],
    ['rays.radii[0]', { ...one, radii: floats(1, 0, Infinity) }],
  ];

  test.each(cases)('%s is named', async (field, given) => {
    await expect(cpu.rayCasts(nobody, given as Rays)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(`^${field.replace(/[[\]]/g, '\\$&')} is`) as string,
    });
  });

  test('no rays and no bodies are no error', async () => {
    expect((await gpu.rayCasts(nobody, { origins: floats(0), directions: floats(0) })).count).toBe(0);
    const zeros = Array.from(one.origins);
    expect([...(await gpu.rayCasts(nobody, one))]).toEqual([
      { ray: 0, body: NO_BODY, time: Infinity, status: Status.Separated, normal: zeros, point: zeros },
    ]);
  });
});
