/** Points in world space as the kernel computes them in integers, beside the host, which adds in double precision. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { INFO_HAS_POINTS, INFO_POINTS_SHIFT, LIST_COUNT, LIST_HEADER } from '../../src/generated/constants.ts';
import { createBufferPool } from '../../src/gpu/buffers.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { createKernels, record } from '../../src/gpu/kernels.ts';
import {
  arraysIn,
  arraysVariant,
  bindArrays,
  layOutArrays,
  writtenFields,
  type ArrayMode,
} from '../../src/gpu/result-arrays.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import { keepRecords, type RecordChunk } from '../../src/records/chunk.ts';
import { createResult, type MutableResult } from '../../src/records/create-result.ts';
import { decodeRecords } from '../../src/records/decode.ts';
import { fieldsOf } from '../../src/records/result-fields.ts';
import type { Numbers } from '../../src/util/arrays.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { readBuffer, storageBuffer } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;
const PAIRS = atNight(4000, 20_000);

type Query = 'contacts' | 'manifolds' | 'impacts';
type Listing = Omit<ArrayMode, 'hasDoubles'>;
type Pick = (random: Random) => number;
type Family = [name: string, coordinate: Pick, time: Pick];

const EVERY_PAIR: Listing = { isListed: false, isGathered: false };
const HITS: Listing = { isListed: true, isGathered: false };
const HITS_OF_BATCH: Listing = { isListed: true, isGathered: true };

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
const families: Family[] = [
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

interface Subject {
  query: Query;
  dimension: Dimension;
  Positions: Float32ArrayConstructor | Float64ArrayConstructor;
}

interface Input {
  bodies: AnyBodies;
  /** Linear velocities. */
  linear: Float32Array;
  pairs: Uint32Array<ArrayBuffer>;
  /** The records of all pairs, and of half of them, listed. */
  all: RecordChunk;
  kept: RecordChunk;
}

/** Bodies, pairs, and records of random words. One record in ten has no points; nothing is added to its words. */
function makeInput({ query, dimension, Positions }: Subject, [, coordinate, timeOf]: Family): Input {
  const random = createRandom(SEED);
  const { dimension: axes, records: layout } = dimension;
  const numbers = <Array extends Float32Array | Float64Array>(Type: new (count: number) => Array, count: number) =>
    new Type(count).map(() => coordinate(random)) as Array;
  const positions = numbers<Float32Array | Float64Array>(Positions, axes * PAIRS);
  if (positions instanceof Float64Array) positions.set([5e-324, -0, 1e30, -1e30]);
  const linear = numbers(Float32Array, axes * PAIRS);
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => below(random, PAIRS));
  const { words, info } = layout.sizes[query];
  const floats = numbers(Float32Array, words * PAIRS).map((number) => (random() < 0.05 ? -0 : number));
  const integers = new Uint32Array(floats.buffer);
  for (let i = 0; i < PAIRS; i++) {
    if (query === 'impacts') floats[words * i + layout.impact.unclampedTime] = timeOf(random);
    const points = query === 'manifolds' ? below(random, layout.manifold.positions.length + 1) : 1;
    integers[words * i + info] = random() < 0.9 ? INFO_HAS_POINTS | (points << INFO_POINTS_SHIFT) : 0;
  }
  const all = { records: floats.buffer, recordCount: PAIRS, firstPair: 0 };
  const bodies = { shapes: new Uint32Array(PAIRS), positions, quaternions: new Float32Array(0) };
  return { bodies, linear, pairs, all, kept: keepRecords(words, all, () => random() < 0.5) };
}

/** The arrays of points, by name. */
function pointNames(query: Query, axes: 2 | 3): string[] {
  const fields = fieldsOf(query, axes);
  return Object.keys(fields).filter((name) => fields[name].type === 'point');
}

