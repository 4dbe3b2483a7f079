/**
 * `batch.write`: validates bodies, pairs and duration, and uploads them if all of them can be used. Kernels pack the
 * bodies.
 */
import { BATCH_DATA } from '../request/options.ts';
import { expectKnown } from '../util/known.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import type { BatchRequest } from '../request/backend.ts';
import { invalidInput } from '../api/errors.ts';
import type { AnyBodies, AnyVelocities, BodyMotion } from '../records/bodies.ts';
import { arePoses, areScales } from '../records/screens.ts';
import type { ReadBodies } from '../request/dimension.ts';
import { checkPairs, inOrder, readPairs } from '../request/validate-bodies.ts';
import { readMotion } from '../request/validate-motion.ts';
import { expectDuration } from '../request/validate.ts';
import type { Batch, BatchInput } from '../api/batch.ts';
import type { Bodies, MovingBodies } from '../api/types.ts';
import { createFilterWriter } from './broad-phase/filters.ts';
import { givenBuffer, uploadable, writeBuffer, type BufferPool } from './buffers.ts';
import type { Numbers } from '../util/arrays.ts';
import { encodePass } from './encode-query.ts';
import { bindBodies, bindVelocities, formOf, packVariants, packVariantsOfAll, wholePool } from './input-passes.ts';
import type { KernelVariant } from './kernels.ts';
import type { Session } from './session.ts';
import { reportBytes } from './report.ts';

type BatchData = Parameters<Batch<never>['write']>[0];

export interface BatchWriter {
  write(data: BatchData): void;
}

/** The kernels that pack the bodies of a batch, to be compiled before the first write. */
export function writerVariants({ dimension, motion, ...request }: BatchRequest): KernelVariant[] {
  if (request.poses || request.shapeIds) return [];
  const form = {
    isPlanar: dimension.dimension === 2,
    hasFixedPoint: false,
    isMoving: motion !== undefined && !request.velocities,
    isRotating: motion?.isRotating === true,
  };
  return packVariantsOfAll(form, false);
}

/** Makes all buffers that writes need. `setDuration` is called with the duration of the motion if it changes. */
export function createBatchWriter(
  session: Session,
  pool: BufferPool,
  input: BatchInput,
  request: BatchRequest,
  setDuration: (duration: number) => void,
): BatchWriter {
  const { queue } = session.device;
  const { dimension, shapes: table } = request;
  const writeFilters = request.broadPhase && createFilterWriter(request, input);
  const hasOwnVelocities = request.motion !== undefined && !request.velocities;
  let duration = request.motion?.duration ?? 0;
  if (!request.poses && !request.shapeIds) makeUploadBuffers(pool, request, hasOwnVelocities);

  /** Throws `INVALID_INPUT` unless the batch takes these bodies. Their arrays are such that a queue accepts. */
  function readChecked(given: Bodies): { bodies: AnyBodies; filters: CollisionFilters } {
    const { bodies: read, filters, check } = readBodies(request, given);
    const bodies = uploadables(read);
    const { scales } = bodies;
    if (!(arePoses(bodies, table) && (!scales || areScales(scales, table)))) check();
    return { bodies, filters };
  }

  function write(data: BatchData): void {
    if (typeof data !== 'object' || data === null) invalidInput('data', data, '{ bodies?, pairs?, duration? }');
    expectKnown(data, 'data', BATCH_DATA);
    if (data.rays !== undefined) invalidInput('rays', data.rays, `undefined for ${request.name}`);
    const { pairs } = data;
    if (data.duration !== undefined) {
      if (!request.motion) invalidInput('duration', data.duration, `undefined for ${request.name}`);
      expectDuration('duration', data.duration);
    }
    const read = data.bodies === undefined ? undefined : readChecked(data.bodies);
    const bodies = read?.bodies;
    if (pairs !== undefined) expectPairs(request, pairs);
    const moving =
      bodies && hasOwnVelocities
        ? readMotion(data.bodies as AnyVelocities, data.duration ?? duration, bodies.shapes.length, dimension)
        : undefined;
    moving?.check();
    // Everything that may run out of memory comes before the first write.
    const motion = moving && uploadables(moving.motion);
    const writes: [GPUBuffer, Numbers][] = [];
    if (bodies && writeFilters) writes.push(...writeFilters(bodies.shapes.length, read.filters));
    if (pairs) writes.push([input.pairs, uploadable(pairs)], [input.pairCount, Uint32Array.of(pairs.length / 2)]);
    if (data.duration !== undefined) setDuration((duration = data.duration));
    for (const [buffer, contents] of writes) writeBuffer(queue, buffer, 0, contents);
    if (bodies && bodies.shapes.length > 0) packInto(session, pool, input, request, bodies, motion);
  }

  return { write };
}

/** The buffers that bodies are uploaded to before they are packed, with room for all bodies of the batch. */
function makeUploadBuffers(pool: BufferPool, { dimension, maxBodies, motion }: BatchRequest, isMoving: boolean): void {
  const { dimension: axes, angularComponents } = dimension;
  const widths = {
    positions: axes,
    ...(axes === 3 ? { quaternions: 4 } : { angles: 1 }),
    ...(isMoving && { linearVelocities: axes }),
    ...(isMoving && motion!.isRotating && { angularVelocities: angularComponents }),
  };
  for (const [name, width] of Object.entries(widths)) pool.get(givenBuffer(name), 4 * width * maxBodies);
  pool.get(NO_SHAPES, 4 * dimension.shapeWords);
  pool.get('report', reportBytes(0));
}

/** Stands for the records of shapes, which kernels that inspect nothing do not read. */
const NO_SHAPES = 'noShapes';

/** Packs bodies into the buffers of a batch, in a submission of its own. */
function packInto(
  { device, kernels }: Session,
  pool: BufferPool,
  { poses, shapes: bodyShapes, velocities }: BatchInput,
  { dimension, maxBodies }: BatchRequest,
  bodies: AnyBodies,
  motion: BodyMotion | undefined,
): void {
  // Most batches have no scales. Once there are some, there is room for all bodies.
  if (bodies.scales) pool.get(givenBuffer('scales'), 4 * maxBodies);
  const shapeRecords = pool.get(NO_SHAPES, 0);
  const scope = { device, kernels, pool, home: wholePool(pool), dimension, idCount: 0, shapeRecords };
  const variants = packVariants(formOf(dimension, bodies, motion), false);
  const dispatches = [
    bindBodies(scope, variants.bodies, bodies, { poses, bodyShapes }),
    ...(motion ? [bindVelocities(scope, variants.velocities!, motion, velocities)] : []),
  ];
  const encoder = device.createCommandEncoder({ label: 'batch.write' });
  encodePass(encoder, dispatches, { label: 'batch.write' });
  device.queue.submit([encoder.finish()]);
}

/** The same object with arrays that a queue accepts. */
function uploadables<Of extends object>(of: Of): Of {
  const entries = Object.entries(of).map(([name, value]) => [
    name,
    ArrayBuffer.isView(value) ? uploadable(value as Float32Array) : value,
  ]);
  return Object.fromEntries(entries) as Of;
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
