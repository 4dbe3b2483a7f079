/**
 * Queries on WebGPU: uploads shapes and bodies once a query, cuts the pairs into chunks, and runs each chunk through the
 * steps of its plan.
 */
import type { Backend, QueryRequest, QuerySink, WarmStartState } from '../backend.ts';
import { NarrowphaseError } from '../errors.ts';
import { COUNTS_STATUSES, LIST_HEADER, STATUS_COUNT } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { packBodies } from '../pack/bodies.ts';
import { recordWords } from '../pack/results.ts';
import { packShapes } from '../pack/shapes.ts';
import { throwIfAborted } from '../pack/validate.ts';
import { MAX_HULL_VERTICES } from '../shapes/shape-data.ts';
import type { QueryTimings, TesterLimits, TesterOptions } from '../types.ts';
import { createBatch } from './batch.ts';
import { USAGE, type BufferPool } from './buffers.ts';
import { createChunkSizes, largestChunk } from './chunks.ts';
import type { DeviceHandle } from './device.ts';
import { scoped } from './error-scopes.ts';
import { record } from './kernels.ts';
import { bindGather, bindList, bindPlan, bindTally, blockSumBytes, listBytes, variantsOfQuery, type PassBuffers, type PassContext, type PassSizes } from './passes.ts';
import { hitList, planQuery, type Plan } from './plan.ts';
import { encodeCopies, readCopies, type Region } from './read-back.ts';
import { createSession, type Session } from './session.ts';

/** A query on its way: what does not change from chunk to chunk. */
interface Running {
  session: Session;
  request: QueryRequest;
  plan: Plan;
  cellSize: number;
}

/** `reopen` gives another device when ours is lost; without it the device is the caller's. */
export function createGpuBackend(handle: DeviceHandle, options: TesterOptions, reopen?: () => Promise<DeviceHandle>): Backend {
  const timings: QueryTimings = { compile: 0, kernels: 0, readBack: 0 };
  let isDisposed = false;
  let current = open(handle);

  function open({ device, release }: DeviceHandle) {
    const session = createSession(device, ({ reason, message }) => options.onDeviceLost?.({ reason, message }));
    return { session, release, chunkSizes: createChunkSizes(device), shapesVersion: -1 };
  }

  /** The session, a new one where our device was lost. */
  async function openSession(): Promise<Session> {
    if (current.session.lost && reopen) {
      const lost = current;
      const renewed = await reopen();
      lost.session.destroy();
      lost.release();
      if (isDisposed) {
        renewed.release();
        throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
      }
      current = open(renewed);
    }
    return current.session;
  }

  async function runChunks(running: Running, sink: QuerySink): Promise<void> {
    const { session, request, plan } = running;
    const pairCount = request.pairs.length / 2;
    const recordBytes = 4 * recordWords[request.query].words;
    const key = JSON.stringify(plan.steps);
    for (let first = 0; first < pairCount; ) {
      throwIfAborted(request.signal);
      const count = Math.min(current.chunkSizes.next(key, recordBytes), pairCount - first);
      const start = performance.now();
      if (request.hitsOnly) await runHits(running, first, count, sink);
      else await runAll(running, first, count, sink);
      if (session === current.session) current.chunkSizes.measured(key, count, performance.now() - start);
      first += count;
    }
  }

  async function upload({ session, request, packed }: { session: Session; request: QueryRequest; packed: ReturnType<typeof packBodies> }): Promise<void> {
    const { verdict } = scoped(session.device, () => {
      if (current.shapesVersion !== request.shapes.version) {
        const { shapes, geometry } = packShapes(request.shapes.shapes);
        session.pool.upload('shapes', shapes);
        session.pool.upload('geometry', geometry);
        current.shapesVersion = request.shapes.version;
      }
      session.pool.upload('poses', packed.poses);
      session.pool.upload('bodies', packed.bodies);
    });
    await session.orLost(verdict);
  }

  async function runAll(running: Running, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const { session, request, plan } = running;
    const size = 4 * recordWords[request.query].words * count;
    const [records] = await submitAndRead(session, 'backend.all', (encoder) => {
      const { context, sizes, buffers } = prepareChunk(running, firstPair, count);
      const pass = encoder.beginComputePass({ label: `backend.${request.query}`, timestampWrites: session.timer.writes });
      record(pass, bindPlan(context, plan, sizes, buffers));
      pass.end();
      return [{ buffer: buffers.results, offset: 0, size }];
    });
    sink.write({ firstPair, recordCount: count, records });
  }

  /** Two round trips: how many hits there are, then only their records, gathered into as much memory as they need. */
  async function runHits(running: Running, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const { session, request, plan } = running;
    const { pool } = session;
    const [header, statuses] = await submitAndRead(session, 'backend.hits', (encoder) => {
      const { context, sizes, buffers } = prepareChunk(running, firstPair, count);
      const counts = pool.get('counts', layouts.Counts.size);
      encoder.clearBuffer(counts);
      const pass = encoder.beginComputePass({ label: `backend.${request.query}`, timestampWrites: session.timer.writes });
      record(pass, bindPlan(context, plan, sizes, buffers));
      record(pass, bindList(context, plan, hitList, sizes, buffers));
      record(pass, bindTally(context, plan, sizes, { ...buffers, counts }));
      pass.end();
      return [
        { buffer: buffers.list, offset: 4, size: 4 },
        { buffer: counts, offset: 4 * COUNTS_STATUSES, size: 4 * STATUS_COUNT },
      ];
    });
    const recordCount = new Uint32Array(header)[0];
    sink.count(new Uint32Array(statuses));
    if (recordCount === 0) return;
    const size = 4 * recordWords[request.query].words * recordCount;
    const [listed, records] = await submitAndRead(session, 'backend.hits.records', (encoder) => {
      const { context, sizes, buffers } = prepareChunk(running, firstPair, count, recordCount);
      const gathered = pool.get('gathered', size);
      const pass = encoder.beginComputePass({ label: 'backend.gather', timestampWrites: session.timer.writes });
      record(pass, bindGather(context, plan, sizes, { ...buffers, gathered, counts: pool.get('counts', layouts.Counts.size) }));
      pass.end();
      return [
        { buffer: buffers.list, offset: 4 * LIST_HEADER, size: 4 * recordCount },
        { buffer: gathered, offset: 0, size },
      ];
    });
    sink.write({ firstPair, recordCount, records, listed: new Uint32Array(listed) });
  }

  /** Submits what `encode` records and reads the regions it names. Adds kernel time (by timestamps) and read-back time. */
  async function submitAndRead(session: Session, label: string, encode: (encoder: GPUCommandEncoder) => Region[]): Promise<ArrayBuffer[]> {
    const { device, pool, timer } = session;
    const start = performance.now();
    const { result, verdict } = scoped(device, () => {
      const encoder = device.createCommandEncoder({ label });
      const regions = [...encode(encoder), timer.resolve(encoder)];
      const staging = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return { staging, regions };
    });
    await session.orLost(verdict);
    const copies = await session.orLost(readCopies(result.staging, result.regions));
    const kernelTime = timer.elapsed(copies.pop() as ArrayBuffer);
    timings.kernels += kernelTime;
    timings.readBack += performance.now() - start - kernelTime;
    return copies;
  }

  return {
    name: 'webgpu',
    adapter: handle.adapter,
    limits: limitsOf(handle.device),
    timings,

    async run(request, sink) {
      const start = performance.now();
      const plan = planQuery(request);
      try {
        const session = await openSession();
        await session.orLost(session.kernels.prepare(variantsOfQuery(plan, request.hitsOnly)));
        Object.assign(timings, { compile: performance.now() - start, kernels: 0, readBack: 0 });
        const packed = packBodies(request.bodies);
        await upload({ session, request, packed });
        await runChunks({ session, request, plan, cellSize: packed.cellSize }, sink);
      } catch (error) {
        if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran', { cause: error });
        // After a refusal no buffer can be relied on, not even to exist.
        current.session.pool.clear();
        current.shapesVersion = -1;
        throw error;
      }
    },

    async createBatch(request) {
      const session = await openSession();
      return createBatch(session, request);
    },

    dispose() {
      isDisposed = true;
      current.session.destroy();
      current.release();
    },
  };
}

