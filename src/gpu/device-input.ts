/**
 * The input of a large query. The caller's arrays are uploaded as they are. Kernels make records of them and check
 * them, in a round trip before the query itself:
 *
 *     positions, rotations, scales, shapes -> pack-bodies     -> poses       verdict: Is a number suspicious?
 *     velocities                           -> pack-velocities -> velocities           Which shapes are used?
 *     pairs                                -> inspect-pairs                           Which kinds are paired?
 *     64-bit positions and cell size       -> pack-fixed-point
 *
 * If a number is suspicious, the host checks all of them, and either names the first wrong one or does the packing too.
 */
import { CORE_HALFSPACE, KIND_COUNT } from '../generated/constants.ts';
import { bodyAt } from '../records/bodies.ts';
import { cellExponentFor } from '../records/cells.ts';
import type { QueryTimings } from '../api/types.ts';
import type { QueryRequest } from '../request/backend.ts';
import { writeBuffer } from './buffers.ts';
import { largestChunk } from './chunks.ts';
import { areOneKind, kindPairsWhere, usedShapes } from './classes.ts';
import type { DeviceState } from './device-slot.ts';
import { encodePass } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import {
  bindBodies,
  bindFixedPoint,
  bindPairs,
  bindVelocities,
  formOf,
  inputVariants,
  type InputScope,
  type InputVariants,
} from './input-passes.ts';
import type { Planner } from './planner.ts';
import { encodeCopies, readCopies } from './read-back.ts';
import { hostInput, uploadShapes, type QueryInput } from './upload.ts';
import { readVerdict, verdictBytes, type Verdict } from './verdict.ts';

/** Bytes of a pair. */
const PAIR_BYTES = 8;

/** Two half-spaces, among the kinds of a verdict. */
const HALFSPACES = CORE_HALFSPACE * KIND_COUNT + CORE_HALFSPACE;

/** The input of a query that the host has not checked. Throws `INVALID_INPUT` as `request.check` does. */
export async function deviceInput(
  state: DeviceState,
  planner: Planner,
  request: QueryRequest,
  timings: QueryTimings,
): Promise<QueryInput> {
  const { session } = state;
  const { dimension, bodies, motion, pairs, shapes } = request;
  const { device, kernels, pool } = session;
  const scope = { device, kernels, pool, dimension, idCount: shapes.idCount! };
  const variants = inputVariants(planner, formOf(bodies, motion));
  const start = performance.now();
  await session.orLost(kernels.prepare(Object.values(variants)));
  timings.compile += performance.now() - start;
  const verdict = await inspect(state, scope, variants, request, timings);
  const { isSuspicious, exceptions } = verdict;
  if (isSuspicious || verdict.hasKinds(HALFSPACES)) request.check!();
  // The host packs suspicious numbers that turn out to be valid, and all bodies if too many of them are exceptions.
  if (isSuspicious || !exceptions) return hostInput(state, request, timings);
  const { fixedPoint } = variants;
  const cellExponent = fixedPoint ? cellExponentFor(verdict.greatestHighWord) : 0;
  const packed = scoped(device, () => {
    for (const body of exceptions) packException(scope, request, body);
    if (!fixedPoint) return;
    const encoder = device.createCommandEncoder({ label: 'backend.cells' });
    const dispatch = bindFixedPoint(scope, fixedPoint, bodies.shapes.length, cellExponent);
    encodePass(encoder, [dispatch], { label: 'backend.cells' });
    device.queue.submit([encoder.finish()]);
  });
  await session.orLost(packed.verdict);
  const used = usedShapes(shapes.shapes, verdict.hasShape);
  const kinds = areOneKind(used) ? [[used[0].kind, used[0].kind] as const] : kindPairsWhere(verdict.hasKinds);
  return {
    facts: { kinds, shapes: used },
    cellSize: 2 ** cellExponent,
    pairs: pairs.length <= 2 * largestChunk(device, PAIR_BYTES) ? pool.get('pairs', 0) : undefined,
  };
}

/** Uploads the caller's arrays, packs and inspects them. */
async function inspect(
  state: DeviceState,
  scope: InputScope,
  variants: InputVariants,
  request: QueryRequest,
  timings: QueryTimings,
): Promise<Verdict> {
  const { session } = state;
  const { device, pool } = scope;
  const { bodies, motion, pairs } = request;
  const start = performance.now();
  const made = scoped(device, () => {
    uploadShapes(state, request);
    const size = verdictBytes(scope.idCount);
    const region = { buffer: pool.get('verdict', size), offset: 0, size };
    const dispatches = [bindBodies(scope, variants.bodies, bodies)];
    if (motion) dispatches.push(bindVelocities(scope, variants.velocities!, motion));
    let encoder = device.createCommandEncoder({ label: 'backend.input' });
    encoder.clearBuffer(region.buffer);
    // One buffer for all pairs, or for one piece of them after the other.
    const pieceLength = 2 * largestChunk(device, PAIR_BYTES);
    for (let first = 0; first < pairs.length; first += pieceLength) {
      const piece = pairs.subarray(first, first + pieceLength);
      dispatches.push(bindPairs(scope, variants.pairs, piece, first / 2, bodies.shapes.length));
      if (first + pieceLength >= pairs.length) break;
      encodePass(encoder, dispatches.splice(0), { label: 'backend.input' });
      device.queue.submit([encoder.finish()]);
      encoder = device.createCommandEncoder({ label: 'backend.input' });
    }
    encodePass(encoder, dispatches, { label: 'backend.input' });
    const staging = encodeCopies(pool, encoder, [region]);
    device.queue.submit([encoder.finish()]);
    return { staging, regions: [region] };
  });
  const uploaded = performance.now();
  timings.upload += uploaded - start;
  await session.orLost(made.verdict);
  // To map a destroyed buffer would raise a validation error on the caller's device.
  pool.ensureOpen();
  const [words] = await session.orLost(readCopies(made.result.staging, made.result.regions));
  timings.validate += performance.now() - uploaded;
  return readVerdict(new Uint32Array(words));
}

/** Packs a body on the host. */
function packException({ device, pool, dimension }: InputScope, { bodies }: QueryRequest, body: number): void {
  const pose = new Float32Array(dimension.poseWords);
  dimension.packPoses(bodyAt(bodies, body), pose);
  writeBuffer(device.queue, pool.get('poses', 0), pose.byteLength * body, pose);
}
