/**
 * Batches on a caller's own device and buffers, which the host never sees, and a caller's shader that goes on from
 * their output.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { Batch } from '../../src/api/batch.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import { createTester } from '../../src/node.ts';
import { Status, type Contacts, type Intersections, type Tester } from '../../src/api/types.ts';
import { LIST_HEADER, layouts, resultsWgsl, shapesWgsl } from '../../src/wgsl.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { differences, readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { ballDistance, ballPairs, balls, ballShapes, overlappingBalls } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const BODIES = balls.shapes.length;
const PAIRS = 5000;
const pairs = ballPairs(PAIRS);
const overlapping = overlappingBalls(pairs);

let device: GPUDevice;
let tester: Tester;
let poses: GPUBuffer;
let shapes: GPUBuffer;
let pairBuffer: GPUBuffer;

beforeAll(async () => {
  device = await openDefaultDevice('batch-buffers.device');
  tester = await createTester({ device });
  useShapes(tester, ballShapes);
  poses = storageBuffer(device, 'test.poses', packBodies(balls, dimension3).poses);
  shapes = storageBuffer(device, 'test.shapes', balls.shapes as Uint32Array<ArrayBuffer>);
  pairBuffer = storageBuffer(device, 'test.pairs', pairs as Uint32Array<ArrayBuffer>);
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

function countBuffer(count: number): GPUBuffer {
  return storageBuffer(device, 'test.pairCount', Uint32Array.of(count));
}

/** A batch on the buffers above, answered for `count` pairs. */
async function withBatch<T>(
  count: number,
  options: Partial<BatchOptions<'contacts'>>,
  use: (batch: Batch<Contacts>) => Promise<T>,
): Promise<T> {
  return withoutErrors(device, async () => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: BODIES,
      maxPairs: PAIRS,
      poses,
      shapes,
      pairs: pairBuffer,
      pairCount: countBuffer(count),
      ...options,
    });
    submit(batch as never);
    const result = await use(batch);
    batch.dispose();
    return result;
  });
}

describe("a caller's buffers", () => {
  test('are read in place, and give the answers of the query', async () => {
    for (const results of ['all', 'hits'] as const) {
      const expected = await tester.contacts(balls, pairs, { results });
      const found = await withBatch(PAIRS, { results }, (batch) => {
        expect(batch.input).toMatchObject({ poses, shapes, pairs: pairBuffer });
        expect(batch.device).toBe(device);
        return batch.read();
      });
      expect(differences(found, expected)).toEqual([]);
    }
  });

  test('may be written by a compute shader in the same encoder', async () => {
    const count = device.createBuffer({ label: 'test.pairCount', size: 4, usage: 128 | 4 });
    const made = device.createBuffer({ label: 'test.pairs', size: 8 * PAIRS, usage: 128 });
    const module = device.createShaderModule({
      code: `
        ${shapesWgsl}
        @group(0) @binding(0) var<storage, read> poses: array<Pose>;
        @group(0) @binding(1) var<storage, read_write> pairs: array<vec2u>;
        @group(0) @binding(2) var<storage, read_write> pairCount: u32;
        // Each ball and the next, as long as the next is to the right.
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3u) {
          if (id.x < 1000u && poses[id.x + 1u].position.x > poses[id.x].position.x) {
            pairs[id.x] = vec2u(id.x, id.x + 1u);
          }
          if (id.x == 0u) {
            pairCount = 1000u;
          }
        }`,
    });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [poses, made, count].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: BODIES,
      maxPairs: PAIRS,
      poses,
      shapes,
      pairs: made,
      pairCount: count,
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(16);
    pass.end();
    batch.encode(encoder);
    device.queue.submit([encoder.finish()]);
    const found = await batch.read();
    expect(found.count).toBe(1000);
    expect(found.distance.every((distance) => distance === 0.25 - 0.875)).toBe(true);
    batch.dispose();
  });

  test('bodies may be the caller’s and pairs the batch’s own, and the other way round', async () => {
    const expected = await tester.contacts(balls, pairs);
    const own = await tester.createBatch({ query: 'contacts', maxBodies: BODIES, maxPairs: PAIRS, poses, shapes });
    expect(() => own.write({ bodies: balls, pairs })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/^bodies is/) }),
    );
    own.write({ pairs });
    submit(own as never);
    expect(differences(await own.read(), expected)).toEqual([]);
    const other = await tester.createBatch({
      query: 'contacts',
      maxBodies: BODIES,
      maxPairs: PAIRS,
      pairs: pairBuffer,
    });
    expect(() => other.write({ pairs })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/^pairs is/) }),
    );
    other.write({ bodies: balls });
    submit(other as never);
    // Without a buffer for their number there are as many as there is room for.
    expect(differences(await other.read(), expected)).toEqual([]);
    own.dispose();
    other.dispose();
  });

  test('outlive the batch', async () => {
    await withBatch(PAIRS, {}, (batch) => batch.read());
    expect(new Uint32Array(await readBuffer(device, pairBuffer))).toEqual(pairs);
  });
});