/** Buffers and sizes of a chunk; uploads its pairs, unless it is here to gather `hits` of them. */
function prepareChunk({ session, request, plan, cellSize }: Running, firstPair: number, count: number, hits?: number): { context: PassContext; sizes: PassSizes; buffers: PassBuffers } {
  const { device, kernels, pool } = session;
  const { query, bodies, shapes, margin, pairs, warmStart } = request;
  const blockSums = pool.get('blockSums', blockSumBytes(count, plan.kinds.length));
  const part = pairs.subarray(2 * firstPair, 2 * (firstPair + count)) as Uint32Array<ArrayBuffer>;
  return {
    context: { device, kernels, uniform: (name, data) => uniform(pool, name, data) },
    sizes: {
      pairCount: count,
      pairCapacity: count,
      bodyCount: bodies.shapes.length,
      shapeCount: shapes.shapes.length,
      margin,
      cellSize,
      gatherCapacity: hits ?? 0,
    },
    buffers: {
      shapes: pool.get('shapes', 0),
      geometry: pool.get('geometry', 0),
      poses: pool.get('poses', 0),
      bodies: pool.get('bodies', 0),
      pairs: hits === undefined ? pool.upload('pairs', part) : pool.get('pairs', 0),
      results: pool.get('results', 4 * recordWords[query].words * count),
      list: pool.get('list', listBytes(count)),
      blockSums,
      simplices: warmStart ? { buffer: simplicesOf(session, warmStart), offset: 16 * firstPair, size: 16 * count } : blockSums,
    },
  };
}

/** The warm start's buffer on this device, empty if it was on another before. */
function simplicesOf({ device }: Session, warmStart: WarmStartState): GPUBuffer {
  if (warmStart.device !== device || !warmStart.simplices) {
    warmStart.simplices?.destroy();
    warmStart.device = device;
    warmStart.simplices = device.createBuffer({ label: 'warmStart.simplices', size: 16 * warmStart.maxPairs, usage: USAGE.STORAGE });
  }
  return warmStart.simplices;
}

function uniform(pool: BufferPool, name: string, data: ArrayBuffer): GPUBuffer {
  return pool.upload(name, data, USAGE.UNIFORM | USAGE.COPY_DST);
}

function limitsOf(device: GPUDevice): TesterLimits {
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  return {
    maxBodies: Math.floor(binding / layouts.Pose.size),
    maxShapes: Math.floor(binding / layouts.Shape.size),
    maxHullVertices: MAX_HULL_VERTICES,
    maxPairsPerChunk: largestChunk(device, layouts.Contact.size),
  };
}
