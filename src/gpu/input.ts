/**
 * The input of a query. The caller's arrays are uploaded as they are; in the query's first submission, kernels make
 * records of them and check them:
 *
 *     positions, rotations, scales, shapes -> pack-bodies     -> poses       report: Is a number flagged?
 *     velocities                           -> pack-velocities -> velocities          Which shapes are used?
 *     pairs                                -> inspect-pairs                          Which kinds are paired?
 *     64-bit positions and cell size       -> pack-fixed-point
 *
 * The report comes to the host with the first answers, before any is delivered. If it flags something, the host checks
 * all arrays, and names the first fault. If the plan does not cover all pairs, or positions need cells of another size, the
 * query is submitted again. Only where nothing is known yet, the report is awaited before there is a plan.
 */
import type { QueryTimings } from '../api/types.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import { cellExponentFor } from '../records/cells.ts';
import type { BodyPairs } from '../request/backend.ts';
import { givenBuffer, type BufferPool } from './buffers.ts';
import { largestChunk, PAIR_BYTES } from './chunks.ts';
import { kindPairsWhere, usedShapes, type PairFacts } from './classes.ts';
import type { DeviceState } from './device-slot.ts';
import { encodePass } from './encode-query.ts';
import {
  bindBodies,
  bindFixedPoint,
  bindPairs,
  bindVelocities,
  formOf,
  INSPECT_PAIRS,
  packVariants,
  type InputScope,
} from './input-passes.ts';
import type { Dispatch, KernelVariant } from './kernels.ts';
import type { InputBuffers } from './query-buffers.ts';
import type { Region } from './read-back.ts';
import { readReport, reportBytes } from './report.ts';
import { createPlace, NO_VERSION } from './residency.ts';
import { uploadShapes } from './upload.ts';

export interface QueryInput {
  /** The kernels that it needs. */
  readonly variants: readonly KernelVariant[];
  /** The kinds and shapes of the pairs, once a report is taken. */
  readonly facts: PairFacts | undefined;
  /** Edge length of the cells of fixed-point positions. */
  readonly cellSize: number;
  /** Whether `encode` packs all. If not, it has to be called again once a report is taken. */
  readonly isComplete: boolean;
  /**
   * Uploads what is not on the device, and records the kernels that pack and inspect it. Returns where the report will
   * be; undefined if it was taken before.
   */
  encode(encoder: GPUCommandEncoder): Region | undefined;
  /**
   * Takes the report. Throws `INVALID_INPUT` as `check` of the pairs does. Returns whether the cells of fixed-point
   * positions have the right size; if not, `encode` has to be called again.
   */
  take(report: Uint8Array<ArrayBuffer>): boolean;
  /** What kernels read. To be called after `encode`. */
  buffers(): InputOnDevice;
  /** Called when the buffers' contents are lost. */
  forget(): void;
}

export type BodyBuffers = Pick<InputBuffers, 'poses' | 'bodyShapes' | 'velocities' | 'positions'>;

export interface InputOnDevice {
  bodies: BodyBuffers;
  /** All pairs. If they are missing, each chunk uploads its own. */
  pairs?: GPUBuffer;
}

