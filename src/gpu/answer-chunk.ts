/** The submissions that answer one chunk of a query's pairs. */
import { COUNTS_HITS, COUNTS_STATUSES, STATUS_CAPACITY_EXCEEDED, STATUS_COUNT } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { QueryTimings } from '../api/types.ts';
import type { Totals } from '../records/totals.ts';
import type { AnswerForm, QueryRequest, QuerySink } from '../request/backend.ts';
import type { BufferPool } from './buffers.ts';
import type { ChunkClock } from './chunk-clock.ts';
import { PAIR_BYTES } from './chunks.ts';
import type { BoundOutput, ChunkOutput } from './chunk-output.ts';
import type { DeviceState } from './device-slot.ts';
import { bindQuery, encodePass, encodeQuery } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import { queryScope, type EarliestOf, type QueryScope } from './query-buffers.ts';
import { encodeCopies, mapCopies, viewCopies, type Region } from './read-back.ts';
import { SIMPLEX_BYTES } from './simplices.ts';
import { queryPasses, type Plan, type Step } from './steps.ts';
import type { QueryInput } from './input.ts';

/**
 * The query has to be submitted again: there was no memory for its first chunk beside another, or else the report on its
 * input is not what was expected.
 */
export class Resubmission extends Error {
  constructor(readonly isOutOfMemory: boolean) {
    super();
  }
}

/** A query with a plan. */
export interface QueryRun {
  state: DeviceState;
  request: QueryRequest;
  input: QueryInput;
  plan: Plan;
  output: ChunkOutput;
  clock: ChunkClock;
  timings: QueryTimings;
  /** Compiles the fallback steps of the plan, once per query. */
  prepareFallback(): Promise<void>;
  /** Whether the plan takes all pairs, once the report on the input is taken. */
  covers(): boolean;
}

/** An answer in mapped memory. */
export interface ChunkAnswer {
  /** On the device. */
  time: DeviceTime;
  /** Passes the answer to the sink. */
  deliver(sink: QuerySink): void;
  /** Unmaps the memory, so that another chunk can use it. */
  release(): void;
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
  /** Time of the chunk's submissions so far. */
  time: DeviceTime;
}

/** Copies of regions in mapped memory. */
interface Mapped {
  regions: Uint8Array<ArrayBuffer>[];
  unmap(): void;
}

const NO_OUTPUT: BoundOutput = { dispatches: [], regions: [] };

/** Answers `count` pairs from `firstPair` on. The first submission is made before this function returns. */
export async function answerChunk(
  run: QueryRun,
  pool: BufferPool,
  firstPair: number,
  count: number,
): Promise<ChunkAnswer> {
  const chunk: ChunkRun = { ...run, pool, firstPair, count, time: { most: 0, least: 0 } };
  const { plan, output } = chunk;
  const isOfHits = chunk.request.form.slots !== 'all';
  const [first, second] = queryPasses(plan);
  let mapped = await answerAfter(chunk, first);
  let counts = countsIn(mapped);
  // Pairs that the first pass leaves for the second have this status.
  if (second.length > 0 && counts.statusCounts[STATUS_CAPACITY_EXCEEDED] > 0) {
    mapped.unmap();
    await chunk.prepareFallback();
    mapped = await answerAfter(chunk, second);
    counts = countsIn(mapped);
  }
  const { statusCounts, hits } = counts;
  const slotCount = isOfHits ? hits : count;
  // A second round trip for hits: their number is known only now.
  if (isOfHits) {
    mapped.unmap();
    mapped = hits > 0 ? await hitsAfter(chunk, hits) : NOTHING;
  }
  // The counts come before the slots of all pairs.
  const regions = isOfHits ? mapped.regions : mapped.regions.slice(1);
  return {
    time: chunk.time,
    deliver(sink) {
      sink.count(statusCounts, hits);
      if (slotCount > 0) output.deliver(sink, regions, firstPair, slotCount);
    },
    release: mapped.unmap,
  };
}

const NOTHING: Mapped = { regions: [], unmap() {} };

/** Runs a pass and reads the counts, followed by the output if there is a slot per pair. */
function answerAfter(chunk: ChunkRun, steps: readonly Step[]): Promise<Mapped> {
  const { request, output, pool, firstPair, count } = chunk;
  const goesOn = chunk.scope !== undefined;
  return submitAndMap(chunk, `backend.${request.what.query}`, (encoder, scope) => {
    const { dispatches, regions } =
      request.form.slots !== 'all' ? NO_OUTPUT : output.bind(scope, pool, firstPair, count);
    const buffers = goesOn ? { ...scope.buffers, workLists: undefined } : scope.buffers;
    encodeQuery(encoder, buffers, [...bindQuery(scope, steps), ...dispatches], passOf(chunk));
    return [{ buffer: scope.buffers.counts!, offset: 0, size: layouts.Counts.size }, ...regions];
  });
}