/** The arrays of points that the kernel writes. */
async function pointsOfKernel(
  { query, dimension, Positions }: Subject,
  { bodies, linear, pairs, all, kept }: Input,
  { isListed, isGathered }: Listing,
): Promise<Record<string, Numbers>> {
  const { dimension: axes, poseWords, velocityWords } = dimension;
  const { positions } = bodies;
  const mode = { isListed, isGathered, hasDoubles: Positions === Float64Array };
  const variant = arraysVariant(query, dimension, mode);
  const written = writtenFields(fieldsOf(query, axes), pointNames(query, axes), mode);
  const slotCount = isListed ? kept.recordCount : PAIRS;
  const arrays = layOutArrays(written, slotCount);
  const list = new Uint32Array(LIST_HEADER + PAIRS);
  list[LIST_COUNT] = slotCount;
  list.set(kept.listed!, LIST_HEADER);
  const spread = (from: ArrayLike<number>, stride: number): Float32Array<ArrayBuffer> =>
    Float32Array.from({ length: stride * PAIRS }, (_, i) =>
      i % stride < axes ? from[axes * Math.floor(i / stride) + (i % stride)] : 0,
    );
  const bytes = await withoutErrors(device, async () => {
    const kernels = createKernels(device, SOFTWARE);
    await kernels.prepare([variant]);
    const pool = createBufferPool(device, 'point-sums');
    const buffers = {
      poses: storageBuffer(device, 'poses', spread(positions, poseWords)),
      velocities: storageBuffer(device, 'velocities', spread(linear, velocityWords)),
      positions: mode.hasDoubles ? storageBuffer(device, 'positions', Float64Array.from(positions)) : undefined,
      pairs: storageBuffer(device, 'pairs', pairs),
      list: storageBuffer(device, 'list', list),
      records: storageBuffer(device, 'records', new Uint32Array((isGathered ? kept : all).records)),
    };
    const output = pool.get('arrays', arrays.bytes);
    const context = { device, kernels, pool, uniform: pool.uniform };
    // More slots than there are hits: the list ends them.
    const slots = { slotCount: PAIRS, bodyCount: PAIRS, firstPair: 0 };
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    record(pass, [bindArrays(context, variant, slots, { offsets: arrays.offsets, buffer: output }, buffers)]);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const read = await readBuffer(device, output);
    pool.destroy();
    return read;
  });
  return arraysIn(new Uint8Array(bytes), written, slotCount);
}

/** The same arrays as the host decodes them. */
function pointsOfHost(
  { query, dimension }: Subject,
  { bodies, linear, pairs, all, kept }: Input,
  { isListed }: Listing,
): Record<string, Numbers> {
  const { dimension: axes, records: layout } = dimension;
  const chunk = isListed ? kept : all;
  const result = createResult(query, axes, chunk.recordCount, bodies, pointNames(query, axes));
  decodeRecords(query, layout, result, 0, chunk, { bodies, pairs, linear });
  return result as unknown as MutableResult;
}

async function expectSameBits(subject: Subject, family: Family, listing: Listing): Promise<void> {
  const input = makeInput(subject, family);
  const ofKernel = await pointsOfKernel(subject, input, listing);
  const ofHost = pointsOfHost(subject, input, listing);
  for (const name of Object.keys(ofKernel)) {
    const [found, expected] = [wordsOf(ofKernel[name]), wordsOf(ofHost[name])];
    const wrong = [...expected.keys()].filter((i) => found[i] !== expected[i]);
    expect(
      wrong.length && { at: wrong[0], of: wrong.length, found: found[wrong[0]], expected: expected[wrong[0]] },
    ).toBe(0);
    expect(new Set(expected).size).toBeGreaterThan(2);
  }
}

function wordsOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint32Array {
  return new Uint32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4);
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
      await expectSameBits({ query, dimension, Positions }, family, EVERY_PAIR);
    });
    test('listed hits', async () => {
      await expectSameBits({ query, dimension, Positions }, families[0], HITS);
    });
  });
  test.each(['contacts', 'manifolds', 'impacts'] as const)('gathered hits of a batch of %s', async (query) => {
    await expectSameBits({ query, dimension, Positions: Float32Array }, families[0], HITS_OF_BATCH);
  });
});
