/**
 * Batches: queries over buffers that stay on the GPU. `encode` records the commands of a plan that is bound once; the
 * number of pairs is read on the GPU.
 */
import type { BatchRequest } from '../request/backend.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { Batch, BatchInput, BatchOutput } from '../api/batch.ts';
import { batchHandle, expectWorkgroupSize, refuseInput, resetBodies } from './batch-handle.ts';
import { createBatchPlans } from './batch-plan.ts';
import { createBatchReader } from './batch-reader.ts';
import { createBatchWriter, writerVariants } from './batch-writer.ts';
import { createBufferPool, writeBuffer, type BufferPool } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import type { Planner } from './planner.ts';
import { withPartRoom } from './part-pairs/limits.ts';
import type { PassBuffers } from './query-buffers.ts';
import type { Plan } from './steps.ts';
import type { Session } from './session.ts';

export async function createBatch<Q extends QueryName>(
  session: Session,
  request: BatchRequest<Q>,
  planner: Planner,
): Promise<Batch<QueryResults[Q]>> {
  const pool = createBufferPool(session.device, `batch.${request.name}`, { keepsReplaced: true });
  try {
    return await makeBatch(session, request, planner, pool);
  } catch (error) {
    pool.destroy();
    throw error;
  }
}

async function makeBatch<Q extends QueryName>(
  session: Session,
  given: BatchRequest<Q>,
  planner: Planner,
  pool: BufferPool,
): Promise<Batch<QueryResults[Q]>> {
  const { device } = session;
  const request = withPartRoom(device, given);
  const { name, maxPairs, shapes: table } = request;
  expectWorkgroupSize(device, request.workgroupSize);
  const plans = createBatchPlans(session, request, planner, pool);
  let firstVersion: number;
  let firstPlan: Plan;
  // Shapes may be added while kernels compile: the next `encode` then plans again. Meshes that are added need their trees here.
  do {
    await plans.load();
    firstVersion = table.version;
    firstPlan = plans.planNow();
    await Promise.all([plans.prepare(firstPlan), session.orLost(session.kernels.prepare(writerVariants(request)))]);
  } while (!plans.isLoaded());
  const made = scoped(device, () => {
    const input = batchInput(pool, request);
    const writer = createBatchWriter(session, pool, input, request, plans.setDuration);
    return { input, writer, buffers: plans.buffersOf(firstPlan, input) };
  });
  await session.orLost(made.verdict);
  const { input, writer, buffers } = made.result;
  // If the caller brings pairs but no count, all pairs that there is room for are answered.
  if (request.pairs && !request.pairCount) writeBuffer(device.queue, input.pairCount, 0, Uint32Array.of(maxPairs));
  if (request.broadPhase) resetBodies(device.queue, request, input);
  const output = batchOutput(request, input, buffers);

  // Recorded once without a submission: a buffer of the caller's that can't be used is refused here, not in a frame.
  const rehearsal = scoped(device, () => {
    const bindings = plans.bind(firstPlan, buffers, firstVersion, input);
    const encoder = device.createCommandEncoder({ label: `batch.${name}.rehearsal` });
    plans.encode(encoder, bindings, input);
    encoder.finish();
    return bindings;
  });
  await session.orLost(rehearsal.verdict.catch((error: unknown) => refuseInput(request, error)));

  return batchHandle(session, request, pool, {
    input,
    output,
    plans,
    first: rehearsal.result,
    bind: (plan) => plans.bind(plan, plans.buffersOf(plan, input), table.version, input),
    encode: (encoder, bound) => plans.encode(encoder, bound, input),
    write: writer.write,
    reader: createBatchReader(session, request, {
      input,
      output,
      list: buffers.list,
      pairOfParts: rehearsal.result.parts?.pairOfParts,
    }),
  });
}

/** The caller's buffers, and others from the pool. */
function batchInput(pool: BufferPool, request: BatchRequest): BatchInput {
  const { dimension, maxBodies, maxPairs, motion, broadPhase } = request;
  const perBody = (name: 'groups' | 'fixed'): GPUBuffer | undefined =>
    broadPhase && (request[name] ?? pool.get(name, 4 * maxBodies));
  return {
    poses: request.poses ?? pool.get('poses', maxBodies * 4 * dimension.poseWords),
    shapes: request.shapeIds ?? pool.get('shapeIds', 4 * maxBodies),
    pairs: request.pairs ?? pool.get('pairs', 8 * maxPairs),
    pairCount: request.pairCount ?? pool.get('pairCount', 4),
    velocities: motion && (request.velocities ?? pool.get('velocities', maxBodies * 4 * dimension.velocityWords)),
    bodyCount: broadPhase && (request.bodyCount ?? pool.get('bodyCount', 4)),
    groups: perBody('groups'),
    fixed: perBody('fixed'),
  };
}

/** The buffers that callers read on the GPU; they stay the same when the batch is bound again. */
function batchOutput(
  { slots, broadPhase, listsParts }: BatchRequest,
  input: BatchInput,
  { gathered, records, counts, list, dispatch, first, pairs }: PassBuffers,
): BatchOutput {
  return {
    records: gathered ?? records,
    pairs: broadPhase && input.pairs,
    // A batch has all its pairs in one buffer.
    partPairs: listsParts ? (pairs as GPUBuffer) : undefined,
    counts: counts!,
    hits: slots === 'all' ? undefined : list,
    dispatch,
    first,
  };
}
