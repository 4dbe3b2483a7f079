/**
 * Where a range of parts is cut: the surface-area heuristic (Goldsmith, Salmon, "Automatic creation of object hierarchies
 * for ray tracing", 1987), evaluated between bins (Wald, "On fast construction of SAH-based bounding volume hierarchies",
 * 2007). Parts go into bins by their centres along each axis, and a cut between two bins costs, for either side, the number
 * of its parts times the surface of its box.
 */
import type { Points } from '../util/select.ts';

/** Bins per axis of a long range. Short ranges have as many bins as parts. */
const MOST_BINS = 16;
const FEWEST_BINS = 4;

/** Numbers per bin: its box and its parts. */
const STRIDE = 7;

export interface Bins {
  /** Bins per axis. */
  count: number;
  /** Per axis: the least and the greatest centre, and bins per length; 0 if all centres are equal. */
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  readonly scales: Float64Array;
  /** Per axis and bin: min x, y, z, max x, y, z and the number of parts. */
  readonly values: Float64Array;
  /** Costs of what is to the left of each bin. */
  readonly leftCosts: Float64Array;
  readonly leftCounts: Float64Array;
  readonly box: Float64Array;
  /** The chosen cut: parts whose bin on this axis is below `bin` are on the left. -1 if there is none. */
  axis: number;
  bin: number;
}

export function createBins(): Bins {
  return {
    count: 0,
    lows: new Float64Array(3),
    highs: new Float64Array(3),
    scales: new Float64Array(3),
    values: new Float64Array(3 * MOST_BINS * STRIDE),
    leftCosts: new Float64Array(MOST_BINS),
    leftCounts: new Float64Array(MOST_BINS),
    box: new Float64Array(6),
    axis: -1,
    bin: 0,
  };
}

/** Resets everything for a range of this many parts. */
export function clearBins(bins: Bins, parts: number): void {
  bins.count = Math.max(FEWEST_BINS, Math.min(parts, MOST_BINS));
  bins.lows.fill(Infinity);
  bins.highs.fill(-Infinity);
  const { values } = bins;
  const end = 3 * bins.count * STRIDE;
  for (let at = 0; at < end; at += STRIDE) clearBox(values, at);
}

/** Makes a box empty, and the number of parts after it 0. */
function clearBox(values: Float64Array, at: number): void {
  values[at] = values[at + 1] = values[at + 2] = Infinity;
  values[at + 3] = values[at + 4] = values[at + 5] = -Infinity;
  values[at + 6] = 0;
}

/** Enlarges the bins' ranges by the centres of some parts. */
export function addCentres({ lows, highs }: Bins, { axes }: Points, first: number, end: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const keys = axes[axis];
    let low = lows[axis];
    let high = highs[axis];
    for (let i = first; i < end; i++) {
      const key = keys[i];
      if (key < low) low = key;
      if (key > high) high = key;
    }
    lows[axis] = low;
    highs[axis] = high;
  }
}

/** Decides the bins' places, after all centres have been added. */
export function placeBins({ count, lows, highs, scales }: Bins): void {
  for (let axis = 0; axis < 3; axis++) {
    const scale = count / (highs[axis] - lows[axis]);
    scales[axis] = scale < Infinity ? scale : 0;
  }
}

/** The bin of a key. */
function binOf(key: number, low: number, scale: number, count: number): number {
  return Math.min(Math.floor((key - low) * scale), count - 1);
}

/** Puts some parts into their bins. `boxes` are those of all parts. */
export function addParts(bins: Bins, { axes, ids }: Points, boxes: Float64Array, first: number, end: number): void {
  const { count, values } = bins;
  for (let axis = 0; axis < 3; axis++) {
    const scale = bins.scales[axis];
    if (scale === 0) continue;
    const low = bins.lows[axis];
    const keys = axes[axis];
    const base = axis * count;
    for (let i = first; i < end; i++) {
      const at = STRIDE * (base + binOf(keys[i], low, scale, count));
      enlargeBox(values, at, boxes, 6 * ids[i]);
      values[at + 6]++;
    }
  }
}

/** Enlarges the box at `at` of `to` by the one at `from` of `boxes`. */
export function enlargeBox(to: Float64Array, at: number, boxes: Float64Array, from: number): void {
  if (boxes[from] < to[at]) to[at] = boxes[from];
  if (boxes[from + 1] < to[at + 1]) to[at + 1] = boxes[from + 1];
  if (boxes[from + 2] < to[at + 2]) to[at + 2] = boxes[from + 2];
  if (boxes[from + 3] > to[at + 3]) to[at + 3] = boxes[from + 3];
  if (boxes[from + 4] > to[at + 4]) to[at + 4] = boxes[from + 4];
  if (boxes[from + 5] > to[at + 5]) to[at + 5] = boxes[from + 5];
}

/** Half of the surface of a box. */
function surface(box: Float64Array): number {
  const x = box[3] - box[0];
  const y = box[4] - box[1];
  const z = box[5] - box[2];
  return x * y + y * z + z * x;
}

/** Chooses the cut with the least cost; among equal ones, such as those of flat boxes, the most even one. */
export function chooseCut(bins: Bins): void {
  const { count, scales, values, leftCosts, leftCounts, box } = bins;
  bins.axis = -1;
  let least = Infinity;
  let leastUneven = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    if (scales[axis] === 0) continue;
    const base = STRIDE * axis * count;
    clearBox(box, 0);
    let parts = 0;
    for (let bin = 1; bin < count; bin++) {
      const at = base + STRIDE * (bin - 1);
      enlargeBox(box, 0, values, at);
      parts += values[at + 6];
      leftCosts[bin] = parts > 0 ? parts * surface(box) : 0;
      leftCounts[bin] = parts;
    }
    clearBox(box, 0);
    parts = 0;
    for (let bin = count - 1; bin > 0; bin--) {
      const at = base + STRIDE * bin;
      enlargeBox(box, 0, values, at);
      parts += values[at + 6];
      if (parts === 0 || leftCounts[bin] === 0) continue;
      const cost = leftCosts[bin] + parts * surface(box);
      const uneven = Math.abs(parts - leftCounts[bin]);
      if (cost > least || (cost === least && uneven >= leastUneven)) continue;
      least = cost;
      leastUneven = uneven;
      bins.axis = axis;
      bins.bin = bin;
    }
  }
}

/** Where a partition stands: everything before `low` is on the left, everything after `high` on the right. */
export interface Split {
  low: number;
  high: number;
}

/**
 * Goes on with putting the parts on the left of the chosen cut before the others, for about `steps` steps. Returns
 * whether it is done; then the right side begins at `split.low`.
 */
export function partitionAtCut(bins: Bins, { axes, ids }: Points, split: Split, steps: number): boolean {
  const [x, y, z] = axes;
  const { axis, bin, count } = bins;
  const keys = axes[axis];
  const least = bins.lows[axis];
  const scale = bins.scales[axis];
  let { low, high } = split;
  const from = low - high;
  while (low <= high && low - high - from < steps) {
    while (low <= high && binOf(keys[low], least, scale, count) < bin) low++;
    while (low <= high && binOf(keys[high], least, scale, count) >= bin) high--;
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
  split.low = low;
  split.high = high;
  return low > high;
}
