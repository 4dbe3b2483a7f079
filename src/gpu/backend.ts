/**
 * Queries on WebGPU: uploads shapes and bodies once a query, cuts the pairs into chunks, and runs each chunk through
 * the steps of its plan.
 */
import { isAbort, throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest, QuerySink } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';
import {
  COUNTS_STATUSES,
  INFO_PENDING_ARCS,
  INFO_PENDING_REFINE,
  LIST_HEADER,
  STATUS_CAPACITY_EXCEEDED,
  STATUS_COUNT,
} from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { packBodies, packVelocities, type PackedBodies } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import type { AdapterDescription, QueryTimings, TesterOptions } from '../api/types.ts';
import { door } from '../util/door.ts';
import { USAGE, type BufferPool } from './buffers.ts';
import { createChunkSizes, type ChunkSizes } from './chunks.ts';
import type { DeviceHandle } from './device.ts';
import { scoped } from './error-scopes.ts';
import { record } from './kernels.ts';
import { limitsOf } from './limits.ts';
import {
  firstImpactBytes,
  bindEarliest,
  bindGather,
  bindList,
  bindSteps,
  bindTally,
  blockSumBytes,
  listBytes,
  variantsOfQuery,
  variantsOfSteps,
  DISPATCH_BYTES,
  type EarliestOf,
  type PassBuffers,
  type PassContext,
  type PassSizes,
} from './passes.ts';
import { planBatch, planQuery, type Planner } from './planner.ts';
import { encodeCopies, readCopies, type Region } from './read-back.ts';
import { createSession, type Session, type Throttle } from './session.ts';
import { SIMPLEX_BYTES, createSimplices, type Simplices } from './simplices.ts';
import { hitList, type Plan, type Step } from './steps.ts';

const loadBatches = door('batches', async () => (await import('./batch.ts')).createBatch);

/** A device and what lasts as long as it. */
interface Opened {
  readonly adapter: AdapterDescription;
  readonly session: Session;
  readonly chunkSizes: ChunkSizes;
  readonly simplices: Simplices;
  /** Of the shapes in the session's buffers; -1 where nothing can be relied on. */
  shapesVersion: number;
  release(): void;
}

/** A query on its way: what does not change from chunk to chunk. */
interface Running {
  opened: Opened;
  request: QueryRequest;
  plan: Plan;
  cellSize: number;
}

/** What the platform adds. */
export interface BackendHooks {
  /** Gives another device when ours is lost; without it the device is the caller's. */
  reopen?: () => Promise<DeviceHandle>;
  /** How the host waits for a software adapter, where it has a better way than to wait. */
  throttle?: Throttle;
}

