/** `findPairs` on the device: uploads the bodies, finds their pairs and reads them back. */
import { NarrowphaseError } from '../../api/errors.ts';
import { packBodies, packVelocities, usesFixedPoint } from '../../records/bodies.ts';
import type { FindPairsRequest } from '../../request/backend.ts';
import { throwIfAborted } from '../../request/abort.ts';
import { allocate } from '../../util/arrays.ts';
import type { DeviceState } from '../device-slot.ts';
import { encodePass } from '../encode-query.ts';
import { scoped } from '../error-scopes.ts';
import { encodeCopies, readCopies, type Region } from '../read-back.ts';
import { uploadPacked, uploadShapes } from '../upload.ts';
import { toleranceOfTable } from './tolerance.ts';
import { broadPhaseVariants, type BroadPhaseForm } from './variants.ts';
import { bindBroadPhase, encodeClearing, mostBodies, mostPairs, type BoundBroadPhase } from './search.ts';

/** Bytes that are read back at a time. */
const READ_BYTES = 2 ** 26;

/**
 * The pairs in ascending order; undefined if the device has no buffers large enough for the bodies or the pairs. Throws
 * `LIMIT_EXCEEDED` if there are more than `request.maxPairs`.
 */
export async function findPairsOnDevice(
  state: DeviceState,
  request: FindPairsRequest,
): Promise<Uint32Array | undefined> {
  const { session } = state;
  const { bodies, filters = {}, motion, dimension, shapes, maxPairs } = request;
  const { groups, fixed } = filters;
  const { device, kernels, pool } = session;
  const bodyCount = bodies.shapes.length;
  if (bodyCount > mostBodies(device.limits)) return undefined;
  const form: BroadPhaseForm = {
    isPlanar: dimension.dimension === 2,
    hasFixedPoint: usesFixedPoint(bodies),
    isSwept: motion !== undefined,
    isRotating: motion?.angular !== undefined,
    hasGroups: groups !== undefined,
    hasFixed: fixed !== undefined,
  };
  await session.orLost(kernels.prepare(broadPhaseVariants(form, kernels)));
  throwIfAborted(request.signal);

  const packed = packBodies(bodies, dimension);
  const uploaded = scoped(device, () => {
    uploadShapes(state, request);
    uploadPacked(pool, packed);
    return {
      shapeRecords: pool.get('shapes', 0),
      geometry: pool.get('geometry', 0),
      poses: pool.get('poses', 0),
      bodyShapes: pool.get('bodies', 0),
      velocities: motion && pool.upload('velocities', packVelocities(motion, dimension)),
      groups: groups && pool.upload('groups', groups),
      fixedBodies: fixed && pool.upload('fixedBodies', Uint32Array.from(fixed)),
    };
  });
  await session.orLost(uploaded.verdict);

  const bind = (pairCapacity: number): BoundBroadPhase => {
    const sizes = {
      bodyCount,
      bodyCapacity: bodyCount,
      shapeCount: shapes.shapes.length,
      pairCapacity,
      margin: request.margin,
      tolerance: toleranceOfTable(shapes.shapes, dimension),
      duration: motion?.duration ?? 0,
      cellSize: packed.cellSize,
    };
    const context = { device, kernels, pool, uniform: pool.uniform };
    return bindBroadPhase(context, form, sizes, uploaded.result, pool.get('foundPairs', 8 * pairCapacity));
  };

  const counted = scoped(device, () => {
    const bound = bind(0);
    const encoder = device.createCommandEncoder({ label: 'findPairs.count' });
    encodeClearing(encoder, bound);
    encodePass(encoder, bound.counting, { label: 'findPairs.count' });
    const regions = [bound.total];
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return { staging, regions };
  });
  await session.orLost(counted.verdict);
  const [total] = await session.orLost(readCopies(counted.result.staging, counted.result.regions));
  const [low, high] = new Uint32Array(total);
  const count = low + 2 ** 32 * high;
  if (count > maxPairs) {
    throw new NarrowphaseError('LIMIT_EXCEEDED', `the broad phase finds ${count} pairs, expected at most ${maxPairs}`);
  }
  if (count > mostPairs(device.limits)) return undefined;
  throwIfAborted(request.signal);

  const written = scoped(device, () => {
    const bound = bind(count);
    const encoder = device.createCommandEncoder({ label: 'findPairs.write' });
    encodePass(encoder, bound.writing, { label: 'findPairs.write' });
    device.queue.submit([encoder.finish()]);
    return pool.get('foundPairs', 0);
  });
  await session.orLost(written.verdict);
  return readPairs(state, written.result, count, request.signal);
}

async function readPairs(
  { session }: DeviceState,
  buffer: GPUBuffer,
  count: number,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const { device, pool } = session;
  const pairs = allocate('the pairs found', Uint32Array, 2 * count);
  const bytes = new Uint8Array(pairs.buffer);
  for (let offset = 0; offset < bytes.length; offset += READ_BYTES) {
    throwIfAborted(signal);
    const regions: Region[] = [{ buffer, offset, size: Math.min(READ_BYTES, bytes.length - offset) }];
    const { result: staging, verdict } = scoped(device, () => {
      const encoder = device.createCommandEncoder({ label: 'findPairs.read' });
      const copies = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return copies;
    });
    await session.orLost(verdict);
    const [part] = await session.orLost(readCopies(staging, regions));
    bytes.set(new Uint8Array(part), offset);
  }
  return pairs;
}
