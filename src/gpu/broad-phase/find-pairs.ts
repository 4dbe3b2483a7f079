/** `findPairs` on the device: uploads the bodies, finds their pairs and reads them back. */
import { NarrowphaseError } from '../../api/errors.ts';
import { usesFixedPoint } from '../../records/bodies.ts';
import type { FindPairsRequest } from '../../request/backend.ts';
import { throwIfAborted } from '../../request/abort.ts';
import { allocate } from '../../util/arrays.ts';
import type { DeviceState } from '../device-slot.ts';
import { encodePass } from '../encode-query.ts';
import { scoped } from '../error-scopes.ts';
import { packVariantsOfAll } from '../input-passes.ts';
import type { Session } from '../session.ts';
import type { Region } from '../read-back.ts';
import { roundTrip } from '../round-trip.ts';
import { packChecked } from '../pack-checked.ts';
import { toleranceOfTable } from './tolerance.ts';
import { gridVariants, type BroadPhaseForm } from './variants.ts';
import { ALL_SLOTS } from './binder.ts';
import type { BoundBroadPhase } from './context.ts';
import { bindGrid } from './grid.ts';
import { encodeClearing, encodeMostTests, motionKind, mostBodies, mostPairs } from './search.ts';

/** Bytes that are read back at a time. */
const READ_BYTES = 2 ** 26;

/**
 * Tests of two boxes in one submission. Drivers and browsers reset a device that does not answer for seconds: a card that
 * does a test per nanosecond answers in one.
 */
const MOST_TESTS = 2 ** 30;
/** Bodies that are searched for at a time, at least. */
const LEAST_RANGE = 256;

/** Compiles what `findPairsOnDevice` needs for bodies of this form, at rest or in motion. */
export function prepareToFindPairs({ kernels, orLost }: Session, form: BroadPhaseForm): Promise<void> {
  const packing = packVariantsOfAll({ ...form, isMoving: true, isRotating: true }, false);
  return orLost(kernels.prepare([...gridVariants(form, Infinity, true), ...packing]));
}

/** What tests change. */
export interface PairSearchOptions {
  /** The most tests of two boxes in one submission. */
  mostTests?: number;
}

/** A search whose bodies are packed. */
interface PairSearch {
  readonly session: Session;
  readonly signal: AbortSignal | undefined;
  readonly bodyCount: number;
  readonly mostTests: number;
  /** Binds the kernels, with room for so many pairs. */
  bind(pairCapacity: number): BoundBroadPhase;
}

/**
 * The pairs in ascending order; undefined if the device has no buffers large enough for the bodies or the pairs. Throws
 * `LIMIT_EXCEEDED` if there are more than `request.maxPairs`. A search of more than `mostTests` tests is done for a range
 * of bodies at a time, so that it can be aborted and no submission takes seconds.
 */
export async function findPairsOnDevice(
  state: DeviceState,
  request: FindPairsRequest,
  { mostTests = MOST_TESTS }: PairSearchOptions = {},
): Promise<Uint32Array | undefined> {
  const { session } = state;
  const { bodies, maxPairs, signal } = request;
  const { limits } = session.device;
  const bodyCount = bodies.shapes.length;
  if (bodyCount === 0) return new Uint32Array(0);
  if (bodyCount > mostBodies(limits)) return undefined;
  const search = { session, signal, bodyCount, mostTests, bind: await packBodies(state, request) };
  const { count, longest } = await countPairs(search);
  if (count > maxPairs) {
    throw new NarrowphaseError('LIMIT_EXCEEDED', `the broad phase finds ${count} pairs, expected at most ${maxPairs}`);
  }
  if (count > mostPairs(limits)) return undefined;
  if (longest !== undefined) {
    await run(search, 'findPairs.kept', (encoder) => {
      const bound = search.bind(count);
      encodePass(encoder, bound.storing, { label: 'findPairs.kept' });
      return [bound.mostTests];
    });
    await searchRanges(search, true, count, longest);
  }
  return readPairs(search, count, longest !== undefined);
}

