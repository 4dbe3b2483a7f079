/** Batches that cast rays: `query: 'rayCasts'`. */
import type { Batch, BatchInput, BatchOutput } from '../../api/batch.ts';
import { NarrowphaseError } from '../../api/errors.ts';
import type { RayHits } from '../../api/motion.ts';
import type { BatchRequest } from '../../request/backend.ts';
import { batchHandle, expectWorkgroupSize, refuseInput, resetBodies } from '../batch-handle.ts';
import { writerVariants } from '../batch-writer.ts';
import { treeBytes } from '../broad-phase/tree.ts';
import { createBufferPool, writeBuffer, type BufferPool } from '../buffers.ts';
import { scoped } from '../error-scopes.ts';
import type { Planner } from '../planner.ts';
import type { Session } from '../session.ts';
import { createRayBatchPlans } from './batch-plan.ts';
import { createRayReader } from './batch-reader.ts';
import { createRayWriter } from './batch-writer.ts';
import { hitBytes } from './search.ts';

export async function createRayBatch(
  session: Session,
  request: BatchRequest,
  planner: Planner,
): Promise<Batch<RayHits>> {
  const pool = createBufferPool(session.device, 'batch.rayCasts', { keepsReplaced: true });
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
  const { device } = session;
  const { shapes: table } = request;
  const { maxRays, rays, rayCount } = request.rayCasts!;
  expectWorkgroupSize(device, request.workgroupSize);
  expectRoom(device, request);
  const plans = createRayBatchPlans(session, request, planner, pool);
  // Shapes may be added while kernels compile: the next `encode` then plans again.
  const firstVersion = table.version;
  const firstPlan = plans.planNow();
  await Promise.all([plans.prepare(firstPlan), session.orLost(session.kernels.prepare(writerVariants(request)))]);
  const made = scoped(device, () => {
    const input = inputOf(pool, request);
    return { input, writer: createRayWriter(session, pool, input, request) };
  });
  await session.orLost(made.verdict);
  const { input, writer } = made.result;
  resetBodies(device.queue, request, input);
  // If the caller brings rays but no count, all rays that there is room for are cast.
  if (rays && !rayCount) writeBuffer(device.queue, input.rayCount!, 0, Uint32Array.of(maxRays));

  // Recorded once without a submission: a buffer of the caller's that can't be used is refused here, not in a frame.
  const rehearsal = scoped(device, () => {
    const bound = plans.bind(firstPlan, firstVersion, input);
    const encoder = device.createCommandEncoder({ label: 'batch.rayCasts.rehearsal' });
    plans.encode(encoder, bound, input);
    encoder.finish();
    return bound;
  });
  await session.orLost(rehearsal.verdict.catch((error: unknown) => refuseInput(request, error)));
  const { hits: records, counts, buffers } = rehearsal.result;
  const output: BatchOutput = { records, counts, dispatch: buffers.dispatch };

  return batchHandle(session, request, pool, {
    input,
    output,
    plans,
    first: rehearsal.result,
    bind: (plan) => plans.bind(plan, table.version, input),
    encode: (encoder, bound) => plans.encode(encoder, bound, input),
    write: writer.write,
    reader: createRayReader(session, request, output),
  });
}

/** The caller's buffers, and others from the pool. */
function inputOf(pool: BufferPool, request: BatchRequest): BatchInput {
  const { dimension, maxBodies, rayCasts } = request;
  const { maxRays, rays, rayCount } = rayCasts!;
  return {
    poses: request.poses ?? pool.get('poses', 4 * dimension.poseWords * maxBodies),
    shapes: request.shapeIds ?? pool.get('shapeIds', 4 * maxBodies),
    pairs: pool.get('foundPairs', 8 * request.maxPairs),
    pairCount: pool.get('pairCount', 4),
    bodyCount: request.bodyCount ?? pool.get('bodyCount', 4),
    groups: request.groups ?? pool.get('groups', 4 * maxBodies),
    rays: rays ?? pool.get('rays', 4 * dimension.rayWords * maxRays),
    rayCount: rayCount ?? pool.get('rayCount', 4),
  };
}

/** Throws `LIMIT_EXCEEDED` if the device has no buffers for so many bodies and rays. */
function expectRoom({ limits }: GPUDevice, { dimension, maxBodies, rayCasts }: BatchRequest): void {
  const { maxRays } = rayCasts!;
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const perBody = 4 * Math.max(dimension.poseWords, dimension.velocityWords);
  for (const [names, count, bytes] of [
    ['options.maxBodies is', maxBodies, treeBytes(maxBodies)],
    ['options.maxRays is', maxRays, hitBytes(dimension) * maxRays],
    ['options.maxBodies and options.maxRays together are', maxBodies + maxRays, perBody * (maxBodies + maxRays)],
  ] as const) {
    if (bytes > most) {
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `${names} ${count}, which takes a buffer of ${bytes} bytes, expected at most ${most} on this device`,
      );
    }
  }
}