/** Reads the output of the listed hits. */
function hitsAfter(chunk: ChunkRun, hits: number): Promise<Mapped> {
  return submitAndMap(chunk, 'backend.hits', (encoder, scope) => {
    const { dispatches, regions } = chunk.output.bind(scope, chunk.pool, chunk.firstPair, hits);
    encodePass(encoder, dispatches, { ...passOf(chunk), label: 'backend.hits' });
    return regions;
  });
}

/** The counts over all pairs of the chunk. */
function countsIn({ regions: [bytes] }: Mapped): Totals {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, layouts.Counts.size / 4);
  const statusCounts = [...words.subarray(COUNTS_STATUSES, COUNTS_STATUSES + STATUS_COUNT)];
  return { statusCounts, hits: words[COUNTS_HITS] };
}

function passOf({ request, state }: QueryRun): GPUComputePassDescriptor {
  return { label: `backend.${request.what.query}`, timestampWrites: state.session.timer.writes };
}

/** Submits what `encode` records and maps the regions that it returns. Adds to the timings and to the chunk's time. */
async function submitAndMap(
  chunk: ChunkRun,
  label: string,
  encode: (encoder: GPUCommandEncoder, scope: QueryScope) => Region[],
): Promise<Mapped> {
  const { pool, clock, timings, time } = chunk;
  const { session, simplices } = chunk.state;
  const { warmStart } = chunk.request.over;
  const { device, timer } = session;
  const isFirst = chunk.firstPair === 0 && !chunk.scope;
  const { result, verdict } = clock.work(() =>
    scoped(device, () => {
      const encoder = device.createCommandEncoder({ label });
      const report = isFirst ? chunk.input.encode(encoder) : undefined;
      chunk.scope ??= chunkScope(chunk);
      if (isFirst && warmStart) simplices.save(encoder, warmStart);
      const regions = [...encode(encoder, chunk.scope), ...(report ? [report] : []), timer.resolve(encoder)];
      const staging = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return { staging, regions, hasReport: report !== undefined };
    }),
  );
  const { staging, regions, hasReport } = result;
  const ended = clock.submitted();
  await session.orLost(verdict);
  // To map a destroyed buffer would raise a validation error on the caller's device.
  pool.ensureOpen();
  await session.orLost(mapCopies(staging, regions));
  const { most, least, waited } = ended();
  const views = viewCopies(staging, regions);
  const kernelTime = timer.elapsed(views.pop()!);
  if (hasReport) takeReport(chunk, staging, views.pop()!);
  timings.kernels += kernelTime;
  timings.readBack += waited(kernelTime);
  // Timestamps are exact.
  time.most += kernelTime || most;
  time.least += kernelTime || least;
  return { regions: views, unmap: () => staging.unmap() };
}

/** Throws if the answers are not what the caller asked for. */
function takeReport(chunk: ChunkRun, staging: GPUBuffer, report: Uint8Array<ArrayBuffer>): void {
  const { input, covers, request, state } = chunk;
  const { warmStart } = request.over;
  try {
    if (!(input.take(report) && covers())) throw new Resubmission(false);
  } catch (error) {
    staging.unmap();
    if (warmStart) state.simplices.restore(warmStart);
    throw error;
  }
}

/** Buffers and sizes of a chunk; uploads its pairs if they are not on the device. */
function chunkScope(chunk: ChunkRun): QueryScope {
  const { state, request, input: given, plan, pool, firstPair, count } = chunk;
  const onDevice = given.buffers();
  const { device, kernels, pool: shared } = state.session;
  const { what, over, form } = request;
  const { dimension, bodies, shapes, motion, pairs, warmStart } = over;
  const output = { hitsOnly: form.slots !== 'all', hasCounts: true, gathersHits: false, earliest: earliestOf(form) };
  const sizes = {
    pairCount: count,
    pairCapacity: count,
    bodyCount: bodies.shapes.length,
    shapeCount: shapes.shapes.length,
    margin: what.margin,
    duration: motion?.duration ?? 0,
    cellSize: given.cellSize,
    gatherCapacity: 0,
    // Queries have no next pass.
    callersWorkgroupSize: 1,
  };
  const input = {
    shapeRecords: shared.get('shapes', 0),
    geometry: shared.get('geometry', 0),
    ...onDevice.bodies,
    pairs: onDevice.pairs
      ? { buffer: onDevice.pairs, offset: PAIR_BYTES * firstPair, size: PAIR_BYTES * count }
      : pool.upload('pairs', pairs.subarray(2 * firstPair, 2 * (firstPair + count))),
  };
  const simplices = warmStart && {
    simplices: {
      buffer: state.simplices.of(warmStart, pairs.length / 2),
      offset: SIMPLEX_BYTES * firstPair,
      size: SIMPLEX_BYTES * count,
    },
  };
  const context = { device, kernels, dimension, pool, uniform: pool.uniform };
  return queryScope(context, plan, queryPasses(plan).flat(), sizes, output, { ...input, ...simplices });
}

/** Which first impacts a query asks for. */
export function earliestOf(form: AnswerForm): EarliestOf | undefined {
  if (form.slots !== 'earliest') return undefined;
  return form.keepsOpen ? 'openChunk' : 'chunk';
}
