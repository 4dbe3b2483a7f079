/**
 * Batches: a query whose input and output stay on the GPU. Everything is made once; `encode` records a few copies and
 * one compute pass and allocates nothing.
 */
import { BATCH_DATA } from '../request/options.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import type { BatchRequest } from '../request/backend.ts';
import { expectSatShapes } from '../request/batch-request.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import { layouts } from '../generated/layouts.ts';
import { packVelocities } from '../records/bodies.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import { MOTION_MOST_TURN } from '../generated/constants.ts';
import { expectDuration, expectedOfSpin, spinAt, validateMotion, validatePairs } from '../request/validate.ts';
import type { Batch, BatchInput, BatchOutput } from '../api/batch.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import type { AnyBodies, AnyVelocities } from '../records/bodies.ts';
import type { Bodies, MovingBodies } from '../api/types.ts';
import { createBatchReader, placeVariant } from './batch-reader.ts';
import { USAGE, createBufferPool, uploadable, writeBuffer, type BufferPool, type Uploadable } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { expectEncoder } from './expect.ts';
import { record, type Dispatch, type KernelVariant } from './kernels.ts';
import {
  DISPATCH_BYTES,
  LARGEST,
  PAIR_PARAMETERS,
  firstImpactBytes,
  bindEarliest,
  bindGather,
  bindList,
  bindSteps,
  bindTally,
  blockSumBytes,
  listBytes,
  variantsOfQuery,
  type PassBuffers,
  type PassContext,
  type PassSizes,
} from './passes.ts';
import { planBatch, type Planner } from './planner.ts';
import type { Session } from './session.ts';
import { SIMPLEX_BYTES } from './simplices.ts';
import { hitList, type Plan } from './steps.ts';

/** The dispatches for the shapes of one version of the table. */
interface Bound {
  version: number;
  dispatches: readonly Dispatch[];
}

