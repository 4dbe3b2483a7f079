/** The submissions that answer one chunk of a query's pairs. */
import {
  COUNTS_STATUSES,
  INFO_PENDING_ARCS,
  INFO_PENDING_REFINE,
  LIST_HEADER,
  STATUS_CAPACITY_EXCEEDED,
  STATUS_COUNT,
} from '../generated/constants.ts';
import type { QueryTimings } from '../api/types.ts';
import type { RecordChunk } from '../records/chunk.ts';
import type { QueryRequest } from '../request/backend.ts';
import { USAGE, type BufferPool } from './buffers.ts';
import type { ChunkClock } from './chunk-clock.ts';
import type { DeviceState } from './device-slot.ts';
import { bindGathering, bindQuery, encodePass, encodeQuery } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import { queryBuffers, type EarliestOf, type QueryScope } from './query-buffers.ts';
import { encodeCopies, mapCopies, takeCopies, type Region } from './read-back.ts';
import { SIMPLEX_BYTES } from './simplices.ts';
import type { Plan, Step } from './steps.ts';

/** A query whose bodies and shapes are on the device. */
export interface QueryRun {
  state: DeviceState;
  request: QueryRequest;
  plan: Plan;
  cellSize: number;
  clock: ChunkClock;
  timings: QueryTimings;
  /** Compiles the fallback steps of the plan, once per query. */
  prepareFallback(): Promise<void>;
}

export interface ChunkAnswer {
  /** Counts over all pairs of the chunk; for hits only. */
  statuses?: Uint32Array;
  /** Missing if there are no hits. */
  chunk?: RecordChunk;
  deviceTime: DeviceTime;
}

/** Milliseconds on the device, at most and at least. */
export interface DeviceTime {
  most: number;
  least: number;
}

/** A chunk in progress. */
interface ChunkRun extends QueryRun {
  /** Buffers that no other chunk uses before this one is answered. */
  pool: BufferPool;
  firstPair: number;
  count: number;
  /** Made by the first submission. */
  scope?: QueryScope;
  /** Of its submissions so far. */
  deviceTime: DeviceTime;
}

/** Answers `count` pairs from `firstPair` on. The first submission is made before this function returns. */
export function answerChunk(run: QueryRun, pool: BufferPool, firstPair: number, count: number): Promise<ChunkAnswer> {
  const chunk: ChunkRun = { ...run, pool, firstPair, count, deviceTime: { most: 0, least: 0 } };
  return run.request.hitsOnly ? answerHits(chunk) : answerAll(chunk);
}

async function answerAll(chunk: ChunkRun): Promise<ChunkAnswer> {
  const { request, plan, firstPair, count } = chunk;
  const { words, info } = request.dimension.records.sizes[request.query];
  const recordsAfter = async (steps: readonly Step[]): Promise<ArrayBuffer> => {
    const [records] = await submitAndRead(chunk, 'backend.all', (encoder, scope) => {
      encodeQuery(encoder, scope.buffers, bindQuery(scope, steps), passOf(chunk));
      return [{ buffer: scope.buffers.records, offset: 0, size: 4 * words * count }];
    });
    return records;
  };
  let records = await recordsAfter(plan.steps);
  if (plan.fallbackSteps.length > 0 && needsFallback(new Uint32Array(records), words, info)) {
    await chunk.prepareFallback();
    records = await recordsAfter(plan.fallbackSteps);
  }
  return { deviceTime: chunk.deviceTime, chunk: { firstPair, recordCount: count, records } };
}

/** Two round trips: the number of hits, then only their records, gathered into as much memory as they need. */
async function answerHits(chunk: ChunkRun): Promise<ChunkAnswer> {
  const { request, plan, firstPair } = chunk;
  const countsAfter = (steps: readonly Step[]): Promise<ArrayBuffer[]> =>
    submitAndRead(chunk, 'backend.hits', (encoder, scope) => {
      encodeQuery(encoder, scope.buffers, bindQuery(scope, steps), passOf(chunk));
      return [
        { buffer: scope.buffers.list, offset: 4, size: 4 },
        { buffer: scope.buffers.counts!, offset: 4 * COUNTS_STATUSES, size: 4 * STATUS_COUNT },
      ];
    });
  let [header, statuses] = await countsAfter(plan.steps);
  // Pairs that wait for the fallback steps have this status: `storeLeft` (shaders/kernels/contact-records.wgsl) sets it
  // together with the pending bit. Without records, the count of the status is all that the host can see of them.
  if (plan.fallbackSteps.length > 0 && new Uint32Array(statuses)[STATUS_CAPACITY_EXCEEDED] > 0) {
    await chunk.prepareFallback();
    [header, statuses] = await countsAfter(plan.fallbackSteps);
  }
  const recordCount = new Uint32Array(header)[0];
  if (recordCount === 0) return { deviceTime: chunk.deviceTime, statuses: new Uint32Array(statuses) };
  const size = 4 * request.dimension.records.sizes[request.query].words * recordCount;
  const [listed, records] = await submitAndRead(chunk, 'backend.hits.records', (encoder, scope) => {
    const gathered = chunk.pool.get('gathered', size);
    const sizes = { ...scope.sizes, gatherCapacity: recordCount };
    const dispatches = bindGathering({ ...scope, sizes, buffers: { ...scope.buffers, gathered } });
    encodePass(encoder, dispatches, { ...passOf(chunk), label: 'backend.gather' });
    return [
      { buffer: scope.buffers.list, offset: 4 * LIST_HEADER, size: 4 * recordCount },
      { buffer: gathered, offset: 0, size },
    ];
  });
  return {
    deviceTime: chunk.deviceTime,
    statuses: new Uint32Array(statuses),
    chunk: { firstPair, recordCount, records, listed: new Uint32Array(listed) },
  };
}

