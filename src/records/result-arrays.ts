/** Result arrays as a device writes them, and their way into the caller's arrays. */
import type { QueryResult } from '../api/queries.ts';
import type { Numbers } from '../util/arrays.ts';
import type { MutableResult } from './create-result.ts';
import type { PairBodies } from './decode.ts';

/** Some slots of a result's arrays. */
export interface ArrayChunk {
  firstPair: number;
  count: number;
  /** Elements by array. `pair` is missing if there is a slot per pair. Points are 32-bit numbers. */
  arrays: Readonly<Record<string, Numbers>>;
  /** Names of the arrays of points. */
  points: readonly string[];
  /** How many points of each slot are relative to A's position. Missing: all points are in world space. */
  moved?: Uint8Array;
}

/** The chunk with a copy of its arrays. */
export function ownArrays({ arrays, moved, ...slots }: ArrayChunk): ArrayChunk {
  const copies = Object.entries(arrays).map(([name, elements]) => [name, elements.slice()]);
  return { ...slots, arrays: Object.fromEntries(copies), moved: moved?.slice() };
}

/**
 * Copies a chunk into the arrays that the result has, from `slot` on. Points have `axes` coordinates. `given` is needed
 * if some of them are relative to A's position.
 */
export function copyArrays(
  axes: 2 | 3,
  result: QueryResult,
  slot: number,
  chunk: ArrayChunk,
  given?: PairBodies,
): void {
  const to = result as unknown as MutableResult;
  const { firstPair, count, arrays, moved, points } = chunk;
  for (const [name, elements] of Object.entries(arrays)) {
    // Some arrays only serve to move points.
    if (!to[name]) continue;
    if (moved && given && points.includes(name)) movePoints(axes, to[name], slot, elements, chunk, given);
    else to[name].set(elements, (elements.length / count) * slot);
  }
  if (to.pair && !arrays.pair) for (let i = 0; i < count; i++) to.pair[slot + i] = firstPair + i;
}

/** Writes points to a result, in world space. Sums are in double precision. */
function movePoints(
  axes: number,
  to: Numbers,
  slot: number,
  points: Numbers,
  { firstPair, count, arrays, moved }: ArrayChunk,
  { bodies: { positions }, pairs, linear }: PairBodies,
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