export async function createBatch<Q extends QueryName>(
  session: Session,
  request: BatchRequest<Q>,
  planner: Planner,
): Promise<Batch<QueryResults[Q]>> {
  const pool = createBufferPool(session.device, `batch.${request.query}`);
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
  const { device, kernels } = session;
  const { query, space, maxBodies, maxPairs, shapes: table } = request;
  const { words } = space.records.sizes[query];
  const gathersHits = request.hitsOnly;
  const { maxComputeInvocationsPerWorkgroup: mostInvocations } = device.limits;
  if (request.workgroupSize > mostInvocations) {
    const expected = `at most ${mostInvocations}, the device's maxComputeInvocationsPerWorkgroup`;
    invalidInput('options.workgroupSize', request.workgroupSize, expected);
  }
  let isDisposed = false;
  /** Of the motion by now. */
  const motion = { duration: request.motion?.duration ?? 0 };

  /** Uniform buffers by name: each starts with the number of pairs, which `encode` copies there. */
  const uniforms = new Map<string, GPUBuffer>();
  const context: PassContext = {
    device,
    kernels,
    space,
    uniform(name, data) {
      const buffer = pool.upload(name, data, USAGE.UNIFORM | USAGE.COPY_DST);
      uniforms.set(name, buffer);
      return buffer;
    },
  };

  /**
   * One of each kind of shape there ever was, plain and rounded, small and large: a plan for all of them goes on when
   * shapes are removed.
   */
  const known = new Map<string, ShapeBase>();

  /** Throws `INVALID_INPUT` where shapes came that the algorithm is not for. */
  function planNow(): Plan {
    expectSatShapes(request.algorithm, table, space);
    for (const shape of table.shapes) if (shape) known.set(planner.keyOf(shape), shape);
    return planBatch(planner, request, [...known.values()]);
  }

  const variantsOf = (plan: Plan): KernelVariant[] => [
    ...variantsOfQuery(plan, space, gathersHits, request.earliestOnly ? 'batch' : undefined),
    { kernel: 'count-statuses' },
    placeVariant(gathersHits, request.motion !== undefined),
  ];
  const prepare = (plan: Plan): Promise<void> => session.orLost(kernels.prepare(variantsOf(plan)));

  /** `version` is that of the table when it was planned for. */
  function bind(plan: Plan, version: number): Bound {
    const { shapes, geometry } = space.packShapes(table.shapes);
    const sizes: PassSizes = {
      pairCount: 0,
      pairCapacity: maxPairs,
      bodyCount: maxBodies,
      shapeCount: table.shapes.length,
      margin: request.margin,
      duration: motion.duration,
      cellSize: 1,
      gatherCapacity: request.maxHits,
      callersWorkgroupSize: request.workgroupSize,
    };
    const blockSums = pool.get('blockSums', blockSumBytes(maxPairs, plan.classes.length));
    const buffers: PassBuffers = {
      shapeRecords: pool.upload('shapes', shapes),
      geometry: pool.upload('geometry', geometry),
      poses: input.poses,
      bodyShapes: input.shapes,
      pairs: input.pairs,
      records: results,
      contacts: plan.ladder !== query ? pool.get('contacts', layouts.Contact.size * maxPairs) : undefined,
      list,
      blockSums,
      velocities: input.velocities,
      firstImpacts,
      first,
      simplices: request.isWarm ? pool.get('simplices', SIMPLEX_BYTES * maxPairs) : blockSums,
      gathered,
      counts,
      dispatch,
    };
    const dispatches = [
      ...bindSteps(context, plan, plan.steps, sizes, buffers),
      ...(request.earliestOnly ? bindEarliest(context, 'batch', sizes, buffers) : []),
      ...(gathersHits ? bindList(context, plan, hitList, sizes, buffers) : []),
      ...bindTally(context, plan, sizes, buffers),
      ...(gathersHits ? bindGather(context, plan, sizes, buffers) : []),
    ];
    return { version, dispatches };
  }

  // Shapes may come while it compiles: the next `encode` plans again then.
  const firstVersion = table.version;
  const firstPlan = planNow();
  await prepare(firstPlan);
  const made = scoped(device, () => {
    const own: BatchInput = {
      poses: request.poses ?? pool.get('poses', maxBodies * 4 * space.poseWords),
      shapes: request.shapeIds ?? pool.get('shapeIds', 4 * maxBodies),
      pairs: request.pairs ?? pool.get('pairs', 8 * maxPairs),
      pairCount: request.pairCount ?? pool.get('pairCount', 4),
      velocities: request.motion && (request.velocities ?? pool.get('velocities', maxBodies * 4 * space.velocityWords)),
    };
    return {
      input: own,
      results: pool.get('results', 4 * words * maxPairs),
      list: pool.get('list', listBytes(maxPairs)),
      gathered: gathersHits ? pool.get('gathered', 4 * words * request.maxHits) : undefined,
      counts: pool.get('counts', layouts.Counts.size),
      dispatch: pool.get('dispatch', DISPATCH_BYTES, USAGE.STORAGE | USAGE.COPY_SRC | USAGE.INDIRECT),
      firstImpacts: request.earliestOnly ? pool.get('firstImpacts', firstImpactBytes(maxBodies)) : undefined,
      first: request.earliestOnly ? pool.get('first', 4 * maxBodies) : undefined,
    };
  });
  await session.orLost(made.verdict);
  // Who brings pairs but no number of them has as many as there is room for.
  if (request.pairs && !request.pairCount)
    writeBuffer(device.queue, made.result.input.pairCount, 0, Uint32Array.of(maxPairs));
  const { input, results, list, gathered, counts, dispatch, firstImpacts, first } = made.result;
  const hits = gathersHits ? list : undefined;
  const output: BatchOutput = { records: gathered ?? results, counts, hits, dispatch, first };

  function encodeBound(encoder: GPUCommandEncoder, { dispatches }: Bound): void {
    for (const uniform of uniforms.values()) encoder.copyBufferToBuffer(input.pairCount, 0, uniform, 0, 4);
    encoder.clearBuffer(counts);
    if (firstImpacts) encoder.clearBuffer(firstImpacts);
    const pass = encoder.beginComputePass({ label: `batch.${query}` });
    record(pass, dispatches);
    pass.end();
  }

  // Recorded once for nobody, so that a buffer of the caller's that can't be used is found out here and not in some
  // frame.
  const rehearsal = scoped(device, () => {
    const bindings = bind(firstPlan, firstVersion);
    const encoder = device.createCommandEncoder({ label: `batch.${query}.rehearsal` });
    encodeBound(encoder, bindings);
    encoder.finish();
    return bindings;
  });
  await session.orLost(rehearsal.verdict.catch((error: unknown) => refuseInput(request, error)));
  let bound = rehearsal.result;

  function ensureOpen(): void {
    if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the batch was disposed');
    if (session.lost) throw session.lost;
  }

  const reader = createBatchReader(session, request, { input, output, list });

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    reader.destroy();
    pool.destroy();
    request.onDispose();
  }

  const writer = createWriter(device.queue, input, request, (duration) => {
    motion.duration = duration;
    const seconds = Float32Array.of(Math.min(duration, LARGEST));
    for (const [name, uniform] of uniforms)
      if (name.startsWith(PAIR_PARAMETERS))
        writeBuffer(device.queue, uniform, layouts.Parameters.fields.duration.offset, seconds);
  });

  return {
    device,
    input,
    output,

    async prepare() {
      ensureOpen();
      await prepare(planNow());
    },

    write(data) {
      ensureOpen();
      writer(data);
    },

    encode(encoder) {
      ensureOpen();
      expectEncoder('encoder', encoder);
      if (bound.version !== table.version) {
        const plan = planNow();
        if (!kernels.has(variantsOf(plan))) {
          throw new NarrowphaseError(
            'INVALID_INPUT',
            'shapes that need other kernels were added since createBatch, expected await batch.prepare() before encode',
          );
        }
        bound = bind(plan, table.version);
      }
      encodeBound(encoder, bound);
    },

    // What precedes the first `await` of an async function, the submission of the copies too, is done when it returns.
    async read(options = {}) {
      ensureOpen();
      return reader.read(options);
    },

    async readCounts(options = {}) {
      ensureOpen();
      return reader.readCounts(options);
    },

    dispose,
    [Symbol.dispose]: dispose,
  };
}