function passOf({ request, state }: QueryRun): GPUComputePassDescriptor {
  return { label: `backend.${request.query}`, timestampWrites: state.session.timer.writes };
}

/** Submits what `encode` records and reads the regions that it returns. Adds to the timings and to the chunk's time. */
async function submitAndRead(
  chunk: ChunkRun,
  label: string,
  encode: (encoder: GPUCommandEncoder, scope: QueryScope) => Region[],
): Promise<ArrayBuffer[]> {
  const { pool, clock, timings, deviceTime } = chunk;
  const { session } = chunk.state;
  const { device, timer } = session;
  const { result, verdict } = clock.work(() =>
    scoped(device, () => {
      chunk.scope ??= chunkScope(chunk);
      const encoder = device.createCommandEncoder({ label });
      const regions = [...encode(encoder, chunk.scope), timer.resolve(encoder)];
      const staging = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return { staging, regions };
    }),
  );
  const ended = clock.submitted();
  await session.orLost(verdict);
  // To map a destroyed buffer would raise a validation error on the caller's device.
  pool.ensureOpen();
  await session.orLost(mapCopies(result.staging, result.regions));
  const { most, least, waited } = ended();
  const copies = clock.work(() => takeCopies(result.staging, result.regions));
  const kernelTime = timer.elapsed(copies.pop() as ArrayBuffer);
  timings.kernels += kernelTime;
  timings.readBack += waited(kernelTime);
  // Timestamps are exact.
  deviceTime.most += kernelTime || most;
  deviceTime.least += kernelTime || least;
  return copies;
}

/** Buffers and sizes of a chunk; uploads its pairs. */
function chunkScope({ state, request, plan, cellSize, pool, firstPair, count }: ChunkRun): QueryScope {
  const { device, kernels, pool: shared } = state.session;
  const { dimension, bodies, shapes, margin, motion, pairs, warmStart, hitsOnly } = request;
  const output = { hitsOnly, hasCounts: hitsOnly, gathersHits: false, earliest: earliestOf(request) };
  const sizes = {
    pairCount: count,
    pairCapacity: count,
    bodyCount: bodies.shapes.length,
    shapeCount: shapes.shapes.length,
    margin,
    duration: motion?.duration ?? 0,
    cellSize,
    gatherCapacity: 0,
    // Queries have no next pass.
    callersWorkgroupSize: 1,
  };
  const input = {
    shapeRecords: shared.get('shapes', 0),
    geometry: shared.get('geometry', 0),
    poses: shared.get('poses', 0),
    bodyShapes: shared.get('bodies', 0),
    velocities: motion && shared.get('velocities', 0),
    pairs: pool.upload('pairs', pairs.subarray(2 * firstPair, 2 * (firstPair + count))),
  };
  const simplices = warmStart && {
    buffer: state.simplices.of(warmStart, pairs.length / 2),
    offset: SIMPLEX_BYTES * firstPair,
    size: SIMPLEX_BYTES * count,
  };
  const uniform = (name: string, data: ArrayBuffer): GPUBuffer =>
    pool.upload(name, data, USAGE.UNIFORM | USAGE.COPY_DST);
  return {
    context: { device, kernels, dimension, uniform },
    plan,
    sizes,
    output,
    buffers: queryBuffers(pool, dimension, plan, sizes, output, input, simplices),
  };
}

/** Which first impacts a query asks for; the reference decides pairs that the kernels leave open if it is asked. */
export function earliestOf({
  earliestOnly,
  escalates,
}: Pick<QueryRequest, 'earliestOnly' | 'escalates'>): EarliestOf | undefined {
  if (!earliestOnly) return undefined;
  return escalates ? 'openChunk' : 'chunk';
}

/** Whether a record waits for the fallback steps. */
function needsFallback(words: Uint32Array, stride: number, infoWord: number): boolean {
  for (let at = infoWord; at < words.length; at += stride)
    if (words[at] & (INFO_PENDING_ARCS | INFO_PENDING_REFINE)) return true;
  return false;
}