describe('numbers of pairs and hits that only the GPU knows', () => {
  test('fewer pairs than there is room for', async () => {
    for (const count of [0, 1, 63, 64, 65, 4097]) {
      const [found, counts] = await withBatch(count, {}, (batch) => Promise.all([batch.read(), batch.readCounts()]));
      expect(found.count).toBe(count);
      expect(counts).toMatchObject({ pairs: count, pairOverflow: 0 });
      expect(found.statusCounts).toEqual(counts.statusCounts);
      expect(counts.hits).toBe(overlapping.filter((pair) => pair < count).length);
    }
  });

  test.each(['all', 'hits'] as const)(
    "more pairs than there is room for are counted, and nothing is written where they would be, results: '%s'",
    async (results) => {
      const room = 1000;
      for (const given of [room + 1, PAIRS, 0xffff_ffff]) {
        await withBatch(given, { maxPairs: room, results }, async (batch) => {
          const counts = await batch.readCounts();
          expect(counts).toMatchObject({ pairs: room, pairOverflow: given - room });
          expect(counts.statusCounts.reduce((sum, n) => sum + n)).toBe(room);
          const found = await batch.read();
          const expected = await tester.contacts(balls, pairs.subarray(0, 2 * room), { results });
          expect(differences(found, expected)).toEqual([]);
          // The buffers end where the room does: out of bounds is caught by their sizes.
          expect(batch.output.records.size).toBe(layouts.Contact.size * room);
        });
      }
    },
  );

  test('more hits than there is room for are counted, and the first ones are there', async () => {
    for (const maxHits of [1, 100, overlapping.length - 1, overlapping.length, PAIRS]) {
      await withBatch(PAIRS, { results: 'hits', maxHits }, async (batch) => {
        const counts = await batch.readCounts();
        expect(counts).toMatchObject({
          pairs: PAIRS,
          hits: overlapping.length,
          hitOverflow: Math.max(0, overlapping.length - maxHits),
        });
        const found = await batch.read();
        expect(Array.from(found.pair)).toEqual(Array.from(overlapping.subarray(0, maxHits)));
        expect(Array.from(found.distance)).toEqual(Array.from(found.pair, (pair) => ballDistance(pairs, pair)));
        expect(found.statusCounts).toEqual([PAIRS - overlapping.length, overlapping.length, 0, 0, 0]);
        // The list of pairs has them all.
        const list = new Uint32Array(await readBuffer(device, batch.output.hits!));
        expect(list[1]).toBe(overlapping.length);
        expect(list.subarray(LIST_HEADER, LIST_HEADER + overlapping.length)).toEqual(overlapping);
      });
    }
  });
});

/** A pose's words from a field on. */
function word(packed: Float32Array<ArrayBuffer>, body: number, field: keyof typeof layouts.Pose.fields): Float32Array {
  return packed.subarray((layouts.Pose.size * body + layouts.Pose.fields[field].offset) / 4);
}