export function createGpuBackend(
  handle: DeviceHandle,
  options: TesterOptions,
  space: Dimension,
  planner: Planner,
  { reopen, throttle }: BackendHooks = {},
): Backend {
  const { sizes: recordSizes } = space.records;
  const timings: QueryTimings = { compile: 0, kernels: 0, readBack: 0 };
  let isDisposed = false;
  /** Milliseconds from submissions to their ends, in the chunk under way. */
  let deviceTime = 0;
  let current = open(handle);
  let reopening: Promise<Opened> | undefined;

  function open({ device, adapter, release }: DeviceHandle): Opened {
    const session = createSession(device, (info) => tellLoss(options, info), adapter.isSoftware ? throttle : undefined);
    return {
      adapter,
      session,
      release,
      chunkSizes: createChunkSizes(device),
      simplices: createSimplices(device),
      shapesVersion: -1,
    };
  }

  /** The device in use; another where ours was lost, the same for all who ask meanwhile. */
  async function ready(): Promise<Opened> {
    if (!current.session.lost || !reopen) return current;
    reopening ??= replace(current, reopen).finally(() => (reopening = undefined));
    return reopening;
  }

  async function replace(lost: Opened, openAnother: () => Promise<DeviceHandle>): Promise<Opened> {
    const renewed = await openAnother();
    close(lost);
    if (isDisposed) {
      renewed.release();
      throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
    }
    current = open(renewed);
    return current;
  }

  function close(opened: Opened): void {
    opened.simplices.dropAll();
    opened.session.destroy();
    opened.release();
  }

  async function runChunks(running: Running, sink: QuerySink): Promise<void> {
    const { request, plan } = running;
    const { chunkSizes } = running.opened;
    const pairCount = request.pairs.length / 2;
    const pairBytes = Math.max(4 * recordSizes[request.query].words, request.warmStart ? SIMPLEX_BYTES : 0);
    const key = JSON.stringify(plan.steps);
    for (let first = 0; first < pairCount;) {
      throwIfAborted(request.signal);
      const count = Math.min(chunkSizes.next(key, pairBytes), pairCount - first);
      deviceTime = 0;
      if (request.hitsOnly) await runHits(running, first, count, sink);
      else await runAll(running, first, count, sink);
      chunkSizes.measured(key, count, deviceTime);
      first += count;
    }
  }

  async function upload(opened: Opened, request: QueryRequest, packed: PackedBodies): Promise<void> {
    const { session, chunkSizes } = opened;
    const { verdict } = scoped(session.device, () => {
      if (opened.shapesVersion !== request.shapes.version) {
        const { shapes, geometry } = space.packShapes(request.shapes.shapes);
        session.pool.upload('shapes', shapes);
        session.pool.upload('geometry', geometry);
        opened.shapesVersion = request.shapes.version;
        chunkSizes.forget();
      }
      session.pool.upload('poses', packed.poses);
      session.pool.upload('bodies', packed.bodyShapes);
      if (request.motion) session.pool.upload('velocities', packVelocities(request.motion, space));
    });
    await session.orLost(verdict);
  }

  async function runAll(running: Running, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const { request, plan } = running;
    const { session } = running.opened;
    const { words, info } = recordSizes[request.query];
    const recordsAfter = async (steps: readonly Step[]): Promise<ArrayBuffer> => {
      const [records] = await submitAndRead(session, 'backend.all', (encoder) => {
        const { context, sizes, buffers } = prepareChunk(running, firstPair, count);
        const pass = encoder.beginComputePass({
          label: `backend.${request.query}`,
          timestampWrites: session.timer.writes,
        });
        record(pass, bindSteps(context, plan, steps, sizes, buffers));
        pass.end();
        return [{ buffer: buffers.records, offset: 0, size: 4 * words * count }];
      });
      return records;
    };
    let records = await recordsAfter(plan.steps);
    if (plan.laterSteps.length > 0 && hasOutgrown(new Uint32Array(records), words, info)) {
      await prepareLater(running);
      records = await recordsAfter(plan.laterSteps);
    }
    sink.write({ firstPair, recordCount: count, records });
  }

  /** Two round trips: how many hits there are, then only their records, gathered into as much memory as they need. */
  async function runHits(running: Running, firstPair: number, count: number, sink: QuerySink): Promise<void> {
    const { request, plan } = running;
    const { session } = running.opened;
    const { pool } = session;
    const countsAfter = (steps: readonly Step[]): Promise<ArrayBuffer[]> =>
      submitAndRead(session, 'backend.hits', (encoder) => {
        const { context, sizes, buffers } = prepareChunk(running, firstPair, count);
        const counts = pool.get('counts', layouts.Counts.size);
        encoder.clearBuffer(counts);
        if (buffers.firstImpacts) encoder.clearBuffer(buffers.firstImpacts);
        const pass = encoder.beginComputePass({
          label: `backend.${request.query}`,
          timestampWrites: session.timer.writes,
        });
        record(pass, bindSteps(context, plan, steps, sizes, buffers));
        if (request.earliestOnly) record(pass, bindEarliest(context, earliestOf(request), sizes, buffers));
        record(pass, bindList(context, plan, hitList, sizes, buffers));
        record(pass, bindTally(context, plan, sizes, { ...buffers, counts }));
        pass.end();
        return [
          { buffer: buffers.list, offset: 4, size: 4 },
          { buffer: counts, offset: 4 * COUNTS_STATUSES, size: 4 * STATUS_COUNT },
        ];
      });
    let [header, statuses] = await countsAfter(plan.steps);
    if (plan.laterSteps.length > 0 && new Uint32Array(statuses)[STATUS_CAPACITY_EXCEEDED] > 0) {
      await prepareLater(running);
      [header, statuses] = await countsAfter(plan.laterSteps);
    }
    const recordCount = new Uint32Array(header)[0];
    sink.count(new Uint32Array(statuses));
    if (recordCount === 0) return;
    const size = 4 * recordSizes[request.query].words * recordCount;
    const [listed, records] = await submitAndRead(session, 'backend.hits.records', (encoder) => {
      const { context, sizes, buffers } = prepareChunk(running, firstPair, count, recordCount);
      const gathered = pool.get('gathered', size);
      const pass = encoder.beginComputePass({ label: 'backend.gather', timestampWrites: session.timer.writes });
      record(
        pass,
        bindGather(context, plan, sizes, { ...buffers, gathered, counts: pool.get('counts', layouts.Counts.size) }),
      );
      pass.end();
      return [
        { buffer: buffers.list, offset: 4 * LIST_HEADER, size: 4 * recordCount },
        { buffer: gathered, offset: 0, size },
      ];
    });
    sink.write({ firstPair, recordCount, records, listed: new Uint32Array(listed) });
  }

  /** Compiles the later steps, for pairs that wait for them. */
  async function prepareLater({ opened: { session }, plan }: Running): Promise<void> {
    const start = performance.now();
    await session.orLost(session.kernels.prepare(variantsOfSteps(plan.laterSteps)));
    timings.compile += performance.now() - start;
  }

  /**
   * Submits what `encode` records and reads the regions it names. Adds kernel time (by timestamps) and read-back time.
   */
  async function submitAndRead(
    session: Session,
    label: string,
    encode: (encoder: GPUCommandEncoder) => Region[],
  ): Promise<ArrayBuffer[]> {
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
    const whole = performance.now() - start;
    timings.readBack += whole - kernelTime;
    deviceTime += whole;
    return copies;
  }

  return {
    name: 'webgpu',
    // Of the device in use: after a loss it may be another.
    get adapter() {
      return current.adapter;
    },
    get limits() {
      return limitsOf(current.session.device, space);
    },
    timings,

    async run(request, sink) {
      const start = performance.now();
      const plan = planQuery(planner, request);
      let opened: Opened | undefined;
      try {
        opened = await ready();
        const { session } = opened;
        await session.orLost(
          session.kernels.prepare(
            variantsOfQuery(plan, space, request.hitsOnly, request.earliestOnly ? earliestOf(request) : undefined),
          ),
        );
        Object.assign(timings, { compile: performance.now() - start, kernels: 0, readBack: 0 });
        const packed = packBodies(request.bodies, space);
        await upload(opened, request, packed);
        await runChunks({ opened, request, plan, cellSize: packed.cellSize }, sink);
      } catch (error) {
        if (isDisposed)
          throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran', { cause: error });
        // After a refusal no buffer can be relied on, not even to exist.
        if (opened && !isAbort(error)) {
          opened.session.pool.clear();
          opened.shapesVersion = -1;
          if (request.warmStart) opened.simplices.drop(request.warmStart);
        }
        throw error;
      }
    },

    async prepare(request) {
      const { session } = await ready();
      const plan = planBatch(planner, { ...request, hasArcs: true }, request.shapes);
      const earliest = request.earliestOnly ? earliestOf(request) : undefined;
      await session.orLost(session.kernels.prepare(variantsOfQuery(plan, space, request.hitsOnly, earliest)));
    },

    async createBatch(request) {
      try {
        const [createBatch, { session }] = await Promise.all([loadBatches(), ready()]);
        return await createBatch(session, request, planner);
      } catch (error) {
        if (isDisposed)
          throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a batch was made', { cause: error });
        throw error;
      }
    },

    dispose() {
      isDisposed = true;
      close(current);
    },
  };
}

