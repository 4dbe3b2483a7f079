/**
 * Queries on WebGPU: uploads shapes and bodies once a query, cuts the pairs into chunks that fit the device's limits, and
 * runs each chunk through the stages of its query.
 */
import type { Backend, QueryRequest, QuerySink } from '../backend.ts';
import { NarrowphaseError } from '../errors.ts';
import { layouts } from '../generated/layouts.ts';
import { packBodies } from '../pack/bodies.ts';
import { recordWords } from '../pack/results.ts';
import { packShapes } from '../pack/shapes.ts';
import { throwIfAborted } from '../pack/validate.ts';
import { MAX_HULL_VERTICES } from '../shapes/shape-data.ts';
import type { QueryTimings, TesterLimits, TesterOptions } from '../types.ts';
import { createBufferPool } from './buffers.ts';
import { encodeChunk, STATUS_COUNT, type ChunkContext, type ChunkOutput } from './chunk.ts';
import type { DeviceHandle } from './device.ts';
import { scoped } from './error-scopes.ts';
import { createKernels } from './kernels.ts';
import { encodeCopies, readCopies, type Region } from './read-back.ts';
import { hitKernels, listKernels, stagesFor, type Stage } from './stages.ts';
import { createTimer } from './timer.ts';

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
  let lost: NarrowphaseError | undefined;
  /** What waits for the device now. */
  const waiting = new Set<(error: NarrowphaseError) => void>();
  void device.lost.then((info) => {
    lost = new NarrowphaseError('DEVICE_LOST', `the GPU device was lost (${info.reason}): ${info.message}`);
    for (const reject of waiting) reject(lost);
    if (!isDisposed) options.onDeviceLost?.({ reason: info.reason, message: info.message });
  });
  /** Rejects where the device is lost meanwhile, of which WebGPU itself says nothing. */
  const orLost = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost) reject(lost);
      waiting.add(reject);
      promise.then(resolve, reject).finally(() => waiting.delete(reject));
    });

  async function runChunks(request: QueryRequest, stages: readonly Stage[], sink: QuerySink): Promise<void> {
    const { query, pairs, signal } = request;
    const { poses, bodies, cellSize } = packBodies(request.bodies);
    const upload = scoped(device, () => {
      uploadShapes(request);
      pool.upload('poses', poses);
      pool.upload('bodies', bodies);
    });
    await orLost(upload.verdict);
    const context: ChunkContext = { device, pool, kernels, request, stages, cellSize };
    const pairCount = pairs.length / 2;
    const chunkPairs = chunkSize(device, 4 * recordWords[query].words);
    for (let first = 0; first < pairCount; first += chunkPairs) {
      throwIfAborted(signal);
      const count = Math.min(chunkPairs, pairCount - first);
      if (request.hitsOnly) await runHits(context, first, count, sink);
      else await runAll(context, first, count, sink);
    }
  }

  function uploadShapes({ shapes }: QueryRequest): void {
    if (shapesVersion === shapes.version) return;
    const packed = packShapes(shapes.shapes);
    pool.upload('shapes', packed.shapes);
    pool.upload('geometry', packed.geometry);
    shapesVersion = shapes.version;
  }

  async function runAll(context: ChunkContext, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const size = 4 * recordWords[context.request.query].words * count;
    const [records] = await submitAndRead('backend.all', (encoder) => {
      const { records: buffer } = encodeChunk(context, encoder, timer.writes, firstPair, count);
      return [{ buffer, offset: 0, size }];
    });
    sink.write({ firstPair, recordCount: count, records });
  }

  /** Two round trips: how many hits there are, then only their records. */
  async function runHits(context: ChunkContext, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    let output: ChunkOutput | undefined;
    const [header, statuses] = await submitAndRead('backend.hits', (encoder) => {
      output = encodeChunk(context, encoder, timer.writes, firstPair, count);
      const { hits, tallies } = output as Required<ChunkOutput>;
      return [
        { buffer: hits, offset: 0, size: 4 },
        { buffer: tallies, offset: 0, size: 4 * STATUS_COUNT },
      ];
    });
    const { records, hits } = output as Required<ChunkOutput>;
    const recordCount = new Uint32Array(header)[0];
    sink.count(new Uint32Array(statuses));
    if (recordCount === 0) return;
    const [listed, bytes] = await submitAndRead('backend.hits.records', () => [
      { buffer: hits, offset: 4, size: 4 * recordCount },
      { buffer: records, offset: 0, size: 4 * recordWords[context.request.query].words * recordCount },
    ]);
    sink.write({ firstPair, recordCount, records: bytes, listed: new Uint32Array(listed) });
  }

  /** Submits what `encode` records and reads the regions it names. Adds kernel time (by timestamps) and read-back time. */
  async function submitAndRead(label: string, encode: (encoder: GPUCommandEncoder) => Region[]): Promise<ArrayBuffer[]> {
    const start = performance.now();
    const { result, verdict } = scoped(device, () => {
      const encoder = device.createCommandEncoder({ label });
      const regions = [...encode(encoder), timer.resolve(encoder)];
      const staging = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return { staging, regions };
    });
    await orLost(verdict);
    const copies = await orLost(readCopies(result.staging, result.regions));
    const kernelTime = timer.elapsed(copies.pop() as ArrayBuffer);
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
      const helpers = request.hitsOnly ? hitKernels : stages.length > 1 ? listKernels : [];
      try {
        await orLost(kernels.prepare([...stages, ...helpers]));
        Object.assign(timings, { compile: performance.now() - start, kernels: 0, readBack: 0 });
        await runChunks(request, stages, sink);
      } catch (error) {
        if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran', { cause: error });
        // After a refusal no buffer can be relied on, not even to exist.
        pool.clear();
        shapesVersion = -1;
        throw error;
      }
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
  // No other buffer takes more a pair than the records do, or the 8 bytes of `pairs`; `waiting` has one word besides.
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize, CHUNK_BYTES);
  return Math.min(CHUNK_PAIRS, Math.floor((binding - 4) / Math.max(recordBytes, 8)));
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
