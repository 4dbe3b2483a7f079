/**
 * Selection: the partial sort that puts the smallest keys of a range first. Hoare, "Algorithm 65: find" (1961), with a
 * pivot from three keys or, for long ranges, from a sample, as in Floyd and Rivest, "Algorithm 489" (1975). A partition
 * that meets equal keys swaps them, so that ranges of equal keys are cut in half too.
 */
import { createPace, type Work } from './turns.ts';

/** Points to split: parallel arrays, so that a partition reads one coordinate only. */
export interface Points {
  /** Coordinates by axis. */
  readonly axes: readonly [Float64Array, Float64Array, Float64Array];
  /** The box of each point. */
  readonly ids: Uint32Array;
}

/** Longest range that is partitioned without a yield. */
const AT_ONCE = 2 ** 13;

/** Ranges of at least this length have their pivot from a sample, which takes longer and cuts closer to the middle. */
const LONG = 1024;
const sample = new Float64Array(63);

/** Where a partition stands. Everything before `low` is at most the pivot, everything after `high` at least. */
interface Cut {
  low: number;
  high: number;
}

/** Reorders the points from `first` up to `end` so that none before `middle` has a greater key than one from there on. */
export function* selectPoints(
  points: Points,
  axis: number,
  first: number,
  end: number,
  middle: number,
): Work<undefined> {
  const isDue = createPace();
  const cut: Cut = { low: 0, high: 0 };
  while (end - first > AT_ONCE) {
    const pivot = pivotOf(points.axes[axis], first, end, middle);
    cut.low = first;
    cut.high = end - 1;
    while (!partition(points, axis, pivot, cut, AT_ONCE)) if (isDue(AT_ONCE)) yield;
    if (middle <= cut.high) end = cut.high + 1;
    else if (middle >= cut.low) first = cut.low;
    else return;
  }
  selectShort(points, axis, first, end, middle, cut);
}

/** The same in one go. `cut` is memory. */
export function selectShort(points: Points, axis: number, first: number, end: number, middle: number, cut: Cut): void {
  while (end - first > 1) {
    const pivot = pivotOf(points.axes[axis], first, end, middle);
    cut.low = first;
    cut.high = end - 1;
    partition(points, axis, pivot, cut, Infinity);
    if (middle <= cut.high) end = cut.high + 1;
    else if (middle >= cut.low) first = cut.low;
    else return;
  }
}

/** A key near the one that belongs at `middle`: that of a sample if the range is long, otherwise a median of three. */
function pivotOf(keys: Float64Array, first: number, end: number, middle: number): number {
  const count = end - first;
  if (count < LONG) return medianOf(keys[first], keys[(first + end) >>> 1], keys[end - 1]);
  const step = Math.floor(count / sample.length);
  for (let i = 0, from = first; i < sample.length; i++, from += step) sample[i] = keys[from];
  sample.sort();
  return sample[Math.floor(((middle - first) / count) * sample.length)];
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Goes on with a partition for about `steps` steps. Returns whether it is done. */
function partition({ axes, ids }: Points, axis: number, pivot: number, cut: Cut, steps: number): boolean {
  const [x, y, z] = axes;
  const keys = axes[axis];
  let { low, high } = cut;
  const from = low - high;
  while (low <= high && low - high - from < steps) {
    while (keys[low] < pivot) low++;
    while (keys[high] > pivot) high--;
    if (low > high) break;
    const xLow = x[low];
    const yLow = y[low];
    const zLow = z[low];
    const id = ids[low];
    x[low] = x[high];
    y[low] = y[high];
    z[low] = z[high];
    ids[low] = ids[high];
    x[high] = xLow;
    y[high] = yLow;
    z[high] = zLow;
    ids[high] = id;
    low++;
    high--;
  }
  cut.low = low;
  cut.high = high;
  return low > high;
}
