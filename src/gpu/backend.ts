/** Queries, searches and batches on WebGPU. */
import { isAbort } from '../request/abort.ts';
import {
  noTimings,
  type Backend,
  type BatchRequest,
  type PrepareRequest,
  type SearchSizes,
} from '../request/backend.ts';
import type { Batch } from '../api/batch.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import { NarrowphaseError, hasCode } from '../api/errors.ts';
import type { Dimension } from '../request/dimension.ts';
import type { TesterOptions } from '../api/types.ts';
import { door } from '../util/door.ts';
import type { DeviceHandle } from './device.ts';
import { clearBuffers, createDeviceSlot, type BackendHooks, type DeviceState } from './device-slot.ts';
import { limitsOf } from './limits.ts';
import type { Planners } from './planner.ts';
import { SinkFailure } from './run-chunks.ts';
import { runQuery } from './run-query.ts';
import type { Session } from './session.ts';

const loadPrepare = door('prepare', async () => (await import('./prepare-query.ts')).prepareQuery);
const loadBroadPhase = door('the broad phase', () => import('./broad-phase/find-pairs.ts'));
const loadRayCasts = door('ray casts', () => import('./rays/cast-rays.ts'));
const loadRayBatches = door('batches of rays', async () => (await import('./rays/batch.ts')).createRayBatch);
const loadBatches = door('batches', async () => (await import('./batch.ts')).createBatch);

async function openBatch<Q extends QueryName>(
  session: Session,
  request: BatchRequest<Q>,
  planners: Planners,
): Promise<Batch<QueryResults[Q]>> {
  const planner = await planners.of(request.what.query);
  if (request.rayCasts) return (await (await loadRayBatches())(session, request, planner)) as never;
  return (await loadBatches())(session, request, planner);
}

async function prepareOn(state: DeviceState, planners: Planners, request: PrepareRequest): Promise<void> {
  const rays = request.castsRays ? await loadRayCasts() : undefined;
  const prepareQuery = await loadPrepare();
  await prepareQuery(state, await planners.of(request.what.query), request, rays?.castVariants(request));
}

export function createGpuBackend(
  handle: DeviceHandle,
  options: TesterOptions,
  dimension: Dimension,
  planners: Planners,
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

  async function onDevice<Result>(what: string, use: (state: DeviceState) => Promise<Result>): Promise<Result> {
    try {
      return await use(await slot.ready());
    } catch (error) {
      throw explain(error, what);
    }
  }

  /** Runs a search. After a failure, buffers may be invalid or missing, as after a query. */
  const search = <Found>(what: string, run: (state: DeviceState) => Promise<Found>): Promise<Found> =>
    onDevice(what, async (state) => {
      try {
        return await run(state);
      } catch (error) {
        if (!slot.isDisposed && !isAbort(error) && !hasCode(error, 'LIMIT_EXCEEDED')) clearBuffers(state);
        throw error;
      }
    });

  /** Compiles kernels ahead of a query. */
  const compiling = (compile: (state: DeviceState) => Promise<void>): Promise<void> =>
    onDevice('kernels were prepared', compile);

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
        await runQuery(state, await planners.of(request.what.query), request, timings, sink);
      } catch (error) {
        if (error instanceof SinkFailure) throw explain(error.cause, 'a query ran');
        // After a device error, buffers may be invalid or missing. (Refused chunks clear their own pools.)
        if (state && !slot.isDisposed && !isAbort(error) && !hasCode(error, 'INVALID_INPUT')) {
          clearBuffers(state);
          if (request.over.warmStart) state.simplices.drop(request.over.warmStart);
        }
        throw explain(error, 'a query ran');
      }
    },

    prepare: (request) => compiling((state) => prepareOn(state, planners, request)),

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
      search('rays were cast', async (state) =>
        (await loadRayCasts()).castRaysOnDevice(state, await planners.of('impacts'), request),
      ),

    createBatch: (request) => onDevice('a batch was made', ({ session }) => openBatch(session, request, planners)),

    dispose: slot.dispose,
  };
}