describe('bad data that only the GPU sees', () => {
  test.each(['intersects', 'distances', 'contacts'] as const)(
    'is invalid input for its own pairs alone: %s',
    async (query) => {
      const data = packBodies(balls, dimension3).poses;
      const ids = Uint32Array.from(balls.shapes);
      const given = Uint32Array.from(pairs);
      word(data, 100, 'position')[1] = NaN;
      word(data, 200, 'quaternion')[3] = 0;
      word(data, 300, 'scale')[0] = -1;
      word(data, 400, 'position')[0] = Infinity;
      ids[500] = 77;
      ids[600] = 0xffff_ffff;
      given.set([BODIES, 0], 20);
      given.set([0, 0xffff_ffff], 2000);
      const badBodies = new Set([100, 200, 300, 400, 500, 600, BODIES, 0xffff_ffff]);
      const isBad = (pair: number): boolean => badBodies.has(given[2 * pair]) || badBodies.has(given[2 * pair + 1]);
      const bad = Array.from({ length: PAIRS }, (_, pair) => pair).filter(isBad);
      expect(bad.length).toBeGreaterThan(10);
      const options = {
        query,
        maxBodies: BODIES,
        maxPairs: PAIRS,
        margin: Infinity,
        poses: storageBuffer(device, 'poses', data),
        shapes: storageBuffer(device, 'shapes', ids),
        pairs: storageBuffer(device, 'pairs', given),
      };
      const batch: Batch<Intersections | Contacts> = await tester.createBatch<'intersects' | 'contacts'>(
        options as never,
      );
      const found = await withoutErrors(device, () => {
        submit(batch as never);
        return batch.read();
      });
      expect(found.statusCounts[Status.InvalidInput]).toBe(bad.length);
      expect(Array.from(found.pair).filter((pair) => found.status[pair] === Status.InvalidInput)).toEqual(bad);
      const expected = await tester[query](balls, pairs, { margin: Infinity });
      const good = Array.from(found.pair).filter((pair) => !isBad(pair));
      expect(good.map((pair) => found.status[pair])).toEqual(good.map((pair) => expected.status[pair]));
      if ('distance' in found && 'distance' in expected) {
        expect(good.map((pair) => found.distance[pair])).toEqual(good.map((pair) => expected.distance[pair]));
        expect(bad.every((pair) => found.distance[pair] === 0 && found.pointA[3 * pair] === 0)).toBe(true);
      }
      batch.dispose();
    },
  );
});

test("a caller's shader sums impulses over the hits in the same encoder, with no read-back in between", async () => {
  const module = device.createShaderModule({
    code: `
      ${resultsWgsl}
      @group(0) @binding(0) var<storage, read> contacts: array<Contact>;
      @group(0) @binding(1) var<storage, read> counts: Counts;
      @group(0) @binding(2) var<storage, read> hits: array<u32>;
      @group(0) @binding(3) var<storage, read> pairs: array<vec2u>;
      // In 1/1024, as floats have no atomics.
      @group(0) @binding(4) var<storage, read_write> impulses: array<atomic<i32>>;
      @compute @workgroup_size(64)
      fn main(@builtin(global_invocation_id) id: vec3u) {
        if (id.x >= counts.hits - counts.hitOverflow || (contacts[id.x].info & INFO_STATUS_MASK) != STATUS_OVERLAPPING) {
          return;
        }
        let pair = pairs[hits[${LIST_HEADER}u + id.x]];
        let push = i32(round(1024.0 * contacts[id.x].distance * contacts[id.x].normal.x));
        atomicAdd(&impulses[pair.x], push);
        atomicSub(&impulses[pair.y], push);
      }`,
  });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const impulses = device.createBuffer({ label: 'test.impulses', size: 4 * BODIES, usage: 128 | 4 });
  const batch = await tester.createBatch({
    query: 'contacts',
    maxBodies: BODIES,
    maxPairs: PAIRS,
    results: 'hits',
    poses,
    shapes,
    pairs: pairBuffer,
  });
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [batch.output.records, batch.output.counts, batch.output.hits!, batch.input.pairs, impulses].map(
      (buffer, binding) => ({ binding, resource: { buffer } }),
    ),
  });
  await withoutErrors(device, async () => {
    const encoder = device.createCommandEncoder();
    batch.encode(encoder);
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(PAIRS / 64));
    pass.end();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
  });
  const expected = new Int32Array(BODIES);
  for (const pair of overlapping) {
    const push = 1024 * ballDistance(pairs, pair);
    expected[pairs[2 * pair]] += push;
    expected[pairs[2 * pair + 1]] -= push;
  }
  expect(expected.some((push) => push !== 0)).toBe(true);
  expect(new Int32Array(await readBuffer(device, impulses))).toEqual(expected);
  batch.dispose();
});
