/** Batches that cast rays: `query: 'rayCasts'`. */
import type { Batch, BatchInput, BatchOutput } from '../../api/batch.ts';
import { invalidInput, NarrowphaseError } from '../../api/errors.ts';
import type { RayHits, Rays } from '../../api/motion.ts';
import type { Bodies } from '../../api/types.ts';
import { ALL_GROUPS } from '../../generated/constants.ts';
import type { BatchRequest } from '../../request/backend.ts';
import { RAY_BATCH_DATA } from '../../request/options.ts';
import { ensureResident } from '../../request/resident.ts';
import { validateRays } from '../../request/validate-rays.ts';
import { allocate } from '../../util/arrays.ts';
import { expectKnown } from '../../util/known.ts';
import { createBatchWriter } from '../batch-writer.ts';
import { createBufferPool, writeBuffer, type BufferPool } from '../buffers.ts';
import { scoped } from '../error-scopes.ts';
import { expectEncoder } from '../expect.ts';
import type { Planner } from '../planner.ts';
import type { Session } from '../session.ts';
import { treeBytes } from '../broad-phase/tree.ts';
import { createRayBatchPlans, type BoundRayBatch } from './batch-plan.ts';
import { createRayReader } from './batch-reader.ts';
import { packRays } from './pack-rays.ts';
import { hitBytes } from './search.ts';

export async function createRayBatch(
  session: Session,
  request: BatchRequest,
  planner: Planner,
): Promise<Batch<RayHits>> {
  const pool = createBufferPool(session.device, 'batch.rayCasts');
  try {
    return await makeRayBatch(session, request, planner, pool);
  } catch (error) {
    pool.destroy();
    throw error;
  }
}

async function makeRayBatch(
  session: Session,
  request: BatchRequest,
  planner: Planner,
  pool: BufferPool,
): Promise<Batch<RayHits>> {
  const { device, kernels } = session;
  const { shapes: table, maxBodies, resident } = request;
  const { maxRays } = request.rayCasts!;
  expectRoom(device, request);
  const plans = createRayBatchPlans(session, request, planner, pool);
  const firstPlan = plans.planNow();
  await session.orLost(kernels.prepare(plans.variants(firstPlan)));
  const made = scoped(device, () => {
    const input = inputOf(pool, request);
    if (!request.bodyCount) writeBuffer(device.queue, input.bodyCount!, 0, Uint32Array.of(maxBodies));
    if (!request.groups)
      writeBuffer(device.queue, input.groups!, 0, allocate('groups', Uint32Array, maxBodies).fill(ALL_GROUPS));
    return { input, first: plans.bind(firstPlan, input) };
  });
  await session.orLost(made.verdict);
  const { input, first } = made.result;
  let bound: BoundRayBatch = first;
  const output: BatchOutput = { records: first.hits, counts: first.counts, dispatch: first.buffers.dispatch };
  const reader = createRayReader(session, request, input, output);
  const writer = createBatchWriter(device.queue, input, request, () => {});
  // Rays meet fixed bodies as others.
  const writeBodies = (bodies: Bodies): void => writer({ bodies: { ...bodies, fixed: undefined } });
  let written: unknown;
  let isDisposed = false;

  function ensureOpen(): void {
    if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the batch was disposed');
    if (session.lost) throw session.lost;
  }

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    reader.destroy();
    pool.destroy();
    request.onDispose();
  }

  /** The writes of rays, once they are checked. */
  function raysToWrite(given: Rays): [GPUBuffer, Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>][] {
    if (request.rayCasts!.rays || request.rayCasts!.rayCount)
      invalidInput('rays', given, 'nothing, as the buffers of rays are yours');
    const rays = validateRays(given, request.dimension.dimension);
    const count = rays.origins.length / request.dimension.dimension;
    if (!(rays.origins instanceof Float32Array))
      invalidInput('rays.origins', rays.origins, 'a Float32Array: batches hold f32 positions');
    if (count > maxRays) invalidInput('rays.origins.length', count, `at most maxRays, which is ${maxRays}`);
    return [
      [input.rays!, packRays(rays, request.dimension)],
      [input.rayCount!, Uint32Array.of(count)],
    ];
  }

  return {
    device,
    input,
    output,

    async prepare() {
      ensureOpen();
      await session.orLost(kernels.prepare(plans.variants(plans.planNow())));
    },

    write(data) {
      ensureOpen();
      if (typeof data !== 'object' || data === null) invalidInput('data', data, '{ bodies?, rays? }');
      expectKnown(data, 'data', RAY_BATCH_DATA);
      const { bodies, rays } = data;
      if (resident && bodies !== undefined)
        invalidInput('bodies', bodies, 'nothing, as the batch was made with options.bodies');
      const writes = rays === undefined ? [] : raysToWrite(rays);
      if (bodies !== undefined) writeBodies(bodies as Bodies);
      for (const [buffer, contents] of writes) writeBuffer(device.queue, buffer, 0, contents);
    },

    encode(encoder) {
      ensureOpen();
      expectEncoder('encoder', encoder);
      if (resident) {
        ensureResident('options.bodies', resident);
        if (resident.writes !== written) {
          writeBodies(resident.arrays as Bodies);
          written = resident.writes;
        }
      }
      if (bound.version !== table.version) {
        const plan = plans.planNow();
        if (!kernels.has(plans.variants(plan))) {
          throw new NarrowphaseError(
            'INVALID_INPUT',
            'shapes that need other kernels were added since createBatch, expected await batch.prepare() before encode',
          );
        }
        bound = plans.bind(plan, input);
      }
      plans.encode(encoder, bound, input);
    },

    async read(options = {}): Promise<never> {
      ensureOpen();
      return reader.read(options) as Promise<never>;
    },

    async readCounts(options = {}) {
      ensureOpen();
      return reader.readCounts(options);
    },

    dispose,
    [Symbol.dispose]: dispose,
  };
}

/** The caller's buffers, and others from the pool. */
function inputOf(pool: BufferPool, request: BatchRequest): BatchInput {
  const { dimension, maxBodies, rayCasts } = request;
  const { maxRays } = rayCasts!;
  return {
    poses: request.poses ?? pool.get('poses', 4 * dimension.poseWords * maxBodies),
    shapes: request.shapeIds ?? pool.get('shapeIds', 4 * maxBodies),
    pairs: pool.get('foundPairs', 8 * request.maxPairs),
    pairCount: pool.get('pairCount', 4),
    bodyCount: request.bodyCount ?? pool.get('bodyCount', 4),
    groups: request.groups ?? pool.get('groups', 4 * maxBodies),
    rays: rayCasts!.rays ?? pool.get('rays', 4 * dimension.rayWords * maxRays),
    rayCount: rayCasts!.rayCount ?? pool.get('rayCount', 4),
  };
}

function expectRoom({ limits }: GPUDevice, { dimension, maxBodies, rayCasts }: BatchRequest): void {
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  for (const [name, count, bytes] of [
    ['maxBodies', maxBodies, treeBytes(maxBodies)],
    ['maxRays', rayCasts!.maxRays, hitBytes(dimension) * rayCasts!.maxRays],
  ] as const) {
    if (bytes > most) {
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `options.${name} is ${count}, which takes a buffer of ${bytes} bytes, expected at most ${most} on this device`,
      );
    }
  }
}
