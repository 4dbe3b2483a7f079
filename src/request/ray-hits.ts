/** Results of `rayCasts`: of the impacts of each ray, the first. */
import { NO_BODY, Status, type Rays } from '../api/types.ts';
import { INFO_STATUS_MASK } from '../generated/constants.ts';
import type { AnyBodies } from '../records/bodies.ts';
import { pairOf, type RecordChunk } from '../records/chunk.ts';
import { resultArrays, withItems } from '../records/create-result.ts';
import { rayFieldsOf } from '../records/result-fields.ts';
import type { Dimension } from './dimension.ts';
import type { Numbers } from '../util/arrays.ts';

/** The hits of all rays so far. */
export interface FirstHits {
  result: { count: number; statusCounts: number[] };
  /** Arrays that the search needs, whether or not the result has them. */
  time: Numbers;
  body: Numbers;
  status: Numbers;
  /** Missing if the result does not have them. */
  normal: Numbers | undefined;
  point: Numbers | undefined;
}

/** For each pair a body, and a ray counted from `first`. */
export interface RayPairs {
  first: number;
  pairs: Uint32Array;
}

/** What the search compares or counts. */
const NEEDED = ['time', 'body', 'status'] as const;

/** Hits of rays that meet nothing, for a result that has the arrays `names`. */
export function createRayHits(
  count: number,
  axes: 2 | 3,
  is64Bit: boolean,
  names: readonly string[],
  target: unknown,
): FirstHits {
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
  return { result, time, body, status, normal, point };
}

/** The result, in the arrays of the target if there is one: these are checked, then written at once. */
export function rayResultIn(
  target: unknown,
  { result }: FirstHits,
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

/**
 * Updates each ray's hit with the impacts of a chunk that come earlier. If two times are equal, the body with the lower
 * index wins.
 */
export function keepFirst(
  dimension: Dimension,
  hits: FirstHits,
  { maxTimes }: Rays,
  { positions }: AnyBodies,
  { first, pairs }: RayPairs,
  chunk: RecordChunk,
): void {
  const { words } = dimension.records.sizes.impacts;
  const record = { floats: new Float32Array(chunk.records), integers: new Uint32Array(chunk.records), at: 0 };
  for (let i = 0; i < chunk.recordCount; i++) {
    const pair = pairOf(chunk, i);
    const ray = first + pairs[2 * pair + 1];
    const body = pairs[2 * pair];
    record.at = words * i;
    if (timeOf(dimension, record) > (maxTimes ? maxTimes[ray] : Infinity)) continue;
    keepEarlier(dimension, hits, ray, body, positions, record);
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

/** Updates a ray's hit with the impact with body `met`, if that comes earlier. */
export function keepEarlier(
  space: Dimension,
  { status, time, normal, point, body }: FirstHits,
  ray: number,
  met: number,
  positions: ArrayLike<number>,
  record: ImpactRecord,
): void {
  const { dimension, records } = space;
  const { impact, sizes } = records;
  const { floats, integers, at } = record;
  const when = timeOf(space, record);
  if (when > time[ray] || (when === time[ray] && met > body[ray])) return;
  time[ray] = when;
  body[ray] = met;
  status[ray] = integers[at + sizes.impacts.info] & INFO_STATUS_MASK;
  const hasPoint = status[ray] === Status.Overlapping;
  for (let k = 0; k < dimension; k++) {
    const to = dimension * ray + k;
    if (normal) normal[to] = floats[at + impact.normal + k];
    if (point) point[to] = hasPoint ? positions[dimension * met + k] + floats[at + impact.point + k] : 0;
  }
}
