/** Results of `rayCasts`, and the impacts that they are made of: by default, of those of each ray the first. */
import { NO_BODY, Status, type Rays } from '../api/types.ts';
import { INFO_STATUS_MASK } from '../generated/constants.ts';
import { pairOf, type RecordChunk } from '../records/chunk.ts';
import { resultArrays, withItems } from '../records/create-result.ts';
import { rayFieldsOf } from '../records/result-fields.ts';
import type { Dimension } from './dimension.ts';
import type { Numbers } from '../util/arrays.ts';
import type { Work } from '../util/turns.ts';

/** Receives impacts of rays with bodies, and makes the result of them. */
export interface RaySink {
  /** Impacts of a ray after this time need not be found. */
  latestTime(ray: number): number;
  /** Takes an impact, which is not after the ray's end. */
  keep(ray: number, body: number, record: ImpactRecord): void;
  /** Puts the impacts in the order of the result. Missing if they are kept in it. */
  sort?(): Work<void>;
  /** Writes the result, in the target if there is one. */
  finish(): object;
}

/** A result of `rayCasts` and its arrays. */
export interface HitArrays {
  result: { count: number; statusCounts: number[] };
  /** Arrays that are needed to make a result, whether or not it has them. */
  time: Numbers;
  body: Numbers;
  status: Numbers;
  /** Missing if the result does not have them. */
  ray: Numbers | undefined;
  normal: Numbers | undefined;
  point: Numbers | undefined;
}

/** For each pair a body, and a ray counted from `first`. */
export interface RayPairs {
  first: number;
  pairs: Uint32Array;
}

/** What is compared or counted. */
const NEEDED = ['time', 'body', 'status'] as const;

/** Hits of rays that meet nothing, for a result that has the arrays `names`. */
export function createRayHits(
  count: number,
  axes: 2 | 3,
  is64Bit: boolean,
  names: readonly string[],
  target: unknown,
): HitArrays {
  const shapes = rayFieldsOf(axes);
  const arrays = resultArrays(shapes, names, count, is64Bit, target);
  const others = NEEDED.filter((name) => !names.includes(name));
  const { time, body, status } = { ...arrays, ...resultArrays(shapes, others, count, is64Bit, undefined) };
  const { ray, normal, point } = arrays as Partial<typeof arrays>;
  if (ray) for (let i = 0; i < count; i++) ray[i] = i;
  status.fill(0, 0, count);
  time.fill(Infinity, 0, count);
  body.fill(NO_BODY, 0, count);
  normal?.fill(0, 0, axes * count);
  point?.fill(0, 0, axes * count);
  const result = withItems({ count, statusCounts: [0, 0, 0, 0, 0], ...arrays }, shapes, arrays, axes);
  return { result, time, body, status, ray, normal, point };
}

/** Keeps the first impact of each of `count` rays. `positions`: those of the bodies. */
export function createFirstHits(
  space: Dimension,
  count: number,
  positions: ArrayLike<number>,
  is64Bit: boolean,
  names: readonly string[],
  target: unknown,
): RaySink {
  const axes = space.dimension;
  // A wrong target is refused before the rays are cast. It is written at the end: until then the caller may transfer it.
  if (target !== undefined) resultArrays(rayFieldsOf(axes), names, count, is64Bit, target);
  const hits = createRayHits(count, axes, is64Bit, names, undefined);
  const { time, status, result } = hits;
  return {
    latestTime: (ray) => time[ray],
    keep: (ray, body, record) => keepEarlier(space, hits, ray, body, positions, record),
    finish() {
      for (let ray = 0; ray < count; ray++) result.statusCounts[status[ray]]++;
      return rayResultIn(target, hits, axes, is64Bit, names);
    },
  };
}

/** The result, in the arrays of the target if there is one: these are checked, then written at once. */
function rayResultIn(
  target: unknown,
  { result }: HitArrays,
  axes: 2 | 3,
  is64Bit: boolean,
  names: readonly string[],
): object {
  if (target === undefined) return result;
  const { count, statusCounts } = result;
  const shapes = rayFieldsOf(axes);
  const arrays = resultArrays(shapes, names, count, is64Bit, target);
  for (const name of names) arrays[name].set((result as unknown as Record<string, Numbers>)[name]);
  return withItems({ count, statusCounts, ...arrays }, shapes, arrays, axes);
}

/** Passes on the impacts of a chunk that are not after the ends of their rays. */
export function keepImpacts(
  dimension: Dimension,
  sink: RaySink,
  { maxTimes }: Rays,
  { first, pairs }: RayPairs,
  chunk: RecordChunk,
): void {
  const { words } = dimension.records.sizes.impacts;
  const record = { floats: new Float32Array(chunk.records), integers: new Uint32Array(chunk.records), at: 0 };
  for (let i = 0; i < chunk.recordCount; i++) {
    const pair = pairOf(chunk, i);
    const ray = first + pairs[2 * pair + 1];
    record.at = words * i;
    if (timeOf(dimension, record) > (maxTimes ? maxTimes[ray] : Infinity)) continue;
    sink.keep(ray, pairs[2 * pair], record);
  }
}

/** A record of an impact that begins at word `at`. */
export interface ImpactRecord {
  readonly floats: Float32Array;
  /** The same memory. */
  readonly integers: Uint32Array;
  at: number;
}

/** When a ray meets a body, from 0 on. */
export function timeOf({ records: { impact } }: Dimension, { floats, at }: ImpactRecord): number {
  return Math.max(floats[at + impact.unclampedTime], 0);
}

/**
 * Updates a ray's hit with the impact with body `met`, if that comes earlier. If two times are equal, the body with the
 * lower index wins.
 */
function keepEarlier(
  space: Dimension,
  hits: HitArrays,
  ray: number,
  met: number,
  positions: ArrayLike<number>,
  record: ImpactRecord,
): void {
  const { time, body } = hits;
  const when = timeOf(space, record);
  if (when > time[ray] || (when === time[ray] && met > body[ray])) return;
  writeHit(space, hits, ray, met, positions, record);
}

/** Writes the impact with body `met` to a slot. */
export function writeHit(
  space: Dimension,
  { time, body, status, normal, point }: HitArrays,
  slot: number,
  met: number,
  positions: ArrayLike<number>,
  record: ImpactRecord,
): void {
  const { dimension, records } = space;
  const { impact, sizes } = records;
  const { floats, integers, at } = record;
  time[slot] = timeOf(space, record);
  body[slot] = met;
  status[slot] = integers[at + sizes.impacts.info] & INFO_STATUS_MASK;
  const hasPoint = status[slot] === Status.Overlapping;
  for (let k = 0; k < dimension; k++) {
    const to = dimension * slot + k;
    if (normal) normal[to] = floats[at + impact.normal + k];
    if (point) point[to] = hasPoint ? positions[dimension * met + k] + floats[at + impact.point + k] : 0;
  }
}
