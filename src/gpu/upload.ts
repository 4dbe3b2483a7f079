/** Uploads of a query's shapes and bodies: once per query, for all its chunks. */
import { packBodies, packVelocities, usesFixedPoint, type PackedBodies } from '../records/bodies.ts';
import type { QueryTimings } from '../api/types.ts';
import type { QueryRequest } from '../request/backend.ts';
import { givenBuffer, type BufferPool } from './buffers.ts';
import { pairFacts, type PairFacts } from './classes.ts';
import type { DeviceState } from './device-slot.ts';
import { scoped } from './error-scopes.ts';
import type { InputBuffers } from './query-buffers.ts';
import type { Region } from './read-back.ts';

/** A query's input on the device. */
export interface QueryInput {
  facts: PairFacts;
  /** Edge length of the cells of fixed-point positions. */
  cellSize: number;
  /** What kernels read. To be called after the inspection is encoded. */
  buffers(): InputOnDevice;
  /** Set if the verdict is only expected: packs and inspects the input in the first submission. */
  inspection?: Inspection;
}

export interface InputOnDevice {
  bodies: BodyBuffers;
  /** All pairs. If they are missing, each chunk uploads its own. */
  pairs?: GPUBuffer;
}

/** Packs and inspects the input of a query in the query's first submission. */
export interface Inspection {
  /** Uploads the input and records the kernels. Returns where the verdict will be. */
  encode(encoder: GPUCommandEncoder): Region;
  /** Takes the verdict. Returns whether it is the expected one; if not, all answers are void. */
  confirms(verdict: Uint8Array<ArrayBuffer>): boolean;
  /** The query's input after that. */
  settle(): Promise<QueryInput>;
}

/**
 * The answers to a query with an inspection are void: there was no memory for its first chunk beside another, or else the
 * verdict is not the expected one.
 */
export class VoidAnswers extends Error {
  constructor(readonly isOutOfMemory: boolean) {
    super();
  }
}

export type BodyBuffers = Pick<InputBuffers, 'poses' | 'bodyShapes' | 'velocities' | 'positions'>;

/** The buffers of a query's bodies, in the pool that has them. */
export function bodyBuffers(pool: BufferPool, { bodies, motion, takesArrays }: QueryRequest): BodyBuffers {
  return {
    poses: pool.get('poses', 0),
    bodyShapes: pool.get('bodies', 0),
    velocities: motion && pool.get('velocities', 0),
    positions: takesArrays && usesFixedPoint(bodies) ? pool.get(givenBuffer('positions'), 0) : undefined,
  };
}

/** Input that the host has checked and packs. */
export async function hostInput(state: DeviceState, request: QueryRequest, timings: QueryTimings): Promise<QueryInput> {
  const start = performance.now();
  const { session } = state;
  const { dimension, bodies, motion, takesArrays } = request;
  const packed = packBodies(bodies, dimension);
  const { verdict } = scoped(session.device, () => {
    uploadShapes(state, request);
    uploadPacked(session.pool, packed);
    if (motion) session.pool.upload('velocities', packVelocities(motion, dimension));
    if (takesArrays && usesFixedPoint(bodies)) session.pool.upload(givenBuffer('positions'), bodies.positions);
  });
  timings.upload += performance.now() - start;
  await session.orLost(verdict);
  return {
    facts: pairFacts(request),
    cellSize: packed.cellSize,
    buffers: () => ({ bodies: bodyBuffers(session.pool, request) }),
  };
}

/** Uploads bodies that the host has packed. */
export function uploadPacked(pool: BufferPool, { poses, bodyShapes }: PackedBodies): void {
  pool.upload('poses', poses);
  pool.upload('bodies', bodyShapes);
}

/** Uploads shapes if they changed. */
export function uploadShapes(
  state: DeviceState,
  { shapes, dimension }: Pick<QueryRequest, 'shapes' | 'dimension'>,
): void {
  const { session, chunkSizes } = state;
  if (state.shapesVersion === shapes.version) return;
  const records = dimension.packShapes(shapes.shapes);
  session.pool.upload('shapes', records.shapes);
  session.pool.upload('geometry', records.geometry);
  state.shapesVersion = shapes.version;
  chunkSizes.forget();
}