export function createInput(state: DeviceState, over: BodyPairs, timings: QueryTimings): QueryInput {
  const { device, kernels, pool } = state.session;
  const { dimension, bodies, motion, pairs, shapes, resident, check } = over;
  const bodyCount = bodies.shapes.length;
  const place = resident ? state.residencies.of(resident.state) : createPlace(pool);
  const variants = packVariants(formOf(dimension, bodies, motion), true);
  // Callers know the first shapes alone. The host may have put others in their place.
  const idCount = check ? shapes.idCount! : shapes.shapes.length;
  const scope: InputScope = { device, kernels, pool, home: place.homeOf(resident), dimension, idCount };
  const lengthOfPiece = 2 * largestChunk(device, PAIR_BYTES);
  const packsBodies = place.bodiesVersion !== resident?.bodiesVersion;
  const packsMotion = motion !== undefined && place.motionVersion !== resident?.motionVersion;
  if (packsBodies) place.cellExponent = undefined;
  let cellExponent = packsBodies ? state.cellExponent : place.cellExponent;
  let facts: PairFacts | undefined;
  let isReported = false;

  /** The dispatches that pack what is not packed. */
  function bindPacking(): Dispatch[] {
    const { fixedPoint } = variants;
    const dispatches: Dispatch[] = [];
    if (packsBodies && !isReported) dispatches.push(bindBodies(scope, variants.bodies, bodies));
    if (packsMotion && !isReported) dispatches.push(bindVelocities(scope, variants.velocities!, motion));
    if (fixedPoint && cellExponent !== undefined && cellExponent !== place.cellExponent) {
      dispatches.push(bindFixedPoint(scope, fixedPoint, bodyCount, cellExponent));
      place.cellExponent = cellExponent;
    }
    return dispatches;
  }

  /** Records the dispatches and the inspection of all pairs; submits them for all pieces of the pairs but the last. */
  function encodeInspection(encoder: GPUCommandEncoder, dispatches: Dispatch[]): Region {
    const size = reportBytes(idCount);
    const report = { buffer: pool.get('report', size), offset: 0, size };
    for (let first = 0; ; first += lengthOfPiece) {
      const isLast = first + lengthOfPiece >= pairs.length;
      const into = isLast ? encoder : device.createCommandEncoder({ label: LABEL });
      if (first === 0) into.clearBuffer(report.buffer);
      dispatches.push(bindPairs(scope, pairs.subarray(first, first + lengthOfPiece), first / 2, bodyCount));
      encodePass(into, dispatches.splice(0), { label: LABEL });
      if (isLast) return report;
      device.queue.submit([into.finish()]);
    }
  }

  return {
    variants: [...Object.values(variants), INSPECT_PAIRS],
    get facts() {
      return facts;
    },
    get cellSize() {
      return variants.fixedPoint ? 2 ** cellExponent! : 1;
    },
    get isComplete() {
      return !variants.fixedPoint || cellExponent !== undefined;
    },
    encode(encoder) {
      const start = performance.now();
      uploadShapes(state, over);
      const dispatches = bindPacking();
      const report = isReported ? undefined : encodeInspection(encoder, dispatches);
      if (dispatches.length > 0) encodePass(encoder, dispatches, { label: LABEL });
      timings.upload += performance.now() - start;
      return report;
    },
    take(bytes) {
      const report = readReport(new Uint32Array(bytes.slice().buffer));
      if (report.isFlagged) check?.();
      isReported = true;
      if (packsBodies) {
        place.hasShape = report.hasShape;
        place.bodiesVersion = resident?.bodiesVersion ?? NO_VERSION;
      }
      if (packsMotion) place.motionVersion = resident?.motionVersion ?? NO_VERSION;
      facts = { kinds: kindPairsWhere(report.hasKinds), shapes: usedShapes(shapes.shapes, place.hasShape) };
      if (!variants.fixedPoint || !packsBodies) return true;
      const expected = cellExponent;
      cellExponent = state.cellExponent = cellExponentFor(report.greatestHighWord);
      return cellExponent === expected;
    },
    buffers: () => ({
      bodies: bodyBuffers(place.pool, over),
      pairs: pairs.length <= lengthOfPiece ? pool.get('pairs', 0) : undefined,
    }),
    forget() {
      isReported = false;
      place.clear();
    },
  };
}

const LABEL = 'backend.input';

/** The buffers of a query's bodies, in the pool that has them. */
function bodyBuffers(pool: BufferPool, { bodies, motion }: BodyPairs): BodyBuffers {
  return {
    poses: pool.get('poses', 0),
    bodyShapes: pool.get('bodies', 0),
    velocities: motion && pool.get('velocities', 0),
    positions: usesFixedPoint(bodies) ? pool.get(givenBuffer('positions'), 0) : undefined,
  };
}
