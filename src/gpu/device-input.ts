/**
 * The input of a large query. The caller's arrays are uploaded as they are. Kernels make records of them and check
 * them, in a round trip before the query itself:
 *
 *     positions, rotations, scales, shapes -> pack-bodies     -> poses       verdict: Is a number suspicious?
 *     velocities                           -> pack-velocities -> velocities           Which shapes are used?
 *     pairs                                -> inspect-pairs                           Which kinds are paired?
 *     64-bit positions and cell size       -> pack-fixed-point
 *
 * If a number is suspicious, the host checks all of them, and names the first wrong one. Where the verdict is expected
 * (expectations.ts), the query does not wait for it.
 */
import type { ShapeBase } from '../shapes/shape-table.ts';
import { cellExponentFor } from '../records/cells.ts';
import type { QueryTimings } from '../api/types.ts';
import type { QueryRequest } from '../request/backend.ts';
import { areOneKind, kindPairsWhere, kindsOfPairs, usedShapes, type KindPair } from './classes.ts';
import type { DeviceState } from './device-slot.ts';
import { expectedVerdict, noteVerdict } from './expectations.ts';
import { scoped } from './error-scopes.ts';
import { formOf, INSPECT_PAIRS, packVariants } from './input-passes.ts';
import { encodeInspection, finishBodies, inspect, isInOnePiece, type InputTask } from './inspect.ts';
import { createPlace } from './residency.ts';
import { bodyBuffers, uploadShapes, type Inspection, type QueryInput } from './upload.ts';
import { areAlike, HALFSPACES, readVerdict, type Verdict } from './verdict.ts';

/**
 * The input of a query that the host has not checked, or whose bodies are those of a handle. Throws `INVALID_INPUT` as
 * `request.check` does; so does `settle` of the input's inspection. `mayExpect`: the input may have an inspection.
 */
export async function deviceInput(
  state: DeviceState,
  request: QueryRequest,
  timings: QueryTimings,
  mayExpect = true,
): Promise<QueryInput> {
  const { session } = state;
  const { query, dimension, bodies, motion, pairs, shapes, resident } = request;
  const { device, kernels, pool } = session;
  const place = resident ? state.residencies.of(resident.state) : createPlace(pool);
  const form = formOf(dimension, bodies, motion);
  const task: InputTask = {
    state,
    request,
    scope: { device, kernels, pool, home: place.homeOf(resident), dimension, idCount: shapes.idCount! },
    variants: packVariants(form, true),
    place,
    packsBodies: place.bodiesVersion !== resident?.bodiesVersion,
    packsMotion: motion !== undefined && place.motionVersion !== resident?.motionVersion,
  };
  const hasAllPairs = isInOnePiece(device, pairs);

  /** The input, with the kinds of pairs that the device found. */
  function inputWith(hasKinds?: Verdict['hasKinds']): QueryInput {
    const used = usedShapes(shapes.shapes, place.hasShape);
    return {
      facts: { kinds: hasKinds ? kindsIn(hasKinds, used) : kindsOfPairs(request, used), shapes: used },
      cellSize: place.cellSize,
      buffers: () => ({
        bodies: bodyBuffers(place.pool, request),
        pairs: hasKinds && hasAllPairs ? pool.get('pairs', 0) : undefined,
      }),
    };
  }

  async function inputAfter(verdict: Verdict): Promise<QueryInput> {
    const { isSuspicious, hasKinds } = verdict;
    if (isSuspicious || hasKinds(HALFSPACES)) request.check?.();
    if (task.packsBodies) {
      const start = performance.now();
      const finished = finishBodies(task, verdict);
      timings.upload += performance.now() - start;
      await session.orLost(finished);
    }
    endPacking();
    return inputWith(hasKinds);
  }

  function endPacking(): void {
    place.bodiesVersion = resident?.bodiesVersion ?? -1;
    if (task.packsMotion) place.motionVersion = resident?.motionVersion ?? -1;
  }

  /** Inspects the input together with the query. */
  function inspection(key: string, expected: Uint32Array, cellExponent: number): Inspection {
    let found = expected;
    return {
      encode(encoder) {
        const start = performance.now();
        const region = encodeInspection(task, encoder, cellExponent);
        timings.upload += performance.now() - start;
        return region;
      },
      confirms(bytes) {
        found = new Uint32Array(bytes.slice().buffer);
        noteVerdict(state, key, shapes.version, found);
        const isExpected = areAlike(expected, found);
        if (isExpected) endPacking();
        return isExpected;
      },
      settle: () => inputAfter(readVerdict(found)),
    };
  }

  if (!task.packsBodies && !task.packsMotion && !request.check) {
    // The host has checked the pairs, and the bodies when they were written.
    const { verdict } = scoped(device, () => uploadShapes(state, request));
    await session.orLost(verdict);
    return inputWith();
  }
  const start = performance.now();
  await session.orLost(kernels.prepare([...Object.values(task.variants), INSPECT_PAIRS]));
  timings.compile += performance.now() - start;

  const key = JSON.stringify([query, form, task.packsBodies, task.packsMotion]);
  const expected = mayExpect ? expectedVerdict(state, key, shapes.version) : undefined;
  // A query that starts warm leaves its simplices to the next one, even if its answers are void.
  if (!expected || !hasAllPairs || pairs.length === 0 || request.warmStart) {
    const words = await inspect(task, timings);
    noteVerdict(state, key, shapes.version, words);
    return inputAfter(readVerdict(words));
  }
  const { greatestHighWord, hasShape, hasKinds } = readVerdict(expected);
  const cellExponent = form.hasFixedPoint ? cellExponentFor(greatestHighWord) : 0;
  if (task.packsBodies) {
    place.hasShape = hasShape;
    place.cellSize = 2 ** cellExponent;
  }
  return { ...inputWith(hasKinds), inspection: inspection(key, expected, cellExponent) };
}

/** The kinds of pairs that the device found. */
function kindsIn(hasKinds: Verdict['hasKinds'], used: readonly ShapeBase[]): readonly KindPair[] {
  return areOneKind(used) ? [[used[0].kind, used[0].kind]] : kindPairsWhere(hasKinds);
}
