/** Result arrays as a device writes them, and their way into the caller's arrays. */
import type { QueryResult } from '../api/queries.ts';
import type { AnyBodies } from './bodies.ts';
import type { MutableResult, Numbers } from './create-result.ts';

/** Some slots of a result's arrays. */
export interface ArrayChunk {
  firstPair: number;
  count: number;
  /**
   * Elements by array. `pair` is missing if there is a slot per pair. Points that `moved` counts are 32-bit numbers,
   * whatever the type of the result's array.
   */
  arrays: Readonly<Record<string, Numbers>>;
  /** How many points of each slot are relative to A's position. Missing: all points are in world space. */
  moved?: Uint8Array;
}

/** Arrays with points. */
export const POINT_FIELDS: readonly string[] = ['pointA', 'pointB', 'position', 'point'];

/** The chunk with a copy of its arrays. */
export function ownArrays({ arrays, moved, ...slots }: ArrayChunk): ArrayChunk {
  const copies = Object.entries(arrays).map(([name, elements]) => [name, elements.slice()]);
  return { ...slots, arrays: Object.fromEntries(copies), moved: moved?.slice() };
}

/**
 * Copies a chunk into the result, from `slot` on. `linear` has the velocities of `impacts`, whose points are relative
 * to A's position at the time of impact.
 */
export function copyArrays(
  given: QueryResult,
  slot: number,
  chunk: ArrayChunk,
  axes: number,
  { positions }: AnyBodies,
  pairs: Uint32Array,
  linear?: Float32Array,
): void {
  const result = given as unknown as MutableResult;
  const { firstPair, count, arrays, moved } = chunk;
  for (const [name, elements] of Object.entries(arrays)) {
    // Only the arrays of the result: others serve to move points.
    if (!result[name]) continue;
    if (!moved || !POINT_FIELDS.includes(name)) result[name].set(elements, (elements.length / count) * slot);
    else movePoints(result[name], slot, elements, chunk, axes, positions, pairs, linear);
  }
  if (result.pair && !arrays.pair) for (let i = 0; i < count; i++) result.pair[slot + i] = firstPair + i;
}

/** Writes points to a result, in world space. Sums are in double precision. */
function movePoints(
  to: Numbers,
  slot: number,
  points: Numbers,
  { firstPair, count, arrays, moved }: ArrayChunk,
  axes: number,
  positions: Float32Array | Float64Array,
  pairs: Uint32Array,
  linear?: Float32Array,
): void {
  const pointCount = points.length / axes / count;
  const { pair, unclampedTime } = arrays;
  const offset = axes * pointCount * slot;
  for (let i = 0; i < count; i++) {
    const a = moved![i] > 0 ? axes * pairs[2 * (pair ? pair[i] : firstPair + i)] : 0;
    const time = linear && Number.isFinite(unclampedTime[i]) ? unclampedTime[i] : 0;
    for (let point = 0; point < pointCount; point++) {
      const at = axes * (pointCount * i + point);
      const isMoved = point < moved![i];
      for (let k = 0; k < axes; k++) {
        const origin = linear ? positions[a + k] + linear[a + k] * time : positions[a + k];
        to[offset + at + k] = (isMoved ? origin : 0) + points[at + k];
      }
    }
  }
}
