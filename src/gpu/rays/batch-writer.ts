/** `batch.write` of a batch that casts rays: validates bodies and rays, and uploads them if all of them can be used. */
import type { BatchInput } from '../../api/batch.ts';
import { invalidInput } from '../../api/errors.ts';
import type { Rays } from '../../api/motion.ts';
import type { Bodies } from '../../api/bodies.ts';
import type { BatchRequest } from '../../request/backend.ts';
import { RAY_BATCH_DATA } from '../../request/options.ts';
import { validateRays } from '../../request/validate-rays.ts';
import { allocate } from '../../util/arrays.ts';
import { expectKnown } from '../../util/known.ts';
import { createBatchWriter, type BatchWriter } from '../batch-writer.ts';
import type { BufferPool } from '../buffers.ts';
import type { Session } from '../session.ts';
import { packRays } from './pack-rays.ts';

export function createRayWriter(
  session: Session,
  pool: BufferPool,
  input: BatchInput,
  request: BatchRequest,
): BatchWriter {
  const { queue } = session.device;
  const { dimension } = request;
  const { maxRays, rays: ownRays, rayCount: ownCount } = request.rayCasts!;
  const bodyWriter = createBatchWriter(session, pool, input, request, () => {});
  /** Records of rays, kept from write to write. */
  let records = new Float32Array(0);

  /** Checks rays and writes their records to `records`. Returns how many there are. */
  function packGiven(given: Rays): number {
    if (ownRays || ownCount) {
      invalidInput('rays', given, `nothing, as the buffer of ${ownRays ? 'rays' : 'rayCount'} is yours`);
    }
    const rays = validateRays(given, dimension.dimension);
    const count = rays.origins.length / dimension.dimension;
    if (!(rays.origins instanceof Float32Array))
      invalidInput('rays.origins', rays.origins, 'a Float32Array: batches hold f32 positions');
    if (count > maxRays) invalidInput('rays.origins.length', count, `at most maxRays, which is ${maxRays}`);
    if (records.length < dimension.rayWords * count)
      records = allocate('records of rays', Float32Array, dimension.rayWords * maxRays);
    packRays(rays, dimension, records);
    return count;
  }

  function write(data: Parameters<BatchWriter['write']>[0]): void {
    if (typeof data !== 'object' || data === null) invalidInput('data', data, '{ bodies?, rays? }');
    expectKnown(data, 'data', RAY_BATCH_DATA);
    const { bodies, rays } = data;
    const count = rays === undefined ? undefined : packGiven(rays as Rays);
    // Rays meet fixed bodies as others.
    if (bodies !== undefined) bodyWriter.write({ bodies: isObject(bodies) ? { ...bodies, fixed: undefined } : bodies });
    if (count === undefined) return;
    queue.writeBuffer(input.rays!, 0, records, 0, dimension.rayWords * count);
    queue.writeBuffer(input.rayCount!, 0, Uint32Array.of(count));
  }

  return { write };
}

function isObject(value: unknown): value is Bodies {
  return typeof value === 'object' && value !== null;
}
