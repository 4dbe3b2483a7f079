/**
 * Queries on WebGPU: uploads shapes and bodies once a query, cuts the pairs into chunks that fit the device's limits, and
 * runs each chunk through the stages of its query.
 */
import type { Backend, QueryRequest, QuerySink } from '../backend.ts';
import { NarrowphaseError } from '../errors.ts';
import { packBodies } from '../pack/bodies.ts';
import { recordWords } from '../pack/results.ts';
import { packShapes } from '../pack/shapes.ts';
import { throwIfAborted } from '../pack/validate.ts';
import { MAX_HULL_VERTICES } from '../shapes/shape-data.ts';
import type { QueryTimings, TesterLimits, TesterOptions } from '../types.ts';
import { createBufferPool } from './buffers.ts';
import { encodeChunk, STATUS_COUNT, type ChunkContext } from './chunk.ts';
import type { DeviceHandle } from './device.ts';
import { createKernels } from './kernels.ts';
import { submitAndRead } from './read-back.ts';
import { hitKernels, listKernels, stagesFor } from './stages.ts';
import { createTimer } from './timer.ts';
import { layouts } from '../generated/layouts.ts';

/** Records of one chunk take at most this much, so that a query of any size runs in bounded memory. */
const CHUNK_BYTES = 64 * 2 ** 20;
/** And a chunk has at most this many pairs: no dispatch should run into a driver's watchdog. */
const CHUNK_PAIRS = 2 ** 23;

export function createGpuBackend(handle: DeviceHandle, options: TesterOptions): Backend {
  const { device } = handle;
  const kernels = createKernels(device);
  const pool = createBufferPool(device);
  const timer = createTimer(device);
  const timings: QueryTimings = { compile: 0, kernels: 0, readBack: 0 };
  let isDisposed = false;
  let shapesVersion = -1;
  const lost = device.lost.then((info) => {
    if (!isDisposed) options.onDeviceLost?.({ reason: info.reason, message: info.message });
    return new NarrowphaseError('DEVICE_LOST', `the GPU device was lost (${info.reason}): ${info.message}`);
  });
  const orLost = <T>(promise: Promise<T>): Promise<T> =>
    Promise.race([
      promise,
      lost.then((error) => {
        throw error;
      }),
    ]);

  async function runChunks(request: QueryRequest, sink: QuerySink): Promise<void> {
    const { query, pairs, signal } = request;
    if (shapesVersion !== request.shapes.version) {
      const packed = packShapes(request.shapes.shapes);
      pool.upload('shapes', packed.shapes);
      pool.upload('geometry', packed.geometry);
      shapesVersion = request.shapes.version;
    }
    const { poses, bodies, cellSize } = packBodies(request.bodies);
    pool.upload('poses', poses);
    pool.upload('bodies', bodies);
    const context: ChunkContext = { device, pool, kernels, request, stages: stagesFor(request), cellSize };
    const pairCount = pairs.length / 2;
    const chunkPairs = chunkSize(device, 4 * recordWords[query].words);
    for (let first = 0; first < pairCount; first += chunkPairs) {
      throwIfAborted(signal);
      const count = Math.min(chunkPairs, pairCount - first);
      pool.upload('pairs', pairs.subarray(2 * first, 2 * (first + count)) as Uint32Array<ArrayBuffer>);
      if (request.hitsOnly) await runHits(context, first, count, sink);
      else await runAll(context, first, count, sink);
    }
  }

  async function runAll(context: ChunkContext, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const encoder = device.createCommandEncoder({ label: 'backend.all' });
    const output = encodeChunk(context, encoder, timer.writes, count);
    const size = 4 * recordWords[context.request.query].words * count;
    const [records] = await timed(encoder, [{ buffer: output.records, offset: 0, size }]);
    sink.write({ firstPair, recordCount: count, records });
  }

  /** Two round trips: how many hits there are, then only their records. */
  async function runHits(context: ChunkContext, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const encoder = device.createCommandEncoder({ label: 'backend.hits' });
    const { records, hits, tallies } = encodeChunk(context, encoder, timer.writes, count) as Required<ReturnType<typeof encodeChunk>>;
    const [header, statuses] = await timed(encoder, [
      { buffer: hits, offset: 0, size: 4 },
      { buffer: tallies, offset: 0, size: 4 * STATUS_COUNT },
    ]);
    const recordCount = new Uint32Array(header)[0];
    sink.count(new Uint32Array(statuses), recordCount);
    const second = device.createCommandEncoder({ label: 'backend.hits.records' });
    const [listed, bytes] = await timed(second, [
      { buffer: hits, offset: 4, size: 4 * recordCount },
      { buffer: records, offset: 0, size: 4 * recordWords[context.request.query].words * recordCount },
    ]);
    sink.write({ firstPair, recordCount, records: bytes, listed: new Uint32Array(listed) });
  }

  /** Submits and reads; adds kernel time (by timestamps, where the device has them) and read-back time. */
  async function timed(encoder: GPUCommandEncoder, regions: Parameters<typeof submitAndRead>[3]): Promise<ArrayBuffer[]> {
    const start = performance.now();
    const timerRegion = timer.resolve(encoder);
    const [stamps, ...copies] = await submitAndRead(device, pool, encoder, [timerRegion, ...regions], orLost);
    const kernelTime = timer.elapsed(stamps);
    timings.kernels += kernelTime;
    timings.readBack += performance.now() - start - kernelTime;
    return copies;
  }

  return {
    name: 'webgpu',
    adapter: handle.adapter,
    limits: limitsOf(device),
    timings,

    async run(request, sink) {
      const start = performance.now();
      const stages = stagesFor(request);
      await orLost(kernels.prepare([...stages, ...(request.hitsOnly ? hitKernels : stages.length > 1 ? listKernels : [])]));
      Object.assign(timings, { compile: performance.now() - start, kernels: 0, readBack: 0 });
      device.pushErrorScope('validation');
      device.pushErrorScope('internal');
      device.pushErrorScope('out-of-memory');
      let failure: unknown;
      try {
        await runChunks(request, sink);
      } catch (error) {
        failure = error;
      }
      const [memory, internal, validation] = await orLost(
        Promise.all([device.popErrorScope(), device.popErrorScope(), device.popErrorScope()]),
      );
      if (memory) throw new NarrowphaseError('OUT_OF_MEMORY', memory.message, { cause: failure });
      if (failure) throw failure;
      const rejected = validation ?? internal;
      if (rejected) throw new NarrowphaseError('SHADER', `the device rejected a command: ${rejected.message}`);
    },

    dispose() {
      isDisposed = true;
      pool.destroy();
      timer.destroy();
      handle.release();
    },
  };
}

/** Pairs of one chunk whose records take `recordBytes` each. */
function chunkSize(device: GPUDevice, recordBytes: number): number {
  // `simplices` of contacts and `waiting` are smaller than the records; `pairs` are 8 bytes each.
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize, CHUNK_BYTES);
  return Math.min(CHUNK_PAIRS, Math.floor(binding / Math.max(recordBytes, 8)));
}

function limitsOf(device: GPUDevice): TesterLimits {
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  return {
    maxBodies: Math.floor(binding / layouts.Pose.size),
    maxShapes: Math.floor(binding / layouts.Shape.size),
    maxHullVertices: MAX_HULL_VERTICES,
    maxPairsPerChunk: chunkSize(device, layouts.Contact.size),
  };
}
