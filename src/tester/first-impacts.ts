/**
 * The first impact of each body. The kernels filter each chunk down to the hits that are a body's first within the
 * chunk. Here the chunks' hits are compared with each other and ties are broken, so that the answer does not depend on
 * the number of pairs in a chunk.
 */
import { allocate } from '../util/arrays.ts';
import { keepRecords, pairOf, type RecordChunk } from '../records/chunk.ts';
import type { BodyMotion, AnyBodies } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import { NO_SLOT } from '../api/types.ts';

/**
 * The chunks reduced to the records that are the first impact of one of their bodies, and for each body the slot of its
 * first impact.
 */
export function keepEarliest(
  chunks: readonly RecordChunk[],
  { dimension, records }: Dimension,
  bodies: AnyBodies,
  pairs: Uint32Array,
  motion: BodyMotion,
): { chunks: RecordChunk[]; first: Uint32Array } {
  const { words } = records.sizes.impacts;
  const count = bodies.shapes.length;
  const times = allocate('times of the first impacts', Float64Array, count).fill(Infinity);
  const projections = allocate('projections of the first impacts', Float64Array, count);
  const firstPairs = allocate('pairs of the first impacts', Int32Array, count).fill(-1);
  for (const chunk of chunks) {
    const floats = new Float32Array(chunk.records);
    for (let i = 0; i < chunk.recordCount; i++) {
      const time = Math.max(floats[words * i + records.impact.unclampedTime], 0);
      const pair = pairOf(chunk, i);
      let projection: number | undefined;
      for (const body of [pairs[2 * pair], pairs[2 * pair + 1]]) {
        if (time > times[body] || (time === times[body] && time === Infinity)) continue;
        projection ??= projectionOf(pair, dimension, bodies, pairs, motion);
        // Pairs come in ascending order, so of two equal impacts the earlier one stays.
        if (time === times[body] && firstPairs[body] >= 0 && projection >= projections[body]) continue;
        times[body] = time;
        projections[body] = projection;
        firstPairs[body] = pair;
      }
    }
  }
  const isFirst = (pair: number): boolean =>
    firstPairs[pairs[2 * pair]] === pair || firstPairs[pairs[2 * pair + 1]] === pair;
  const kept = chunks.map((chunk) => keepRecords(words, chunk, (slot) => isFirst(pairOf(chunk, slot))));
  const first = allocate('result.first', Uint32Array, count).fill(NO_SLOT);
  let firstSlot = 0;
  for (const chunk of kept) {
    for (let i = 0; i < chunk.recordCount; i++) {
      const pair = pairOf(chunk, i);
      for (const body of [pairs[2 * pair], pairs[2 * pair + 1]])
        if (firstPairs[body] === pair) first[body] = firstSlot + i;
    }
    firstSlot += chunk.recordCount;
  }
  return { chunks: kept, first };
}

/** How far B is ahead of A along A's displacement relative to B. */
function projectionOf(
  pair: number,
  dimension: number,
  { positions }: AnyBodies,
  pairs: Uint32Array,
  { linear }: BodyMotion,
): number {
  const a = dimension * pairs[2 * pair];
  const b = dimension * pairs[2 * pair + 1];
  let dot = 0;
  let squared = 0;
  for (let k = 0; k < dimension; k++) {
    const velocity = linear[a + k] - linear[b + k];
    dot += (positions[b + k] - positions[a + k]) * velocity;
    squared += velocity * velocity;
  }
  return squared > 0 ? dot / Math.sqrt(squared) : 0;
}
