/** Queries, searches and batches on WebGPU. */
import { isAbort } from '../request/abort.ts';
import { noTimings, type Backend, type SearchSizes } from '../request/backend.ts';
import { NarrowphaseError, hasCode } from '../api/errors.ts';
import type { Dimension } from '../request/dimension.ts';
import type { TesterOptions } from '../api/types.ts';
import { door } from '../util/door.ts';
import type { DeviceHandle } from './device.ts';
import { clearBuffers, createDeviceSlot, type BackendHooks, type DeviceState } from './device-slot.ts';
import { limitsOf } from './limits.ts';
import type { Planner } from './planner.ts';
import { SinkFailure } from './run-chunks.ts';
import { runQuery } from './run-query.ts';

const loadPrepare = door('prepare', async () => (await import('./prepare-query.ts')).prepareQuery);
const loadBroadPhase = door('the broad phase', () => import('./broad-phase/find-pairs.ts'));
const loadRayCasts = door('ray casts', () => import('./rays/cast-rays.ts'));
const loadRayBatches = door('batches of rays', async () => (await import('./rays/batch.ts')).createRayBatch);
const loadBatches = door('batches', async () => (await import('./batch.ts')).createBatch);

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

  /** Runs a search on the device. After a failure, buffers may be invalid or missing, as after a query. */
  async function search<Found>(what: string, run: (state: DeviceState) => Promise<Found>): Promise<Found> {
    let state: DeviceState | undefined;
    try {
      state = await slot.ready();
      return await run(state);
    } catch (error) {
      if (state && !slot.isDisposed && !isAbort(error) && !hasCode(error, 'LIMIT_EXCEEDED')) clearBuffers(state);
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
      let state: DeviceState | undefined;
      try {
        state = await slot.ready();
        await runQuery(state, planner, request, timings, sink);
      } catch (error) {
        if (error instanceof SinkFailure) throw explain(error.cause, 'a query ran');
        // After a device error, buffers may be invalid or missing. (Refused chunks clear their own pools.)
        if (state && !slot.isDisposed && !isAbort(error) && !hasCode(error, 'INVALID_INPUT')) {
          clearBuffers(state);
          if (request.warmStart) state.simplices.drop(request.warmStart);
        }
        throw explain(error, 'a query ran');
      }
    },

    prepare: (request) =>
      compiling(async (state) => {
        const rays = request.castsRays ? await loadRayCasts() : undefined;
        await (
          await loadPrepare()
        )(state, planner, request, rays?.castVariants(request));
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
