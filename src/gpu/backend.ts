/** Queries on WebGPU: compiles the kernels of the plan, uploads shapes and bodies, and runs the pairs in chunks. */
import { isAbort } from '../request/abort.ts';
import { noTimings, type Backend, type QueryRequest, type QuerySink, type SearchSizes } from '../request/backend.ts';
import { NarrowphaseError, hasCode } from '../api/errors.ts';
import type { Dimension } from '../request/dimension.ts';
import type { TesterOptions } from '../api/types.ts';
import { door } from '../util/door.ts';
import { earliestOf } from './answer-chunk.ts';
import { createChunkClock } from './chunk-clock.ts';
import { recordOutput, type ChunkOutput } from './chunk-output.ts';
import type { DeviceHandle } from './device.ts';
import { createDeviceSlot, type BackendHooks, type DeviceState } from './device-slot.ts';
import type { KernelVariant } from './kernels.ts';
import { limitsOf } from './limits.ts';
import { variantsOfQuery, variantsOfSteps } from './passes.ts';
import { formOfQuery, planRequest, type Planner } from './planner.ts';
import { runChunks, SinkFailure } from './run-chunks.ts';
import { checkedInput, VoidAnswers, type QueryInput } from './upload.ts';

const loadLargeQueries = door('large queries', () => import('./large-query.ts'));
const loadBroadPhase = door('the broad phase', () => import('./broad-phase/find-pairs.ts'));
const loadRayCasts = door('ray casts', () => import('./rays/cast-rays.ts'));
const loadRayBatches = door('batches of rays', async () => (await import('./rays/batch.ts')).createRayBatch);
const loadBatches = door('batches', async () => (await import('./batch.ts')).createBatch);

/** Frees all buffers of the device's queries: what they hold can't be relied on. */
function clear(state: DeviceState): void {
  state.session.clear();
  state.residencies.clear();
  state.shapesVersion = -1;
}

export function createGpuBackend(
  handle: DeviceHandle,
  options: TesterOptions,
  dimension: Dimension,
  planner: Planner,
  hooks: BackendHooks = {},
): Backend {
  const slot = createDeviceSlot(handle, options, hooks);
  const timings = noTimings();

  /** The error; once the tester is disposed, `DISPOSED`. `what` says what was in progress. */
  function explain(error: unknown, what: string): unknown {
    if (!slot.isDisposed) return error;
    return new NarrowphaseError('DISPOSED', `the tester was disposed while ${what}`, { cause: error });
  }

  function leastOnDevice(): SearchSizes {
    return slot.current.session.kernels.adapter.leastOnDevice;
  }

  async function answer(
    state: DeviceState,
    request: QueryRequest,
    input: QueryInput,
    output: ChunkOutput,
    sink: QuerySink,
  ): Promise<void> {
    if (request.pairs.length === 0) return;
    const { session } = state;
    async function compile(variants: readonly KernelVariant[]): Promise<void> {
      const start = performance.now();
      await session.orLost(session.kernels.prepare(variants));
      timings.compile += performance.now() - start;
    }
    const start = performance.now();
    const asked = planRequest(formOfQuery(request), input.facts, session.kernels.adapter);
    const plan = state.prepared.planFor(planner, asked);
    timings.compile += performance.now() - start;
    await compile([
      ...(input.packing?.variants ?? []),
      ...variantsOfQuery(plan, dimension, request.hitsOnly, earliestOf(request)),
      ...output.variants,
    ]);
    let preparing: Promise<void> | undefined;
    const prepareFallback = (): Promise<void> => (preparing ??= compile(variantsOfSteps(plan.fallbackSteps)));
    const clock = createChunkClock();
    await runChunks({ state, request, input, plan, output, clock, timings, prepareFallback }, sink);
  }

  /** Runs a search on the device. After a failure, buffers may be invalid or missing, as after a query. */
  async function search<Found>(what: string, run: (state: DeviceState) => Promise<Found>): Promise<Found> {
    let state: DeviceState | undefined;
    try {
      state = await slot.ready();
      return await run(state);
    } catch (error) {
      if (state && !slot.isDisposed && !isAbort(error) && !hasCode(error, 'LIMIT_EXCEEDED')) clear(state);
      throw explain(error, what);
    }
  }

  /** Compiles kernels ahead of a query. */
  async function compiling(compile: (state: DeviceState) => Promise<void>): Promise<void> {
    try {
      await compile(await slot.ready());
    } catch (error) {
      throw explain(error, 'kernels were prepared');
    }
  }

  return {
    name: 'webgpu',
    // The adapter of the device in use. After a loss it is another one.
    get adapter() {
      return slot.current.adapter;
    },
    get limits() {
      return limitsOf(slot.current.session.device, dimension);
    },
    timings,

    async run(request, sink) {
      Object.assign(timings, noTimings());
      let state: DeviceState | undefined;
      try {
        state = await slot.ready();
        const usesDevice = request.check !== undefined || request.resident !== undefined;
        const large = usesDevice || request.takesArrays ? await loadLargeQueries() : undefined;
        const input =
          large && usesDevice
            ? await large.deviceInput(state, request, timings)
            : await checkedInput(state, request, timings);
        const output = large && request.takesArrays ? large.arrayOutput(request) : recordOutput(request);
        try {
          await answer(state, request, input, output, sink);
        } catch (error) {
          if (!(error instanceof VoidAnswers)) throw error;
          if (error.isOutOfMemory) {
            clear(state);
            // A chunk may have run on bodies that were not packed.
            if (request.warmStart) state.simplices.drop(request.warmStart);
          }
          const settled = !error.isOutOfMemory
            ? input.inspection!.settle()
            : input.inspection
              ? large!.deviceInput(state, request, timings, false)
              : checkedInput(state, request, timings, true);
          await answer(state, request, await settled, output, sink);
        }
      } catch (error) {
        if (error instanceof SinkFailure) throw explain(error.cause, 'a query ran');
        // After a device error, buffers may be invalid or missing. (Refused chunks clear their own pools.)
        if (state && !slot.isDisposed && !isAbort(error) && !hasCode(error, 'INVALID_INPUT')) {
          clear(state);
          if (request.warmStart) state.simplices.drop(request.warmStart);
        }
        throw explain(error, 'a query ran');
      }
    },

    prepare: (request) =>
      compiling(async (state) => {
        const rays = request.castsRays ? await loadRayCasts() : undefined;
        await (await loadLargeQueries()).prepareQuery(state, planner, request, rays?.castVariants(request));
      }),

    get leastOnDevice() {
      return leastOnDevice();
    },

    async prepareToFind(form) {
      if (leastOnDevice().findPairs === Infinity) return;
      const isPlanar = dimension.dimension === 2;
      await compiling(async ({ session }) =>
        (await loadBroadPhase()).prepareToFindPairs(session, { isPlanar, ...form }),
      );
    },

    findPairs: (request) =>
      search('pairs were searched', async (state) => (await loadBroadPhase()).findPairsOnDevice(state, request)),

    castRays: (request) =>
      search('rays were cast', async (state) => (await loadRayCasts()).castRaysOnDevice(state, planner, request)),

    async createBatch(request) {
      try {
        if (request.rayCasts) {
          const [createRayBatch, { session }] = await Promise.all([loadRayBatches(), slot.ready()]);
          return (await createRayBatch(session, request, planner)) as never;
        }
        const [createBatch, { session }] = await Promise.all([loadBatches(), slot.ready()]);
        return await createBatch(session, request, planner);
      } catch (error) {
        throw explain(error, 'a batch was made');
      }
    },

    dispose: slot.dispose,
  };
}
