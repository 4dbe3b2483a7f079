/** Packs and inspects a query's input on the device. */
import { cellExponentFor } from '../records/cells.ts';
import type { QueryTimings } from '../api/types.ts';
import type { QueryRequest } from '../request/backend.ts';
import { largestChunk, PAIR_BYTES } from './chunks.ts';
import type { DeviceState } from './device-slot.ts';
import { encodePass } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import {
  bindBodies,
  bindFixedPoint,
  bindPairs,
  bindVelocities,
  type InputScope,
  type PackVariants,
} from './input-passes.ts';
import { encodeCopies, readCopies, type Region } from './read-back.ts';
import type { Residency } from './residency.ts';
import { uploadShapes } from './upload.ts';
import { verdictBytes, type Verdict } from './verdict.ts';

export interface InputTask {
  state: DeviceState;
  request: QueryRequest;
  scope: InputScope;
  variants: PackVariants;
  place: Residency;
  /** Whether bodies and velocities have to be packed: not those of a handle that are packed already. */
  packsBodies: boolean;
  packsMotion: boolean;
}

/** Whether one buffer can hold all pairs. Otherwise it holds one piece of them after the other. */
export function isInOnePiece(device: GPUDevice, pairs: Uint32Array): boolean {
  return pairs.length <= lengthOfPiece(device);
}

function lengthOfPiece(device: GPUDevice): number {
  return 2 * largestChunk(device, PAIR_BYTES);
}

/** Uploads the caller's arrays, packs and inspects them. Returns the words of the verdict. */
export async function inspect(task: InputTask, timings: QueryTimings): Promise<Uint32Array> {
  const { session } = task.state;
  const { device, pool } = task.scope;
  const start = performance.now();
  const made = scoped(device, () => {
    const encoder = device.createCommandEncoder({ label: 'backend.input' });
    const regions = [encodeInspection(task, encoder)];
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return { staging, regions };
  });
  const uploaded = performance.now();
  timings.upload += uploaded - start;
  await session.orLost(made.verdict);
  // To map a destroyed buffer would raise a validation error on the caller's device.
  pool.ensureOpen();
  const [words] = await session.orLost(readCopies(made.result.staging, made.result.regions));
  timings.validate += performance.now() - uploaded;
  return new Uint32Array(words);
}

/**
 * Uploads the caller's arrays and records the kernels that pack and inspect them; submits them for all pieces of the
 * pairs but the last. Returns where the verdict will be. Fixed-point positions are made too if the exponent of their
 * cells is known.
 */
export function encodeInspection(
  { state, request, scope, variants, packsBodies, packsMotion }: InputTask,
  encoder: GPUCommandEncoder,
  cellExponent?: number,
): Region {
  const { device, pool } = scope;
  const { bodies, motion, pairs } = request;
  const bodyCount = bodies.shapes.length;
  const label = 'backend.input';
  uploadShapes(state, request);
  const size = verdictBytes(scope.idCount);
  const verdict = { buffer: pool.get('verdict', size), offset: 0, size };
  const dispatches = [
    ...(packsBodies ? [bindBodies(scope, variants.bodies, bodies)] : []),
    ...(packsMotion ? [bindVelocities(scope, variants.velocities!, motion!)] : []),
  ];
  if (packsBodies && variants.fixedPoint && cellExponent !== undefined) {
    dispatches.push(bindFixedPoint(scope, variants.fixedPoint, bodyCount, cellExponent));
  }
  const length = lengthOfPiece(device);
  for (let first = 0; ; first += length) {
    const isLast = first + length >= pairs.length;
    const into = isLast ? encoder : device.createCommandEncoder({ label });
    const piece = pairs.subarray(first, first + length);
    if (first === 0) into.clearBuffer(verdict.buffer);
    if (piece.length > 0) dispatches.push(bindPairs(scope, piece, first / 2, bodyCount));
    encodePass(into, dispatches.splice(0), { label });
    if (isLast) return verdict;
    device.queue.submit([into.finish()]);
  }
}

/** What is left to do once the verdict on bodies is known: 64-bit positions, whose cells depend on all of them. */
export function finishBodies(
  { scope, variants: { fixedPoint }, place, request: { bodies } }: InputTask,
  { greatestHighWord, hasShape }: Verdict,
): Promise<void> {
  const { device } = scope;
  const cellExponent = fixedPoint ? cellExponentFor(greatestHighWord) : 0;
  place.hasShape = hasShape;
  place.cellSize = 2 ** cellExponent;
  return scoped(device, () => {
    if (!fixedPoint) return;
    const encoder = device.createCommandEncoder({ label: 'backend.cells' });
    const dispatch = bindFixedPoint(scope, fixedPoint, bodies.shapes.length, cellExponent);
    encodePass(encoder, [dispatch], { label: 'backend.cells' });
    device.queue.submit([encoder.finish()]);
  }).verdict;
}
