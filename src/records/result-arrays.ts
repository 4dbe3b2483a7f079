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
    if (moved && given && points.includes(name)) movePoints(axes, to[name], slot, elements, { ...chunk, moved }, given);
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
  { firstPair, count, arrays, moved: movedCounts }: ArrayChunk & { moved: Uint8Array },
  { bodies: { positions }, pairs, linear }: PairBodies,
): void {
  const { pair: listed, unclampedTime } = arrays;
  const pointCount = points.length / axes / count;
  let at = 0;
  let out = axes * pointCount * slot;
  for (let i = 0; i < count; i++) {
    const movedCount = movedCounts[i];
    let x = 0;
    let y = 0;
    let z = 0;
    if (movedCount > 0) {
      const a = axes * pairs[2 * (listed ? listed[i] : firstPair + i)];
      x = positions[a];
      y = positions[a + 1];
      if (axes > 2) z = positions[a + 2];
      if (linear) {
        const unclamped = unclampedTime[i];
        const time = Math.abs(unclamped) < Infinity ? unclamped : 0;
        x += linear[a] * time;
        y += linear[a + 1] * time;
        if (axes > 2) z += linear[a + 2] * time;
      }
    }
    for (let point = 0; point < pointCount; point++, at += axes, out += axes) {
      const isMoved = point < movedCount;
      to[out] = (isMoved ? x : 0) + points[at];
      to[out + 1] = (isMoved ? y : 0) + points[at + 1];
      if (axes > 2) to[out + 2] = (isMoved ? z : 0) + points[at + 2];
    }
  }
}