/** Names the caller's buffers where they may be why a device rejected commands. */
function refuseInput(request: BatchRequest, error: unknown): never {
  const given = (['poses', 'shapeIds', 'velocities', 'pairs', 'pairCount'] as const).filter(
    (name) => request[name] !== undefined,
  );
  if (given.length === 0 || !(error instanceof NarrowphaseError && error.code === 'SHADER')) throw error;
  const names = given.map((name) => `options.${name === 'shapeIds' ? 'shapes' : name}`).join(', ');
  throw new NarrowphaseError(
    'INVALID_INPUT',
    `${names}: expected buffers that this tester's device can use; ${error.message}`,
    { cause: error },
  );
}

function greatestSpin(angular: Float32Array = new Float32Array(0), axes: number): number {
  let greatest = 0;
  for (let i = 0; i < angular.length; i += axes) greatest = Math.max(greatest, spinAt(angular, i, axes));
  return greatest;
}

/** Validates what a caller writes, and uploads it where all of it can be used. */
function createWriter(
  queue: GPUQueue,
  input: BatchInput,
  request: BatchRequest,
  setDuration: (duration: number) => void,
): Batch<never>['write'] {
  const { space, maxBodies, maxPairs, shapes: table } = request;
  const { poseWords } = space;
  let poses = new Float32Array(0);
  let duration = request.motion?.duration ?? 0;
  /** The greatest angular speed among the bodies written last. */
  let spin = 0;

  function validate(bodies: Bodies | undefined, pairs: Uint32Array | undefined): AnyBodies | undefined {
    let posed: AnyBodies | undefined;
    if (bodies !== undefined) {
      if (request.poses || request.shapeIds)
        invalidInput('bodies', bodies, 'nothing, as the buffers of bodies are yours');
      posed = space.validateBodies(bodies, table);
      if (request.motion && !request.motion.isTurning && (bodies as MovingBodies).angularVelocities !== undefined) {
        invalidInput(
          'bodies.angularVelocities',
          (bodies as MovingBodies).angularVelocities,
          'undefined, or options.turning: true as the batch is made',
        );
      }
      const count = posed.shapes.length;
      if (count > maxBodies) invalidInput('bodies.shapes.length', count, `at most maxBodies, which is ${maxBodies}`);
      if (!(posed.positions instanceof Float32Array)) {
        const field = bodies.matrices ? 'matrices' : 'positions';
        invalidInput(`bodies.${field}`, bodies[field], 'a Float32Array: batches hold f32 poses');
      }
    }
    if (pairs !== undefined) {
      if (request.pairs || request.pairCount)
        invalidInput('pairs', pairs, 'nothing, as the buffers of pairs are yours');
      validatePairs(pairs, maxBodies);
      if (pairs.length > 2 * maxPairs)
        invalidInput('pairs.length', pairs.length, `at most ${2 * maxPairs}, as maxPairs is ${maxPairs}`);
    }
    return posed;
  }

  return (data) => {
    if (typeof data !== 'object' || data === null) invalidInput('data', data, '{ bodies?, pairs?, duration? }');
    expectKnown(data, 'data', BATCH_DATA);
    const { pairs } = data;
    if (data.duration !== undefined) {
      if (!request.motion) invalidInput('duration', data.duration, `undefined for ${request.query}`);
      expectDuration('duration', data.duration);
    }
    const bodies = validate(data.bodies, pairs);
    const motion =
      bodies && request.motion && !request.velocities
        ? validateMotion(data.bodies as AnyVelocities, data.duration ?? duration, bodies.shapes.length, space)
        : undefined;
    if (!motion && data.duration !== undefined && expectedOfSpin(spin, data.duration)) {
      invalidInput(
        'duration',
        data.duration,
        `at most ${MOTION_MOST_TURN} radians of turning, and bodies turn by up to ${spin} a second`,
      );
    }
    // All that may find no memory comes before the first write.
    const writes: [GPUBuffer, Uploadable][] = [];
    if (bodies) {
      const words = poseWords * bodies.shapes.length;
      if (poses.length < words) poses = allocate('packed poses', Float32Array, poseWords * maxBodies);
      space.packPoses(bodies, poses);
      writes.push([input.poses, poses.subarray(0, words)], [input.shapes, uploadable(bodies.shapes)]);
    }
    if (motion) writes.push([input.velocities!, packVelocities(motion, space)]);
    if (pairs) writes.push([input.pairs, uploadable(pairs)], [input.pairCount, Uint32Array.of(pairs.length / 2)]);
    if (motion) spin = greatestSpin(motion.angular, space.spinAxes);
    if (data.duration !== undefined) setDuration((duration = data.duration));
    for (const [buffer, contents] of writes) queue.writeBuffer(buffer, 0, contents);
  };
}
