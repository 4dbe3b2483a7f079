/** Queries on WebGPU: compiles the kernels of the plan, uploads shapes and bodies, and runs the pairs in chunks. */
import { isAbort } from '../request/abort.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import { noTimings, type Backend } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';
import type { Dimension } from '../request/dimension.ts';
import type { TesterOptions } from '../api/types.ts';
import { door } from '../util/door.ts';
import { earliestOf } from './answer-chunk.ts';
import { createChunkClock } from './chunk-clock.ts';
import { outputOf, outputVariants } from './chunk-output.ts';
import type { DeviceHandle } from './device.ts';
import { createDeviceSlot, type BackendHooks, type DeviceState } from './device-slot.ts';
import { limitsOf } from './limits.ts';
import { variantsOfQuery, variantsOfSteps } from './passes.ts';
import { planBatch, planQuery, type Planner } from './planner.ts';
import { runChunks } from './run-chunks.ts';
import { uploadQuery } from './upload.ts';

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

  /** The error, or `DISPOSED` if the tester was disposed while `what`. */
  function explain(error: unknown, what: string): unknown {
    if (!slot.isDisposed) return error;
    return new NarrowphaseError('DISPOSED', `the tester was disposed while ${what}`, { cause: error });
  }

  return {
    name: 'webgpu',
    // Of the device in use, which is another one after a loss.
    get adapter() {
      return slot.current.adapter;
    },
    get limits() {
      return limitsOf(slot.current.session.device, dimension);
    },
    timings,

    async run(request, sink) {
      const start = performance.now();
      request.check?.();
      const plan = planQuery(planner, request);
      let state: DeviceState | undefined;
      try {
        state = await slot.ready();
        const { session } = state;
        const { hitsOnly } = request;
        const hasFixedPoint = usesFixedPoint(request.bodies);
        const variants = [
          ...variantsOfQuery(plan, dimension, hitsOnly, earliestOf(request)),
          ...outputVariants({ ...request, hasFixedPoint, takesArrays: request.arrays !== undefined }),
        ];
        await session.orLost(session.kernels.prepare(variants));
        Object.assign(timings, { ...noTimings(), compile: performance.now() - start });
        const cellSize = await uploadQuery(state, request);
        let preparing: Promise<void> | undefined;
        const prepareFallback = async (): Promise<void> => {
          const began = performance.now();
          await session.orLost(session.kernels.prepare(variantsOfSteps(plan.fallbackSteps)));
          timings.compile += performance.now() - began;
        };
        const clock = createChunkClock();
        const prepareOnce = (): Promise<void> => (preparing ??= prepareFallback());
        const output = outputOf(request);
        const run = { state, request, plan, output, cellSize, clock, timings, prepareFallback: prepareOnce };
        await runChunks(run, sink);
      } catch (error) {
        // After a refusal no buffer can be relied on, not even to exist. (Refused chunks clear their pools themselves.)
        if (state && !slot.isDisposed && !isAbort(error)) {
          state.session.clear();
          state.shapesVersion = -1;
          if (request.warmStart) state.simplices.drop(request.warmStart);
        }
        throw explain(error, 'a query ran');
      }
    },

    async prepare(request) {
      const { session } = await slot.ready();
      const plan = planBatch(planner, { ...request, hasArcs: true }, request.shapes);
      const variants = [
        ...variantsOfQuery(plan, dimension, request.hitsOnly, earliestOf(request)),
        ...outputVariants(request),
      ];
      await session.orLost(session.kernels.prepare(variants));
    },

    async createBatch(request) {
      try {
        const [createBatch, { session }] = await Promise.all([loadBatches(), slot.ready()]);
        return await createBatch(session, request, planner);
      } catch (error) {
        throw explain(error, 'a batch was made');
      }
    },

    dispose: slot.dispose,
  };
}