/** Packs the bodies. Returns what binds the kernels that search them. */
async function packBodies(state: DeviceState, request: FindPairsRequest): Promise<PairSearch['bind']> {
  const { session } = state;
  const { bodies, filters = {}, motion, dimension, shapes, margin, signal } = request;
  const { groups, fixed } = filters;
  const { device, kernels, pool } = session;
  const form = { isPlanar: dimension.dimension === 2, hasFixedPoint: usesFixedPoint(bodies) };
  const cellSize = await packChecked(state, request, gridVariants(form, bodies.shapes.length, true));
  throwIfAborted(signal);

  const uploaded = scoped(device, () => ({
    shapeRecords: pool.get('shapes', 0),
    geometry: pool.get('geometry', 0),
    poses: pool.get('poses', 0),
    bodyShapes: pool.get('bodies', 0),
    velocities: motion && pool.get('velocities', 0),
    groups: groups && pool.upload('groups', groups),
    fixedBodies: fixed && pool.upload('fixedBodies', Uint32Array.from(fixed)),
  }));
  await session.orLost(uploaded.verdict);

  return (pairCapacity) => {
    const sizes = {
      bodyCount: bodies.shapes.length,
      bodyCapacity: bodies.shapes.length,
      shapeCount: shapes.shapes.length,
      pairCapacity,
      margin,
      tolerance: toleranceOfTable(shapes.shapes, dimension),
      motion: motionKind(motion && { isRotating: motion.angular !== undefined }),
      duration: motion?.duration ?? 0,
      cellSize,
    };
    const context = { device, kernels, pool, uniform: pool.uniform };
    return bindGrid(context, form, sizes, uploaded.result, pool.get('foundPairs', 8 * pairCapacity));
  };
}

/** A round trip, unless the search was aborted. */
async function run(
  { session, signal }: PairSearch,
  label: string,
  encode: (encoder: GPUCommandEncoder) => Region[],
): Promise<ArrayBuffer[]> {
  throwIfAborted(signal);
  return roundTrip(session, label, encode);
}

/** All bodies at once, unless that takes more tests than one submission may have. */
function allBodies({ bodyCount, mostTests }: PairSearch) {
  return { first: 0, count: bodyCount, mostTests: Math.floor(mostTests / bodyCount) };
}

/** The number of pairs. `longest`: the most tests of a body, if the bodies have to be searched range by range. */
async function countPairs(search: PairSearch): Promise<{ count: number; longest?: number }> {
  const all = allBodies(search);
  const counted = await run(search, 'findPairs.count', (encoder) => {
    const bound = search.bind(0);
    encodeClearing(encoder, bound);
    encodePass(encoder, [...bound.ordering, ...bound.weigh()], { label: 'findPairs.grid' });
    encodeMostTests(encoder, bound);
    encodePass(encoder, [bound.search(false, all), ...bound.summing], { label: 'findPairs.count' });
    return [bound.total, bound.mostTests];
  });
  const [longest] = new Uint32Array(counted[1]);
  if (longest <= all.mostTests) return { count: countIn(counted[0]) };
  // That search did nothing.
  await searchRanges(search, false, 0, longest);
  const [total] = await run(search, 'findPairs.sum', (encoder) => {
    const bound = search.bind(0);
    encodePass(encoder, bound.summing, { label: 'findPairs.sum' });
    return [bound.total];
  });
  return { count: countIn(total), longest };
}

function countIn(total: ArrayBuffer): number {
  const [low, high] = new Uint32Array(total);
  return low + 2 ** 32 * high;
}

/** Searches a range of bodies at a time: counts their pairs, or writes them. */
async function searchRanges(
  search: PairSearch,
  isWriting: boolean,
  pairCapacity: number,
  longest: number,
): Promise<void> {
  const count = Math.max(LEAST_RANGE, Math.floor(search.mostTests / longest));
  for (let first = 0; first < search.bodyCount; first += count) {
    await run(search, 'findPairs.range', (encoder) => {
      const bound = search.bind(pairCapacity);
      encodePass(encoder, [bound.search(isWriting, { ...ALL_SLOTS, first, count })], { label: 'findPairs.range' });
      return [bound.mostTests];
    });
  }
}

/** Writes the pairs, unless they are written, sorts them and reads them. */
async function readPairs(search: PairSearch, count: number, areWritten: boolean): Promise<Uint32Array> {
  const pairs = allocate('the pairs found', Uint32Array, 2 * count);
  const bytes = new Uint8Array(pairs.buffer);
  for (let offset = 0; offset < bytes.length; offset += READ_BYTES) {
    const [part] = await run(search, 'findPairs.read', (encoder) => {
      const bound = search.bind(count);
      const writing = areWritten ? [] : [...bound.storing, bound.search(true, allBodies(search))];
      if (offset === 0) encodePass(encoder, [...writing, ...bound.sorting], { label: 'findPairs.write' });
      const size = Math.min(READ_BYTES, bytes.length - offset);
      return [{ buffer: search.session.pool.get('foundPairs', 0), offset, size }];
    });
    bytes.set(new Uint8Array(part), offset);
  }
  return pairs;
}
