/** What the batches of all queries have in common: `prepare`, `write`, `encode`, `read` and `dispose`, and checks. */
import type { Batch, BatchInput, BatchOutput } from '../api/batch.ts';
import type { Bodies } from '../api/bodies.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import { ALL_GROUPS } from '../generated/constants.ts';
import type { BatchRequest } from '../request/backend.ts';
import { ensureResident, type ResidentState } from '../request/resident.ts';
import { allocate } from '../util/arrays.ts';
import type { BatchReader } from './batch-reader.ts';
import { writeBuffer, type BufferPool } from './buffers.ts';
import { expectEncoder } from './expect.ts';
import type { Session } from './session.ts';
import type { Plan } from './steps.ts';

type BatchData = Parameters<Batch<never>['write']>[0];

/** Plans of a batch for the shapes that the tester has. */
export interface Plans {
  /** Loads and builds what the shapes of this moment need before `planNow`. */
  load?(): Promise<void>;
  /** Whether that is done for the shapes of this moment. */
  isLoaded?(): boolean;
  /** The plan for the shapes of this moment. Throws `INVALID_INPUT` for shapes that the algorithm does not take. */
  planNow(): Plan;
  /** Compiles what the plan needs. */
  prepare(plan: Plan): Promise<void>;
  /** Whether everything that the plan needs is compiled. */
  isPrepared(plan: Plan): boolean;
}

/** What differs from query to query. `Bound` is a plan with its buffers, for the shapes of one version of the table. */
interface BatchParts<Bound extends { version: number }> {
  input: BatchInput;
  output: BatchOutput;
  plans: Plans;
  first: Bound;
  /** Binds a plan for the shapes of this moment. */
  bind(plan: Plan): Bound;
  encode(encoder: GPUCommandEncoder, bound: Bound): void;
  write(data: BatchData): void;
  reader: Pick<BatchReader, 'readCounts' | 'destroy'> & { read(options: object): Promise<unknown> };
}

export function batchHandle<Result, Bound extends { version: number }>(
  session: Session,
  request: BatchRequest,
  pool: BufferPool,
  { input, output, plans, first, bind, encode, write, reader }: BatchParts<Bound>,
): Batch<Result> {
  const { resident, shapes: table } = request;
  const writeResident = resident && residentWriter(resident, request.motion?.isRotating === true, write);
  let bound = first;
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
    device: session.device,
    input,
    output,

    async prepare() {
      ensureOpen();
      await plans.load?.();
      ensureOpen();
      await plans.prepare(plans.planNow());
    },

    write(data) {
      ensureOpen();
      if (resident && data?.bodies !== undefined)
        invalidInput('bodies', data.bodies, 'nothing, as the batch was made with options.bodies');
      write(data);
    },

    encode(encoder) {
      ensureOpen();
      expectEncoder('encoder', encoder);
      writeResident?.();
      if (bound.version !== table.version) {
        const plan = plans.isLoaded?.() === false ? undefined : plans.planNow();
        if (!plan || !plans.isPrepared(plan)) {
          throw new NarrowphaseError(
            'INVALID_INPUT',
            'shapes that need other kernels or trees were added or moved since createBatch, expected await batch.prepare() before encode',
          );
        }
        bound = bind(plan);
      }
      encode(encoder, bound);
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
  isRotating: boolean,
  write: (data: { bodies: Bodies }) => void,
): () => void {
  let written: ResidentState['writes'] | undefined;
  return () => {
    ensureResident('options.bodies', resident);
    const { arrays, writes } = resident;
    if (writes === written) return;
    // A batch without turning takes no angular velocities.
    write({ bodies: (isRotating ? arrays : { ...arrays, angularVelocities: undefined }) as Bodies });
    written = writes;
  };
}

export function expectWorkgroupSize({ limits }: GPUDevice, workgroupSize: number): void {
  const most = limits.maxComputeInvocationsPerWorkgroup;
  if (workgroupSize <= most) return;
  const expected = `at most ${most}, the device's maxComputeInvocationsPerWorkgroup`;
  invalidInput('options.workgroupSize', workgroupSize, expected);
}

/** Before anything is written, there are as many bodies as there is room for, of all groups. */
export function resetBodies(
  queue: GPUQueue,
  { maxBodies, ...request }: BatchRequest,
  { bodyCount, groups }: BatchInput,
): void {
  if (!request.bodyCount) writeBuffer(queue, bodyCount!, 0, Uint32Array.of(maxBodies));
  if (!request.groups) writeBuffer(queue, groups!, 0, allocate('groups', Uint32Array, maxBodies).fill(ALL_GROUPS));
}

/** Names the caller's buffers if they may be the reason that a device rejected commands. */
export function refuseInput(request: BatchRequest, error: unknown): never {
  const given = {
    poses: request.poses,
    shapes: request.shapeIds,
    velocities: request.velocities,
    pairs: request.pairs,
    pairCount: request.pairCount,
    bodyCount: request.bodyCount,
    groups: request.groups,
    fixed: request.fixed,
    rays: request.rayCasts?.rays,
    rayCount: request.rayCasts?.rayCount,
  };
  const names = Object.entries(given).flatMap(([name, buffer]) => (buffer ? [`options.${name}`] : []));
  if (names.length === 0 || !(error instanceof NarrowphaseError && error.code === 'SHADER')) throw error;
  throw new NarrowphaseError(
    'INVALID_INPUT',
    `${names.join(', ')}: expected buffers that this tester's device can use; ${error.message}`,
    { cause: error },
  );
}
