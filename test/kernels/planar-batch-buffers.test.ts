/**
 * Batches of two-dimensional testers over buffers of the caller's, whose shaders can write them and go on from the
 * output.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import { createTester } from '../../src/node.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import type { QueryName } from '../../src/api/queries.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { LIST_HEADER, layouts, planarResultsWgsl, planarShapesWgsl, resultsWgsl, shapesWgsl } from '../../src/wgsl.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { ballDistance, ballPairs, overlappingBalls } from '../helpers/balls.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { discs, discShapes, usePlanarShapes } from '../helpers/planar-tester.ts';

const NOTHING = 0xffff_ffff;

let device: GPUDevice;
let tester: PlanarTester;

beforeAll(async () => {
  device = await openDefaultDevice('planar-batch-buffers.device');
  tester = await createTester({ dimension: 2, device });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

describe("a caller's buffers", () => {
  const COUNT = 5000;
  const BODIES = discs.shapes.length;
  const pairs = ballPairs(COUNT);
  const overlapping = overlappingBalls(pairs);
  let poses: GPUBuffer;
  let shapes: GPUBuffer;
  let pairBuffer: GPUBuffer;

  beforeAll(() => {
    usePlanarShapes(tester, discShapes);
    poses = storageBuffer(device, 'test.poses', packBodies(discs, dimension2).poses);
    shapes = storageBuffer(device, 'test.shapes', discs.shapes as Uint32Array<ArrayBuffer>);
    pairBuffer = storageBuffer(device, 'test.pairs', pairs as Uint32Array<ArrayBuffer>);
  });

  test('are read in place, and hold as many pairs and hits as the GPU says', async () => {
    for (const [count, maxHits] of [
      [0, COUNT],
      [1, COUNT],
      [65, COUNT],
      [COUNT, COUNT],
      [COUNT, 100],
      [COUNT + 1, COUNT],
      [NOTHING, COUNT],
    ]) {
      const pairCount = storageBuffer(device, 'test.pairCount', Uint32Array.of(count));
      const options: BatchOptions<'contacts'> = {
        query: 'contacts',
        maxBodies: BODIES,
        maxPairs: COUNT,
        poses,
        shapes,
        pairs: pairBuffer,
        pairCount,
        results: 'hits',
        maxHits,
      };
      const batch = await tester.createBatch(options);
      submit(batch);
      const [found, counts] = await withoutErrors(device, () => Promise.all([batch.read(), batch.readCounts()]));
      const answered = Math.min(count, COUNT);
      const hits = overlapping.filter((pair) => pair < answered);
      expect(counts).toMatchObject({
        pairs: answered,
        pairOverflow: count - answered,
        hits: hits.length,
        hitOverflow: Math.max(0, hits.length - maxHits),
      });
      expect(Array.from(found.pair)).toEqual(Array.from(hits.subarray(0, maxHits)));
      expect(Array.from(found.distance)).toEqual(Array.from(found.pair, (pair) => ballDistance(pairs, pair)));
      expect(found.statusCounts).toEqual([answered - hits.length, hits.length, 0, 0, 0]);
      batch.dispose();
    }
  });

  test('poses that no host would let pass are invalid for their own pairs alone', async () => {
    const data = packBodies(discs, dimension2).poses;
    const word = (body: number, field: keyof typeof layouts.PlanarPose.fields): Float32Array =>
      data.subarray((layouts.PlanarPose.size * body + layouts.PlanarPose.fields[field].offset) / 4);
    const ids = Uint32Array.from(discs.shapes);
    const given = Uint32Array.from(pairs);
    word(100, 'position')[1] = NaN;
    word(200, 'angle')[0] = NaN;
    word(250, 'angle')[0] = 8193;
    word(300, 'scale')[0] = -1;
    word(400, 'position')[0] = Infinity;
    ids[500] = 77;
    given.set([BODIES, 0], 20);
    given.set([0, NOTHING], 2000);
    // As far as it goes.
    word(600, 'angle')[0] = -8192;
    const badBodies = new Set([100, 200, 250, 300, 400, 500, BODIES, NOTHING]);
    const isBad = (pair: number): boolean => badBodies.has(given[2 * pair]) || badBodies.has(given[2 * pair + 1]);
    const buffers = {
      poses: storageBuffer(device, 'poses', data),
      shapes: storageBuffer(device, 'shapes', ids),
      pairs: storageBuffer(device, 'pairs', given),
    };
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: BODIES,
      maxPairs: COUNT,
      margin: Infinity,
      ...buffers,
    });
    const found = await withoutErrors(device, () => {
      submit(batch);
      return batch.read();
    });
    const bad = Array.from(found.pair).filter(isBad);
    expect(bad.length).toBeGreaterThan(5);
    expect(Array.from(found.pair).filter((pair) => found.status[pair] === Status.InvalidInput)).toEqual(bad);
    const zero = {
      status: Status.InvalidInput,
      distance: 0,
      normal: [0, 0],
      pointA: [0, 0],
      pointB: [0, 0],
      featureA: 0,
      featureB: 0,
      iterations: 0,
    };
    for (const item of found) {
      if (isBad(item.pair)) expect(item).toEqual({ pair: item.pair, ...zero });
      // One body is turned, by an angle that has no exact sine.
      else
        expect(Math.abs(item.distance - ballDistance(given, item.pair)), `pair ${item.pair}`).toBeLessThanOrEqual(
          TOLERANCE.kernels,
        );
    }
    batch.dispose();
  });

  test('may be written by a shader with PlanarPose records, whose hits another goes on from, with no read-back in between', async () => {
    // The records of both dimensions stand beside each other.
    const compute = (code: string, buffers: GPUBuffer[], groups: number) => {
      const module = device.createShaderModule({ code });
      const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
      const bindGroup = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
      return (encoder: GPUCommandEncoder): void => {
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindGroup);
        pass.dispatchWorkgroups(groups);
        pass.end();
      };
    };
    const made = device.createBuffer({ label: 'test.made', size: layouts.PlanarPose.size * BODIES, usage: 128 });
    const impulses = device.createBuffer({ label: 'test.impulses', size: 4 * BODIES, usage: 128 | 4 });
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: BODIES,
      maxPairs: COUNT,
      results: 'hits',
      poses: made,
      shapes,
      pairs: pairBuffer,
    });
    const place = compute(
      `${shapesWgsl} ${planarShapesWgsl}
      @group(0) @binding(0) var<storage, read_write> poses: array<PlanarPose>;
      @compute @workgroup_size(64)
      fn main(@builtin(global_invocation_id) id: vec3u) {
        poses[id.x] = PlanarPose(vec2f(0.25 * f32(id.x), 0.0), 0.5, 1.0);
      }`,
      [made],
      BODIES / 64,
    );
    const sum = compute(
      `${resultsWgsl} ${planarResultsWgsl}
      @group(0) @binding(0) var<storage, read> contacts: array<PlanarContact>;
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
      [batch.output.records, batch.output.counts, batch.output.hits!, batch.input.pairs, impulses],
      Math.ceil(COUNT / 64),
    );
    await withoutErrors(device, async () => {
      const encoder = device.createCommandEncoder();
      place(encoder);
      batch.encode(encoder);
      sum(encoder);
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
    });
    const expected = new Int32Array(BODIES);
    for (const pair of overlapping) {
      const push = Math.round(1024 * ballDistance(pairs, pair));
      expected[pairs[2 * pair]] += push;
      expected[pairs[2 * pair + 1]] -= push;
    }
    expect(expected.some((push) => push !== 0)).toBe(true);
    expect(new Int32Array(await readBuffer(device, impulses))).toEqual(expected);
    batch.dispose();
  });

  test.each(['PlanarDistance', 'PlanarContact', 'PlanarManifold', 'PlanarImpact'] as const)(
    'output records are %s by the published layout and struct',
    async (name) => {
      const query = (
        {
          PlanarDistance: 'distances',
          PlanarContact: 'contacts',
          PlanarManifold: 'manifolds',
          PlanarImpact: 'impacts',
        } as const
      )[name] satisfies QueryName;
      const batch = await tester.createBatch({
        query,
        maxBodies: BODIES,
        maxPairs: 64,
        ...(query === 'impacts' && { duration: 1 }),
      } as BatchOptions<typeof query>);
      const few = pairs.subarray(0, 128);
      batch.write({
        bodies: {
          ...discs,
          ...(query === 'impacts' && {
            linearVelocities: new Float32Array(2 * BODIES).map((_, i) => (i % 2 ? 0 : (i % 3) - 1)),
          }),
        },
        pairs: few,
      });
      submit(batch);
      expect(batch.output.records.size).toBe(64 * layouts[name].size);
      // The struct's own fields, one after the other, as a shader has them.
      const { fields } = layouts[name];
      const words = Object.values(fields).reduce((total, { length }) => total + length, 0);
      const stores = Object.entries(fields).flatMap(([field, { type, length }]) =>
        Array.from({ length }, (_, k) => {
          const value = `records[id.x].${field}${length > 1 ? `[${k}]` : ''}`;
          return type === 'f32' ? `bitcast<u32>(${value})` : value;
        }),
      );
      const out = device.createBuffer({ label: 'test.out', size: 4 * words * 64, usage: 128 | 4 });
      const module = device.createShaderModule({
        code: `${planarResultsWgsl}
        @group(0) @binding(0) var<storage, read> records: array<${name}>;
        @group(0) @binding(1) var<storage, read_write> fields: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3u) {
          ${stores.map((store, i) => `fields[${words}u * id.x + ${i}u] = ${store};`).join('\n')}
        }`,
      });
      const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(
        0,
        device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: [batch.output.records, out].map((buffer, binding) => ({ binding, resource: { buffer } })),
        }),
      );
      pass.dispatchWorkgroups(1);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const seen = new Uint32Array(await readBuffer(device, out));
      const raw = new Uint32Array(await readBuffer(device, batch.output.records));
      for (let record = 0; record < 64; record++) {
        const expected = Object.values(fields).flatMap(({ offset, length }) =>
          Array.from(
            raw.subarray(
              (layouts[name].size * record + offset) / 4,
              (layouts[name].size * record + offset) / 4 + length,
            ),
          ),
        );
        expect(Array.from(seen.subarray(words * record, words * (record + 1)))).toEqual(expected);
      }
      // And what `read` makes of them.
      const found = await batch.read();
      const { info } = fields;
      expect(Array.from(found.status)).toEqual(
        Array.from({ length: 64 }, (_, record) => raw[(layouts[name].size * record + info.offset) / 4] & 7),
      );
      expect(new Set(found.status)).toEqual(new Set([Status.Separated, Status.Overlapping]));
      batch.dispose();
    },
  );
});
