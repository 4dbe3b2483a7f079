/**
 * Batches: queries over buffers that stay on the GPU. `encode` records the commands of a plan that is bound once; the
 * number of pairs is read on the GPU.
 */
import type { BatchMotion, BatchRequest } from '../request/backend.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { Batch, BatchInput, BatchOutput } from '../api/batch.ts';
import type { Bodies } from '../api/bodies.ts';
import { ALL_GROUPS } from '../generated/constants.ts';
import { allocate } from '../util/arrays.ts';
import { ensureResident, type ResidentState } from '../request/resident.ts';
import { createBatchPlans, type BoundPlan } from './batch-plan.ts';
import { createBatchReader } from './batch-reader.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createBufferPool, writeBuffer, type BufferPool } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { expectEncoder } from './expect.ts';
import type { Planner } from './planner.ts';
import type { PassBuffers } from './query-buffers.ts';
import type { Session } from './session.ts';

export async function createBatch<Q extends QueryName>(
  session: Session,
  request: BatchRequest<Q>,
  planner: Planner,
): Promise<Batch<QueryResults[Q]>> {
  const pool = createBufferPool(session.device, `batch.${request.name}`);
  try {
    return await makeBatch(session, request, planner, pool);
  } catch (error) {
    pool.destroy();
    throw error;
  }
}

async function makeBatch<Q extends QueryName>(
  session: Session,
  request: BatchRequest<Q>,
  planner: Planner,
  pool: BufferPool,
): Promise<Batch<QueryResults[Q]>> {
  const { device } = session;
  const { name, maxPairs, shapes: table } = request;
  expectWorkgroupSize(device, request.workgroupSize);
  const plans = createBatchPlans(session, request, planner, pool);
  // Shapes may be added while kernels compile: the next `encode` then plans again.
  const firstVersion = table.version;
  const firstPlan = plans.planNow();
  await plans.prepare(firstPlan);
  const made = scoped(device, () => {
    const input = batchInput(pool, request);
    return { input, buffers: plans.buffersOf(firstPlan, input) };
  });
  await session.orLost(made.verdict);
  const { input, buffers } = made.result;
  // If the caller brings pairs but no count, all pairs that there is room for are answered.
  if (request.pairs && !request.pairCount) writeBuffer(device.queue, input.pairCount, 0, Uint32Array.of(maxPairs));
  if (request.broadPhase) resetBodies(device.queue, request, input);
  const output = batchOutput(request, buffers);

  // Recorded once without a submission: a buffer of the caller's that can't be used is refused here, not in a frame.
  const rehearsal = scoped(device, () => {
    const bindings = plans.bind(firstPlan, buffers, firstVersion, input);
    const encoder = device.createCommandEncoder({ label: `batch.${name}.rehearsal` });
    plans.encode(encoder, bindings, input);
    encoder.finish();
    return bindings;
  });
  await session.orLost(rehearsal.verdict.catch((error: unknown) => refuseInput(request, error)));
  let bound: BoundPlan = rehearsal.result;

  const reader = createBatchReader(session, request, { input, output, list: buffers.list });
  const writer = createBatchWriter(device.queue, input, request, plans.setDuration);
  const writeResident = request.resident && residentWriter(request.resident, request.motion, writer);
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

  return {
    device,
    input,
    output,

    async prepare() {
      ensureOpen();
      await plans.prepare(plans.planNow());
    },

    write(data) {
      ensureOpen();
      if (request.resident && data?.bodies !== undefined)
        invalidInput('bodies', data.bodies, 'nothing, as the batch was made with options.bodies');
      writer(data);
    },

    encode(encoder) {
      ensureOpen();
      expectEncoder('encoder', encoder);
      writeResident?.();
      if (bound.version !== table.version) {
        const plan = plans.planNow();
        if (!plans.isPrepared(plan)) {
          throw new NarrowphaseError(
            'INVALID_INPUT',
            'shapes that need other kernels were added since createBatch, expected await batch.prepare() before encode',
          );
        }
        bound = plans.bind(plan, plans.buffersOf(plan, input), table.version, input);
      }
      plans.encode(encoder, bound, input);
    },

    // The copies are submitted before the first `await`, so before the call returns.
    // The type of the result depends on the caller's `fields`.
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

/** Writes the bodies of a handle if they were written since the last time. */
function residentWriter(
  resident: ResidentState,
  batchMotion: BatchMotion | undefined,
  write: (data: { bodies: Bodies }) => void,
): () => void {
  let written: ResidentState['writes'] | undefined;
  return () => {
    ensureResident('options.bodies', resident);
    const { arrays, writes } = resident;
    if (writes === written) return;
    // A batch without turning takes no angular velocities.
    write({ bodies: (batchMotion?.isRotating ? arrays : { ...arrays, angularVelocities: undefined }) as Bodies });
    written = writes;
  };
}

function expectWorkgroupSize({ limits }: GPUDevice, workgroupSize: number): void {
  const most = limits.maxComputeInvocationsPerWorkgroup;
  if (workgroupSize <= most) return;
  const expected = `at most ${most}, the device's maxComputeInvocationsPerWorkgroup`;
  invalidInput('options.workgroupSize', workgroupSize, expected);
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

/** Before anything is written, there are as many bodies as there is room for, of all groups. */
function resetBodies(
  queue: GPUQueue,
  { maxBodies, ...request }: BatchRequest,
  { bodyCount, groups }: BatchInput,
): void {
  if (!request.bodyCount) writeBuffer(queue, bodyCount!, 0, Uint32Array.of(maxBodies));
  if (!request.groups) writeBuffer(queue, groups!, 0, allocate('groups', Uint32Array, maxBodies).fill(ALL_GROUPS));
}

/** The buffers that callers read on the GPU; they stay the same when the batch is bound again. */
function batchOutput(
  { hitsOnly, broadPhase }: BatchRequest,
  { gathered, records, counts, list, dispatch, first, pairs }: PassBuffers,
): BatchOutput {
  return {
    records: gathered ?? records,
    // A batch has all its pairs in one buffer.
    pairs: broadPhase && (pairs as GPUBuffer),
    counts: counts!,
    hits: hitsOnly ? list : undefined,
    dispatch,
    first,
  };
}

/** Names the caller's buffers if they may be the reason that a device rejected commands. */
function refuseInput(request: BatchRequest, error: unknown): never {
  const given = (
    ['poses', 'shapeIds', 'velocities', 'pairs', 'pairCount', 'bodyCount', 'groups', 'fixed'] as const
  ).filter((name) => request[name] !== undefined);
  if (given.length === 0 || !(error instanceof NarrowphaseError && error.code === 'SHADER')) throw error;
  const names = given.map((name) => `options.${name === 'shapeIds' ? 'shapes' : name}`).join(', ');
  throw new NarrowphaseError(
    'INVALID_INPUT',
    `${names}: expected buffers that this tester's device can use; ${error.message}`,
    { cause: error },
  );
}
