/**
 * Indirect dispatch from a batch's output: the caller's pass has an invocation for every record, however many there
 * are.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { Batch } from '../../src/api/batch.ts';
import { createTester } from '../../src/node.ts';
import type { Contacts, Tester } from '../../src/api/types.ts';
import { resultsWgsl } from '../../src/wgsl.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

/** Balls of radius 0.5 in a row, pair i of balls i and i + 1. The first ones overlap, the others are 0.25 apart. */
const PAIRS = 70_000;
const HITS = 66_000;
const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => (i >> 1) + (i & 1));
const positions = new Float32Array(3 * (PAIRS + 1));
for (let body = 1, x = 0; body <= PAIRS; body++) positions[3 * body] = x += body <= HITS ? 0.25 : 1.25;
const quaternions = Float32Array.from({ length: 4 * (PAIRS + 1) }, (_, i) => (i % 4 === 3 ? 1 : 0));
const bodies = { shapes: new Uint32Array(PAIRS + 1), positions, quaternions };

let device: GPUDevice;
let tester: Tester;
/** The most workgroups in a row. */
let row: number;

beforeAll(async () => {
  device = await openDefaultDevice('batch-dispatch.device');
  row = device.limits.maxComputeWorkgroupsPerDimension;
  tester = await createTester({ device });
  tester.addShape({ type: 'sphere', radius: 0.5 });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

async function withBatch<T>(
  count: number,
  options: Partial<BatchOptions<'contacts'>>,
  use: (batch: Batch<Contacts>) => Promise<T>,
): Promise<T> {
  return withoutErrors(device, async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: PAIRS + 1, maxPairs: PAIRS, ...options });
    batch.write({ bodies, pairs: pairs.subarray(0, 2 * count) });
    submit(batch);
    const result = await use(batch);
    batch.dispose();
    return result;
  });
}

/** The grid for so many records. */
function gridOf(records: number, workgroupSize: number): number[] {
  const workgroups = Math.ceil(records / workgroupSize);
  return [Math.min(workgroups, row), Math.max(1, Math.ceil(workgroups / row)), 1];
}

async function dispatchOf({ output }: Batch<Contacts>): Promise<number[]> {
  return Array.from(new Uint32Array(await readBuffer(device, output.dispatch, 12)));
}

describe('the counts of workgroups', () => {
  test.each([1, 64, 100, 256])('for every pair, workgroups of %d', async (workgroupSize) => {
    for (const count of [0, 1, workgroupSize, workgroupSize + 1, PAIRS]) {
      const found = await withBatch(count, { workgroupSize }, dispatchOf);
      expect(found, `${count} pairs`).toEqual(gridOf(count, workgroupSize));
    }
  });

  test.each([1, 64])('for the hits that there are records of, workgroups of %d', async (workgroupSize) => {
    for (const [count, maxHits] of [
      [0, PAIRS],
      [1000, PAIRS],
      [PAIRS, PAIRS],
      [PAIRS, 1000],
      [PAIRS, HITS],
    ]) {
      const found = await withBatch(count, { workgroupSize, maxHits, results: 'hits' }, dispatchOf);
      const expected = gridOf(Math.min(count, HITS, maxHits), workgroupSize);
      expect(found, `${count} pairs, room for ${maxHits}`).toEqual(expected);
    }
  });

  test('of 64 unless the caller says so', async () => {
    expect(await withBatch(6400, {}, dispatchOf)).toEqual([100, 1, 1]);
  });

  test('a number of pairs that only the GPU knows, beyond the room', async () => {
    const pairCount = storageBuffer(device, 'test.pairCount', Uint32Array.of(PAIRS));
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: PAIRS + 1, maxPairs: 640, pairCount });
    batch.write({ bodies });
    submit(batch);
    expect(await dispatchOf(batch)).toEqual([10, 1, 1]);
    device.queue.writeBuffer(pairCount, 0, Uint32Array.of(65));
    submit(batch);
    expect(await dispatchOf(batch)).toEqual([2, 1, 1]);
    batch.dispose();
  });

  test.each([0, -1, 1.5, 1e6, '64'])('a workgroup size of %s is refused', async (workgroupSize) => {
    const message = expect.stringMatching(/^options\.workgroupSize is .*, expected/);
    const options = { query: 'contacts', maxBodies: 2, maxPairs: 1, workgroupSize: workgroupSize as number } as const;
    await expect(tester.createBatch(options)).rejects.toMatchObject({ code: 'INVALID_INPUT', message });
  });
});

const PASSES = [
  ['all', 1],
  ['hits', 1],
  ['hits', 64],
] as const;

describe.each(PASSES)("results: '%s', workgroups of %d", (results, workgroupSize) => {
  test.each(['num_workgroups', 'a constant'])('an indirect pass visits each record once, rows by %s', async (by) => {
    const isBuiltIn = by === 'num_workgroups';
    const code = `
      ${resultsWgsl}
      @group(0) @binding(0) var<storage, read> contacts: array<Contact>;
      @group(0) @binding(1) var<storage, read> counts: Counts;
      @group(0) @binding(2) var<storage, read_write> visits: array<atomic<u32>>;
      @compute @workgroup_size(${workgroupSize})
      fn main(
        ${isBuiltIn ? '@builtin(num_workgroups) grid: vec3u,' : ''}
        @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32
      ) {
        let i = dispatchedRecord(workgroup, ${isBuiltIn ? 'grid.x' : `${row}u`}, ${workgroupSize}u, local);
        if (i < ${results === 'all' ? 'counts.pairs' : 'countsHitRecords(counts)'}) {
          atomicAdd(&visits[i], select(1u, 1000u, contactIsHit(contacts[i])));
        }
      }`;
    const module = device.createShaderModule({ code });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const visits = device.createBuffer({ label: 'test.visits', size: 4 * PAIRS, usage: 128 | 4 });
    await withBatch(PAIRS, { results, workgroupSize }, async ({ output: { records, counts, dispatch } }) => {
      const entries = [records, counts, visits].map((buffer, binding) => ({ binding, resource: { buffer } }));
      const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroupsIndirect(dispatch, 0);
      pass.end();
      device.queue.submit([encoder.finish()]);
    });
    const found = Array.from(new Uint32Array(await readBuffer(device, visits)));
    const expected = found.map((_, pair) => (pair < HITS ? 1000 : results === 'all' ? 1 : 0));
    expect(found.findIndex((count, pair) => count !== expected[pair])).toBe(-1);
  });
});
