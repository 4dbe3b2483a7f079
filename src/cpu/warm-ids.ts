/** The memory of warm starts on the CPU: what GJK ended with, pair by pair. */
import type { WarmStartState } from '../request/backend.ts';
import { ensureOpen, roomFor } from '../request/warm-start.ts';
import { allocate } from '../util/arrays.ts';
import { GUESS_LENGTH, NO_ID } from './gjk.ts';

/** The ids of `count` pairs from `first` on, in the memory, which grows to hold them. Throws `DISPOSED`. */
export function idsOf(warmStart: WarmStartState, first: number, count: number): Float64Array {
  ensureOpen(warmStart);
  const end = first + count;
  const known = warmStart.ids?.length ?? 0;
  if (known < GUESS_LENGTH * end) {
    const ids = allocate('ids of the warm start', Float64Array, GUESS_LENGTH * roomFor(warmStart, end)).fill(
      NO_ID,
      known,
    );
    if (warmStart.ids) ids.set(warmStart.ids);
    warmStart.ids = ids;
  }
  return warmStart.ids!.subarray(GUESS_LENGTH * first, GUESS_LENGTH * end);
}
