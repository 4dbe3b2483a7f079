/** `batch.write`: validates bodies, pairs and duration, and uploads them if all of them can be used. */
import { BATCH_DATA } from '../request/options.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import type { BatchRequest } from '../request/backend.ts';
import { invalidInput } from '../api/errors.ts';
import { packVelocities, type AnyBodies, type AnyVelocities } from '../records/bodies.ts';
import { MOTION_MOST_TURN } from '../generated/constants.ts';
import { checkPairs, readPairs, validateBodies } from '../request/validate-bodies.ts';
import { expectedOfAngularSpeed, greatestAngularSpeed, readMotion } from '../request/validate-motion.ts';
import { expectDuration } from '../request/validate.ts';
import type { Batch, BatchInput } from '../api/batch.ts';
import type { Bodies, MovingBodies } from '../api/types.ts';
import { uploadable, type Uploadable } from './buffers.ts';

type BatchData = Parameters<Batch<never>['write']>[0];

/** `setDuration` is called with the duration of the motion if it changes. */
export function createBatchWriter(
  queue: GPUQueue,
  input: BatchInput,
  request: BatchRequest,
  setDuration: (duration: number) => void,
): (data: BatchData) => void {
  const { dimension, maxBodies } = request;
  let poses = new Float32Array(0);
  let duration = request.motion?.duration ?? 0;
  /** The greatest angular speed among the bodies written last. */
  let greatestSpeed = 0;

  return (data) => {
    if (typeof data !== 'object' || data === null) invalidInput('data', data, '{ bodies?, pairs?, duration? }');
    expectKnown(data, 'data', BATCH_DATA);
    const { pairs } = data;
    if (data.duration !== undefined) {
      if (!request.motion) invalidInput('duration', data.duration, `undefined for ${request.query}`);
      expectDuration('duration', data.duration);
    }
    const bodies = data.bodies === undefined ? undefined : expectBodies(request, data.bodies);
    if (pairs !== undefined) expectPairs(request, pairs);
    const read =
      bodies && request.motion && !request.velocities
        ? readMotion(data.bodies as AnyVelocities, data.duration ?? duration, bodies.shapes.length, dimension)
        : undefined;
    read?.check();
    const motion = read?.motion;
    if (!motion && data.duration !== undefined && expectedOfAngularSpeed(greatestSpeed, data.duration)) {
      invalidInput(
        'duration',
        data.duration,
        `at most ${MOTION_MOST_TURN} radians of turning, and bodies turn by up to ${greatestSpeed} a second`,
      );
    }
    // Everything that may run out of memory comes before the first write.
    const writes: [GPUBuffer, Uploadable][] = [];
    if (bodies) {
      const words = dimension.poseWords * bodies.shapes.length;
      if (poses.length < words) poses = allocate('packed poses', Float32Array, dimension.poseWords * maxBodies);
      dimension.packPoses(bodies, poses);
      writes.push([input.poses, poses.subarray(0, words)], [input.shapes, uploadable(bodies.shapes)]);
    }
    if (motion) writes.push([input.velocities!, packVelocities(motion, dimension)]);
    if (pairs) writes.push([input.pairs, uploadable(pairs)], [input.pairCount, Uint32Array.of(pairs.length / 2)]);
    if (motion) greatestSpeed = greatestAngularSpeed(motion.angular, dimension.angularComponents);
    if (data.duration !== undefined) setDuration((duration = data.duration));
    for (const [buffer, contents] of writes) queue.writeBuffer(buffer, 0, contents);
  };
}

/** Throws `INVALID_INPUT` unless the batch takes these bodies. Returns them by position and rotation. */
function expectBodies(request: BatchRequest, bodies: Bodies): AnyBodies {
  const { dimension, maxBodies, shapes: table, motion } = request;
  if (request.poses || request.shapeIds) invalidInput('bodies', bodies, 'nothing, as the buffers of bodies are yours');
  const posed = validateBodies(bodies, table, dimension);
  const { angularVelocities } = bodies as MovingBodies;
  if (motion && !motion.isRotating && angularVelocities !== undefined) {
    const expected = 'undefined, or options.turning: true as the batch is made';
    invalidInput('bodies.angularVelocities', angularVelocities, expected);
  }
  const count = posed.shapes.length;
  if (count > maxBodies) invalidInput('bodies.shapes.length', count, `at most maxBodies, which is ${maxBodies}`);
  if (!(posed.positions instanceof Float32Array)) {
    const field = bodies.matrices ? 'matrices' : 'positions';
    invalidInput(`bodies.${field}`, bodies[field], 'a Float32Array: batches hold f32 poses');
  }
  return posed;
}

/** Throws `INVALID_INPUT` unless the batch takes these pairs. */
function expectPairs(request: BatchRequest, pairs: Uint32Array): void {
  const { maxBodies, maxPairs } = request;
  if (request.pairs || request.pairCount) invalidInput('pairs', pairs, 'nothing, as the buffers of pairs are yours');
  readPairs(pairs);
  checkPairs(pairs, maxBodies);
  if (pairs.length > 2 * maxPairs)
    invalidInput('pairs.length', pairs.length, `at most ${2 * maxPairs}, as maxPairs is ${maxPairs}`);
}
