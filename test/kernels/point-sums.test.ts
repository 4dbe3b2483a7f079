/** Points in world space as the kernel computes them in integers, beside the host, which adds in double precision. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { INFO_HAS_POINTS, INFO_POINTS_SHIFT } from '../../src/generated/constants.ts';
import { createBufferPool } from '../../src/gpu/buffers.ts';
import { createKernels, record } from '../../src/gpu/kernels.ts';
import { arraysIn, arraysVariant, bindArrays, layOutArrays, writtenFields } from '../../src/gpu/result-arrays.ts';
import { createResult, type MutableResult } from '../../src/records/create-result.ts';
import { decodeRecords } from '../../src/records/decode.ts';
import { fieldsOf } from '../../src/records/result-fields.ts';
import type { QueryResult } from '../../src/api/queries.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { readBuffer, storageBuffer } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const SEED = 20_261_123;
const PAIRS = 20_000;

type Query = 'contacts' | 'manifolds' | 'impacts';
type Pick = (random: Random) => number;

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('point-sums.device');
});
afterAll(() => device?.destroy());

const sign: Pick = (random) => (random() < 0.5 ? -1 : 1);
const ofSizes =
  (low: number, high: number): Pick =>
  (random) =>
    sign(random) * 2 ** (low + (high - low) * random());
const oneOf =
  (...values: number[]): Pick =>
  (random) =>
    sign(random) * values[below(random, values.length)];

/** Coordinates of positions, velocities and points, and times. */
const families: [name: string, coordinate: Pick, time: Pick][] = [
  ['of similar sizes', ofSizes(-4, 4), (random) => random()],
  ['of sizes from 2^-20 to 2^20', ofSizes(-20, 20), ofSizes(-10, 10)],
  ['of all sizes', ofSizes(-149, 99), ofSizes(-30, 30)],
  [
    'that are often in the middle of two numbers',
    oneOf(0, 1, 2 ** -24, 2 ** -25, 2 ** -53, 1 + 2 ** -23),
    oneOf(1, 0.5),
  ],
  ['that cancel', oneOf(0, 1, 2, 3, 1 + 2 ** -23, 2 ** -149), oneOf(0, 1, 2)],
  ['that are denormal', ofSizes(-149, -120), ofSizes(-10, 10)],
  ['beyond the range of f32', ofSizes(90, 99), ofSizes(20, 60)],
  ['at times that are none', ofSizes(-4, 4), oneOf(Infinity, NaN, 0, 1)],
];

function wordsOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint32Array {
  return new Uint32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4);
}

/** Records with random words and the given coordinates, and the points that kernel and host make of them. */
async function pointsOf(
  query: Query,
  dimension: Dimension,
  Positions: Float32ArrayConstructor | Float64ArrayConstructor,
  [, coordinate, timeOf]: (typeof families)[number],
): Promise<{ found: Uint32Array; expected: Uint32Array }[]> {
  const random = createRandom(SEED);
  const { dimension: axes, records: layout, poseWords, velocityWords } = dimension;
  const numbers = <Array extends Float32Array | Float64Array>(Type: new (count: number) => Array, count: number) =>
    new Type(count).map(() => coordinate(random)) as Array;
  const positions = numbers<Float32Array | Float64Array>(Positions, axes * PAIRS);
  if (positions instanceof Float64Array) positions.set([5e-324, -0, 1e30, -1e30]);
  const linear = numbers(Float32Array, axes * PAIRS);
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => below(random, PAIRS));
  const { words, info } = layout.sizes[query];
  const floats = numbers(Float32Array, words * PAIRS);
  const integers = new Uint32Array(floats.buffer);
  for (let i = 0; i < PAIRS; i++) {
    if (query === 'impacts') floats[words * i + layout.impact.unclampedTime] = timeOf(random);
    const points = query === 'manifolds' ? below(random, layout.manifold.positions.length + 1) : 1;
    integers[words * i + info] = random() < 0.9 ? INFO_HAS_POINTS | (points << INFO_POINTS_SHIFT) : 0;
    // Records without points have zeros in their place.
    if (integers[words * i + info] === 0) integers.fill(0, words * i, words * i + words);
    else if (query === 'manifolds')
      for (const word of layout.manifold.positions.slice(points))
        floats.fill(0, words * i + word, words * i + word + axes);
  }

  const hasDoubles = positions instanceof Float64Array;
  const fields = fieldsOf(query, axes);
  const names = Object.keys(fields).filter((name) => fields[name].type === 'point');
  const mode = { isListed: false, isGathered: false, hasDoubles };
  const variant = arraysVariant(query, dimension, mode);
  const written = writtenFields(fields, names, mode);
  const arrays = layOutArrays(written, PAIRS);
  const bytes = await withoutErrors(device, async () => {
    const kernels = createKernels(device);
    await kernels.prepare([variant]);
    const pool = createBufferPool(device, 'point-sums');
    const spread = (from: ArrayLike<number>, stride: number): Float32Array<ArrayBuffer> =>
      Float32Array.from({ length: stride * PAIRS }, (_, i) =>
        i % stride < axes ? from[axes * Math.floor(i / stride) + (i % stride)] : 0,
      );
    const pairBuffer = storageBuffer(device, 'pairs', pairs);
    const buffers = {
      poses: storageBuffer(device, 'poses', spread(positions, poseWords)),
      velocities: storageBuffer(device, 'velocities', spread(linear, velocityWords)),
      positions: hasDoubles ? storageBuffer(device, 'positions', Float64Array.from(positions)) : undefined,
      pairs: pairBuffer,
      list: pairBuffer,
      records: storageBuffer(device, 'records', integers),
    };
    const output = pool.get('arrays', arrays.bytes);
    const context = { device, kernels, pool, uniform: pool.uniform };
    const slots = { slotCount: PAIRS, bodyCount: PAIRS, firstPair: 0 };
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    record(pass, [bindArrays(context, variant, slots, arrays, buffers, output)]);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const read = await readBuffer(device, output);
    pool.destroy();
    return read;
  });

  const bodies = { shapes: new Uint32Array(PAIRS), positions, quaternions: new Float32Array(0) };
  const expected = createResult(query, axes, PAIRS, bodies, names) as unknown as MutableResult;
  const chunk = { records: integers.buffer, recordCount: PAIRS, firstPair: 0 };
  decodeRecords(query, layout, expected as unknown as QueryResult, 0, chunk, { bodies, pairs, linear });
  const found = arraysIn(new Uint8Array(bytes), written, PAIRS);
  return names.map((name) => ({ found: wordsOf(found[name]), expected: wordsOf(expected[name]) }));
}

describe.each([dimension3, dimension2])('$dimension axes', (dimension) => {
  const cases = [
    ['impacts', Float32Array],
    ['impacts', Float64Array],
    ['contacts', Float64Array],
    ['manifolds', Float64Array],
  ] as const;
  describe.each(cases)('%s of positions in %o', (query, Positions) => {
    test.each(families)('numbers %s', async (...family) => {
      for (const { found, expected } of await pointsOf(query, dimension, Positions, family)) {
        const wrong = [...found.keys()].filter((i) => found[i] !== expected[i]);
        expect(
          wrong.length && { at: wrong[0], of: wrong.length, found: found[wrong[0]], expected: expected[wrong[0]] },
        ).toBe(0);
        expect(new Set(expected).size).toBeGreaterThan(2);
      }
    });
  });
});
