/**
 * What a warm start keeps of bodies of parts: the parts that decided each pair. If the bodies have moved little, their distance
 * is a good limit for the next search.
 */
import type { WarmStartState } from '../request/backend.ts';
import { ensureOpen, roomFor } from '../request/warm-start.ts';
import { allocate } from '../util/arrays.ts';

/** Two parts per pair, part of A and part of B; -1 if none is known. Throws `DISPOSED`. */
export function lastParts(warmStart: WarmStartState, pairCount: number): Int32Array {
  ensureOpen(warmStart);
  const known = warmStart.parts?.length ?? 0;
  if (known < 2 * pairCount) {
    const parts = allocate('parts of the warm start', Int32Array, 2 * roomFor(warmStart, pairCount)).fill(-1, known);
    if (warmStart.parts) parts.set(warmStart.parts);
    warmStart.parts = parts;
  }
  return warmStart.parts!;
}