/** Calls the caller's listener. Its errors are reported, like those of event listeners: they must not end a process. */
function tellLoss({ onDeviceLost }: TesterOptions, { reason, message }: GPUDeviceLostInfo): void {
  const told = new Promise((resolve) => resolve(onDeviceLost?.({ reason, message })));
  told.catch(globalThis.reportError ?? console.error);
}

/** Who decides on pairs that the kernels left open. */
function earliestOf({ escalates }: Pick<QueryRequest, 'escalates'>): EarliestOf {
  return escalates ? 'openChunk' : 'chunk';
}

/** Whether a record waits for the later steps. */
function hasOutgrown(words: Uint32Array, stride: number, infoWord: number): boolean {
  for (let at = infoWord; at < words.length; at += stride)
    if (words[at] & (INFO_PENDING_ARCS | INFO_PENDING_REFINE)) return true;
  return false;
}

/** Buffers and sizes of a chunk; uploads its pairs, unless it is here to gather `hits` of them. */
function prepareChunk(
  { opened, request, plan, cellSize }: Running,
  firstPair: number,
  count: number,
  hits?: number,
): { context: PassContext; sizes: PassSizes; buffers: PassBuffers } {
  const { device, kernels, pool } = opened.session;
  const { query, space, bodies, shapes, margin, motion, pairs, warmStart } = request;
  const blockSums = pool.get('blockSums', blockSumBytes(count, plan.classes.length));
  const part = pairs.subarray(2 * firstPair, 2 * (firstPair + count));
  return {
    context: { device, kernels, space, uniform: (name, data) => uniform(pool, name, data) },
    sizes: {
      pairCount: count,
      pairCapacity: count,
      bodyCount: bodies.shapes.length,
      shapeCount: shapes.shapes.length,
      margin,
      duration: motion?.duration ?? 0,
      cellSize,
      gatherCapacity: hits ?? 0,
      // Nobody has a next pass.
      callersWorkgroupSize: 1,
    },
    buffers: {
      shapeRecords: pool.get('shapes', 0),
      geometry: pool.get('geometry', 0),
      poses: pool.get('poses', 0),
      bodyShapes: pool.get('bodies', 0),
      pairs: hits === undefined ? pool.upload('pairs', part) : pool.get('pairs', 0),
      records: pool.get('results', 4 * space.records.sizes[query].words * count),
      contacts: plan.ladder !== query ? pool.get('contacts', layouts.Contact.size * count) : undefined,
      list: pool.get('list', listBytes(count)),
      blockSums,
      dispatch: pool.get('dispatch', DISPATCH_BYTES),
      firstImpacts: request.earliestOnly ? pool.get('firstImpacts', firstImpactBytes(bodies.shapes.length)) : undefined,
      velocities: motion && pool.get('velocities', 0),
      simplices: warmStart
        ? {
            buffer: opened.simplices.of(warmStart, pairs.length / 2),
            offset: SIMPLEX_BYTES * firstPair,
            size: SIMPLEX_BYTES * count,
          }
        : blockSums,
    },
  };
}

function uniform(pool: BufferPool, name: string, data: ArrayBuffer): GPUBuffer {
  return pool.upload(name, data, USAGE.UNIFORM | USAGE.COPY_DST);
}
