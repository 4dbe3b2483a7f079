/** Whole queries from the caller's arrays, and what batches take to write and read, beside a memcpy of the same bytes. */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { median } from '../../verification/statistics/median.ts';
import { meterTurns } from '../throughput/engines/main-thread.ts';
import type { Result } from '../throughput/engines/result.ts';
import { createWholeRunner, runWhole } from '../throughput/engines/whole-query.ts';
import { HOST_QUERIES } from '../throughput/cases.ts';
import type { Query } from '../../verification/workloads/query.ts';
import type { Sample } from '../throughput/protocol.ts';
import { makeMovingWorkload, makeWorkload } from '../../verification/workloads/make.ts';
import type { Workload } from '../../verification/workloads/workload.ts';
import type { FoundAdapter, OpenAdapter } from './adapter.ts';
import { STANDARD_HIT_RATE } from '../../verification/gpu-cases/cases.ts';
import type { Batch } from '../../verification/gpu-cases/runner.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';

/** Milliseconds; medians. */
export interface Transfer {
  bytes: number;
  /** `batch.write`, or `batch.read` with `target` once the work is done. */
  ms: number;
  /** The same bytes from one array to another. */
  memcpyMs: number;
  /** Reading: the same bytes copied to a staging buffer that is then mapped, without a copy out of it. */
  mapMs?: number;
}

export interface HostRow {
  query: Query;
  pairs: number;
  samples: Sample[];
  write: Transfer | null;
  read: Transfer | null;
  failure: string | null;
}

export interface HostSettings {
  pairs: number;
  rounds: number;
  seed: number;
  log: (line: string) => void;
}

/** Bits of `GPUBufferUsage` and `GPUMapMode`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;

/** Each query on a device of its own. */
export async function measureHost(found: FoundAdapter, settings: HostSettings): Promise<HostRow[]> {
  const { pairs, seed, log } = settings;
  const still = makeWorkload('boxes', pairs, STANDARD_HIT_RATE, seed);
  const moving = makeMovingWorkload('boxes', pairs, seed);
  const rows: HostRow[] = [];
  for (const query of HOST_QUERIES) {
    const row: HostRow = { query, pairs, samples: [], write: null, read: null, failure: null };
    rows.push(row);
    let opened: OpenAdapter | undefined;
    try {
      opened = await found.open({ dimension: 3 });
      await measureQuery(opened, query === 'impacts' ? moving : still, row, settings.rounds);
      if (opened.errors.length > 0) row.failure = `the device complained: ${opened.errors[0]}`;
    } catch (error) {
      row.failure = (error as Error).message.split('\n')[0];
    }
    opened?.tester.dispose();
    log(`host/${query}, ${pairs} pairs${row.failure === null ? '' : ` FAILED: ${row.failure}`}`);
  }
  return rows;
}

async function measureQuery(opened: OpenAdapter, workload: Workload, row: HostRow, rounds: number): Promise<void> {
  for (const shape of workload.shapes) opened.tester.addShape(shape);
  const runner = await createWholeRunner(opened.tester, workload, row.query);
  await runner.reserve(row.pairs);
  const call: typeof runner.call = (use) => within(runner.call(use), LIMITS.compile, `a query of ${row.pairs} pairs`);
  for (let round = 0; round < rounds; round++) row.samples.push(await runWhole(call, meterTurns));
  await measureBatch(opened, workload, row, rounds);
}

async function measureBatch(
  { tester, device }: OpenAdapter,
  workload: Workload,
  row: HostRow,
  rounds: number,
): Promise<void> {
  const { bodies, pairs, duration } = workload;
  const { query } = row;
  const making = tester.createBatch({
    query,
    maxBodies: bodies.shapes.length,
    maxPairs: row.pairs,
    ...(query === 'impacts' && { duration }),
  } as BatchOptions);
  const batch = (await within(making, LIMITS.compile, `createBatch of ${query}`)) as Batch;
  const writes: number[] = [];
  const reads: number[] = [];
  let target: Result | undefined;
  // The first round makes buffers and compiles.
  for (let round = -1; round < rounds; round++) {
    const begin = performance.now();
    batch.write({ bodies, pairs });
    if (round >= 0) writes.push(performance.now() - begin);
    const encoder = device.createCommandEncoder({ label: 'host.query' });
    batch.encode(encoder);
    device.queue.submit([encoder.finish()]);
    await within(device.queue.onSubmittedWorkDone(), LIMITS.compile, 'the query');
    const submitted = performance.now();
    target = (await within(batch.read({ target: target as never }), LIMITS.work, 'reading the result')) as Result;
    if (round >= 0) reads.push(performance.now() - submitted);
  }
  const written = bytesOf({ ...bodies, pairs });
  const read = bytesOf(target!);
  row.write = { bytes: written, ms: median(writes), memcpyMs: memcpyMs(written, rounds) };
  row.read = {
    bytes: read,
    ms: median(reads),
    memcpyMs: memcpyMs(read, rounds),
    mapMs: await copyAndMapMs(device, read, rounds),
  };
  batch.dispose();
}

/** Bytes of all arrays. */
function bytesOf(arrays: object): number {
  return Object.values(arrays).reduce<number>(
    (sum, value: unknown) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0),
    0,
  );
}

function memcpyMs(bytes: number, rounds: number): number {
  const from = new Uint8Array(bytes).fill(1);
  const to = new Uint8Array(bytes).fill(2);
  const times = Array.from({ length: rounds }, () => {
    const begin = performance.now();
    to.set(from);
    return performance.now() - begin;
  });
  return median(times);
}

async function copyAndMapMs(device: GPUDevice, bytes: number, rounds: number): Promise<number> {
  const size = Math.ceil(bytes / 4) * 4;
  const source = device.createBuffer({ label: 'host.source', size, usage: COPY_SRC | COPY_DST });
  const staging = device.createBuffer({ label: 'host.staging', size, usage: MAP_READ | COPY_DST });
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const begin = performance.now();
    const encoder = device.createCommandEncoder({ label: 'host.copy' });
    encoder.copyBufferToBuffer(source, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    await within(staging.mapAsync(MAP_READ), LIMITS.work, 'mapping');
    if (round >= 0) times.push(performance.now() - begin);
    staging.unmap();
  }
  source.destroy();
  staging.destroy();
  return median(times);
}
