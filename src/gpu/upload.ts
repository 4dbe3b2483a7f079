/** Uploads of a query's shapes and bodies: once per query, for all its chunks. */
import type { QueryTimings } from '../api/types.ts';
import { usesFixedPoint, type AnyBodies, type BodyMotion } from '../records/bodies.ts';
import { cellExponentOf } from '../records/cells.ts';
import type { QueryRequest } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { givenBuffer, type BufferPool } from './buffers.ts';
import { pairFacts, type PairFacts } from './classes.ts';
import type { DeviceState } from './device-slot.ts';
import { encodePass } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import { bindBodies, bindFixedPoint, bindVelocities, formOf, packVariants } from './input-passes.ts';
import type { KernelVariant } from './kernels.ts';
import type { InputBuffers } from './query-buffers.ts';
import type { Region } from './read-back.ts';

/** A query's input on the device. */
export interface QueryInput {
  facts: PairFacts;
  /** Edge length of the cells of fixed-point positions. */
  cellSize: number;
  /** What kernels read. To be called after the packing or the inspection is encoded. */
  buffers(): InputOnDevice;
  /** Packs bodies in the first submission, if they are not packed before. */
  packing?: Packing;
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
 * The answers to a query whose first submission packs its bodies are void: there was no memory for its first chunk beside
 * another, or else the verdict is not the expected one.
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

/** Input that the host has checked. `isAlone`: it is packed in a submission of its own. */
export async function checkedInput(
  state: DeviceState,
  request: QueryRequest,
  timings: QueryTimings,
  isAlone = false,
): Promise<QueryInput> {
  const packing = packingOf(state, request, timings);
  if (isAlone) {
    await state.session.orLost(state.session.kernels.prepare(packing.variants));
    await packAlone(state, packing);
  }
  return {
    facts: pairFacts(request),
    cellSize: packing.cellSize,
    buffers: () => ({ bodies: bodyBuffers(state.session.pool, request) }),
    ...(!isAlone && { packing }),
  };
}

/**
 * Uploads shapes and bodies that the host has checked, and packs the bodies. Returns the edge length of the cells of
 * fixed-point positions. Compiles `others` besides.
 */
export async function packChecked(state: DeviceState, scene: Scene, others: readonly KernelVariant[]): Promise<number> {
  const { session } = state;
  const packing = packingOf(state, scene);
  await session.orLost(session.kernels.prepare([...packing.variants, ...others]));
  await packAlone(state, packing);
  return packing.cellSize;
}

/** Bodies, and the shapes that they have. */
interface Scene {
  dimension: Dimension;
  shapes: ShapeTable;
  bodies: AnyBodies;
  motion?: BodyMotion;
}

export interface Packing {
  /** The kernels that it needs. */
  variants: readonly KernelVariant[];
  /** Edge length of the cells of fixed-point positions. */
  cellSize: number;
  /** Uploads the caller's arrays, and packs them into `poses`, `bodies` and `velocities` of the session's pool. */
  encode(encoder: GPUCommandEncoder): void;
}

function packingOf(state: DeviceState, scene: Scene, timings?: Pick<QueryTimings, 'upload'>): Packing {
  const { device, kernels, pool } = state.session;
  const { dimension, shapes, bodies, motion } = scene;
  const variants = packVariants(formOf(dimension, bodies, motion), false);
  const cellExponent = usesFixedPoint(bodies) ? cellExponentOf(bodies.positions) : 0;
  return {
    variants: Object.values(variants),
    cellSize: 2 ** cellExponent,
    encode(encoder) {
      const start = performance.now();
      uploadShapes(state, scene);
      const scope = { device, kernels, pool, home: { pool, needs: () => true }, dimension, idCount: idCountOf(shapes) };
      const dispatches = [
        bindBodies(scope, variants.bodies, bodies),
        ...(motion ? [bindVelocities(scope, variants.velocities!, motion)] : []),
        ...(variants.fixedPoint
          ? [bindFixedPoint(scope, variants.fixedPoint, bodies.shapes.length, cellExponent)]
          : []),
      ];
      encodePass(encoder, dispatches, { label: 'backend.bodies' });
      if (timings) timings.upload += performance.now() - start;
    },
  };
}

async function packAlone({ session }: DeviceState, { encode }: Packing): Promise<void> {
  const { device } = session;
  const { verdict } = scoped(device, () => {
    const encoder = device.createCommandEncoder({ label: 'backend.bodies' });
    encode(encoder);
    device.queue.submit([encoder.finish()]);
  });
  await session.orLost(verdict);
}

function idCountOf({ shapes, idCount = shapes.length }: ShapeTable): number {
  return idCount;
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
