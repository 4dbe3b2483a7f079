/**
 * The input of a large query. The caller's arrays are uploaded as they are. Kernels make records of them and check
 * them, in a round trip before the query itself:
 *
 *     positions, rotations, scales, shapes -> pack-bodies     -> poses       verdict: Is a number suspicious?
 *     velocities                           -> pack-velocities -> velocities           Which shapes are used?
 *     pairs                                -> inspect-pairs                           Which kinds are paired?
 *     64-bit positions and cell size       -> pack-fixed-point
 *
 * If a number is suspicious, the host checks all of them, and names the first wrong one. If suspicious bodies are valid,
 * the host packs all bodies.
 */
import { CORE_HALFSPACE, KIND_COUNT } from '../generated/constants.ts';
import { bodyAt, packBodies } from '../records/bodies.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { cellExponentFor } from '../records/cells.ts';
import type { QueryTimings } from '../api/types.ts';
import type { QueryRequest } from '../request/backend.ts';
import { writeBuffer } from './buffers.ts';
import { largestChunk } from './chunks.ts';
import { areOneKind, kindPairsWhere, kindsOfPairs, shapesOfBodies, usedShapes, type KindPair } from './classes.ts';
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
import { createPlace, type Residency } from './residency.ts';
import { bodyBuffers, uploadPacked, uploadShapes, type QueryInput } from './upload.ts';
import { readVerdict, verdictBytes, type Verdict } from './verdict.ts';

/** Bytes of a pair. */
const PAIR_BYTES = 8;

/** Two half-spaces, among the kinds of a verdict. */
const HALFSPACES = CORE_HALFSPACE * KIND_COUNT + CORE_HALFSPACE;

interface InputTask {
  scope: InputScope;
  variants: InputVariants;
  place: Residency;
  /** Whether bodies and velocities have to be packed: not those of a handle that are packed already. */
  packsBodies: boolean;
  packsMotion: boolean;
}

/**
 * The input of a query that the host has not checked, or whose bodies are those of a handle. Throws `INVALID_INPUT` as
 * `request.check` does.
 */
export async function deviceInput(
  state: DeviceState,
  planner: Planner,
  request: QueryRequest,
  timings: QueryTimings,
): Promise<QueryInput> {
  const { session } = state;
  const { dimension, bodies, motion, pairs, shapes, resident } = request;
  const { device, kernels, pool } = session;
  const place = resident ? state.residencies.of(resident.state) : createPlace(pool);
  const task: InputTask = {
    scope: { device, kernels, pool, home: place.homeOf(resident), dimension, idCount: shapes.idCount! },
    variants: inputVariants(planner, formOf(bodies, motion)),
    place,
    packsBodies: place.bodiesVersion !== resident?.bodiesVersion,
    packsMotion: motion !== undefined && place.motionVersion !== resident?.motionVersion,
  };
  const inputWith = (hasKinds?: Verdict['hasKinds']): QueryInput => {
    const used = usedShapes(shapes.shapes, place.hasShape);
    const isWhole = hasKinds && pairs.length <= 2 * largestChunk(device, PAIR_BYTES);
    return {
      facts: { kinds: hasKinds ? kindsIn(hasKinds, used) : kindsOfPairs(request, used), shapes: used },
      bodies: bodyBuffers(place.pool, request),
      cellSize: place.cellSize,
      pairs: isWhole ? pool.get('pairs', 0) : undefined,
    };
  };
  if (!task.packsBodies && !task.packsMotion && !request.check) {
    // The host has checked the pairs, and the bodies when they were written.
    const { verdict } = scoped(device, () => uploadShapes(state, request));
    await session.orLost(verdict);
    return inputWith();
  }
  const start = performance.now();
  await session.orLost(kernels.prepare(Object.values(task.variants)));
  timings.compile += performance.now() - start;
  const verdict = await inspect(state, task, request, timings);
  const { isSuspicious, exceptions, hasKinds } = verdict;
  if (isSuspicious || hasKinds(HALFSPACES)) request.check?.();
  if (task.packsBodies) {
    const begun = performance.now();
    const refusal = exceptions ? finishBodies(task, request, verdict, exceptions) : packOnHost(task, request);
    timings.upload += performance.now() - begun;
    await session.orLost(refusal);
  }
  place.bodiesVersion = resident?.bodiesVersion ?? -1;
  if (task.packsMotion) place.motionVersion = resident?.motionVersion ?? -1;
  return inputWith(hasKinds);
}

/** The kinds of pairs that the device found. */
function kindsIn(hasKinds: Verdict['hasKinds'], used: readonly ShapeBase[]): readonly KindPair[] {
  return areOneKind(used) ? [[used[0].kind, used[0].kind]] : kindPairsWhere(hasKinds);
}

/** Uploads the caller's arrays, packs and inspects them. */
async function inspect(
  state: DeviceState,
  { scope, variants, packsBodies, packsMotion }: InputTask,
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
    const dispatches = [
      ...(packsBodies ? [bindBodies(scope, variants.bodies, bodies)] : []),
      ...(packsMotion ? [bindVelocities(scope, variants.velocities!, motion!)] : []),
    ];
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

/** What is left to do once the verdict on bodies is known: exceptions, and 64-bit positions. */
function finishBodies(
  { scope, variants: { fixedPoint }, place }: InputTask,
  { bodies }: QueryRequest,
  { greatestHighWord, hasShape }: Verdict,
  exceptions: readonly number[],
): Promise<void> {
  const { device, dimension } = scope;
  const cellExponent = fixedPoint ? cellExponentFor(greatestHighWord) : 0;
  place.hasShape = hasShape;
  place.cellSize = 2 ** cellExponent;
  return scoped(device, () => {
    for (const body of exceptions) {
      const pose = new Float32Array(dimension.poseWords);
      dimension.packPoses(bodyAt(bodies, body), pose);
      writeBuffer(device.queue, place.pool.get('poses', 0), pose.byteLength * body, pose);
    }
    if (!fixedPoint) return;
    const encoder = device.createCommandEncoder({ label: 'backend.cells' });
    const dispatch = bindFixedPoint(scope, fixedPoint, bodies.shapes.length, cellExponent);
    encodePass(encoder, [dispatch], { label: 'backend.cells' });
    device.queue.submit([encoder.finish()]);
  }).verdict;
}

/** Packs valid bodies of which some are suspicious, or too many are exceptions. */
function packOnHost({ scope, place }: InputTask, request: QueryRequest): Promise<void> {
  const packed = packBodies(request.bodies, scope.dimension);
  place.hasShape = shapesOfBodies(request);
  place.cellSize = packed.cellSize;
  return scoped(scope.device, () => uploadPacked(place.pool, packed)).verdict;
}
