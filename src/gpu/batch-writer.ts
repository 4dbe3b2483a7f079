/** `batch.write`: validates bodies, pairs and duration, and uploads them if all of them can be used. */
import { BATCH_DATA } from '../request/options.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import type { BatchRequest } from '../request/backend.ts';
import { invalidInput } from '../api/errors.ts';
import { packVelocities, type AnyBodies, type AnyVelocities } from '../records/bodies.ts';
import { areScales, areShapes } from '../records/screens.ts';
import type { ReadBodies } from '../request/dimension.ts';
import { checkPairs, inOrder, readPairs } from '../request/validate-bodies.ts';
import { readMotion } from '../request/validate-motion.ts';
import { expectDuration } from '../request/validate.ts';
import type { Batch, BatchInput } from '../api/batch.ts';
import type { Bodies, MovingBodies } from '../api/types.ts';
import { createFilterWriter } from './broad-phase/filters.ts';
import { uploadable, type Uploadable } from './buffers.ts';

type BatchData = Parameters<Batch<never>['write']>[0];

/** `setDuration` is called with the duration of the motion if it changes. */
export function createBatchWriter(
  queue: GPUQueue,
  input: BatchInput,
  request: BatchRequest,
  setDuration: (duration: number) => void,
): (data: BatchData) => void {
  const { dimension, maxBodies, shapes: table } = request;
  const writeFilters = request.broadPhase && createFilterWriter(request, input);
  /** Records of the bodies and their velocities, kept from write to write. */
  let poses = new Float32Array(0);
  let velocities = new Float32Array(0);
  let duration = request.motion?.duration ?? 0;

  /** Checks bodies and writes their poses to `poses`. Throws `INVALID_INPUT` unless the batch takes them. */
  function packBodies(given: Bodies): { bodies: AnyBodies; filters: CollisionFilters } {
    const { bodies, filters, check } = readBodies(request, given);
    const { shapes, scales } = bodies;
    if (poses.length < dimension.poseWords * shapes.length)
      poses = allocate('packed poses', Float32Array, dimension.poseWords * maxBodies);
    const areValid = dimension.packPoses(bodies, poses);
    if (!(areValid && areShapes(shapes, table) && (!scales || areScales(scales, table)))) check();
    return { bodies, filters };
  }

  return (data) => {
    if (typeof data !== 'object' || data === null) invalidInput('data', data, '{ bodies?, pairs?, duration? }');
    expectKnown(data, 'data', BATCH_DATA);
    if (data.rays !== undefined) invalidInput('rays', data.rays, `undefined for ${request.name}`);
    const { pairs } = data;
    if (data.duration !== undefined) {
      if (!request.motion) invalidInput('duration', data.duration, `undefined for ${request.name}`);
      expectDuration('duration', data.duration);
    }
    const packed = data.bodies === undefined ? undefined : packBodies(data.bodies);
    const bodies = packed?.bodies;
    if (pairs !== undefined) expectPairs(request, pairs);
    const read =
      bodies && request.motion && !request.velocities
        ? readMotion(data.bodies as AnyVelocities, data.duration ?? duration, bodies.shapes.length, dimension)
        : undefined;
    read?.check();
    const motion = read?.motion;
    // Everything that may run out of memory comes before the first write.
    const writes: [GPUBuffer, Uploadable][] = [];
    if (bodies) {
      const words = dimension.poseWords * bodies.shapes.length;
      writes.push([input.poses, poses.subarray(0, words)], [input.shapes, uploadable(bodies.shapes)]);
    }
    if (motion) {
      if (velocities.length === 0)
        velocities = allocate('packed velocities', Float32Array, dimension.velocityWords * maxBodies);
      writes.push([input.velocities!, packVelocities(motion, dimension, velocities)]);
    }
    if (packed && writeFilters) writes.push(...writeFilters(packed.bodies.shapes.length, packed.filters));
    if (pairs) writes.push([input.pairs, uploadable(pairs)], [input.pairCount, Uint32Array.of(pairs.length / 2)]);
    if (data.duration !== undefined) setDuration((duration = data.duration));
    for (const [buffer, contents] of writes) queue.writeBuffer(buffer, 0, contents);
  };
}

/** Bodies by position and rotation. Throws `INVALID_INPUT` unless the batch takes them; their numbers are not checked. */
function readBodies(request: BatchRequest, given: Bodies): ReadBodies {
  const { dimension, maxBodies, shapes: table, motion } = request;
  if (request.poses || request.shapeIds) invalidInput('bodies', given, 'nothing, as the buffers of bodies are yours');
  const read = dimension.readBodies(given, table);
  inOrder(read.check, () => {
    const { shapes, positions } = read.bodies;
    const { angularVelocities } = given as MovingBodies;
    if (motion && !motion.isRotating && angularVelocities !== undefined) {
      const expected = 'undefined, or options.turning: true as the batch is made';
      invalidInput('bodies.angularVelocities', angularVelocities, expected);
    }
    const count = shapes.length;
    if (count > maxBodies) invalidInput('bodies.shapes.length', count, `at most maxBodies, which is ${maxBodies}`);
    if (!(positions instanceof Float32Array)) {
      const field = given.matrices ? 'matrices' : 'positions';
      invalidInput(`bodies.${field}`, given[field], 'a Float32Array: batches hold f32 poses');
    }
  });
  return read;
}

/** Throws `INVALID_INPUT` unless the batch takes these pairs. */
function expectPairs(request: BatchRequest, pairs: Uint32Array): void {
  const { maxBodies, maxPairs } = request;
  if (request.broadPhase) invalidInput('pairs', pairs, 'nothing, as the batch finds its pairs');
  if (request.pairs || request.pairCount) invalidInput('pairs', pairs, 'nothing, as the buffers of pairs are yours');
  readPairs(pairs);
  checkPairs(pairs, maxBodies);
  if (pairs.length > 2 * maxPairs)
    invalidInput('pairs.length', pairs.length, `at most ${2 * maxPairs}, as maxPairs is ${maxPairs}`);
}
