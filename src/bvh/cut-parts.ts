/**
 * Cuts parts into the nodes of a tree, from the root down: a range of parts is cut by the surface-area heuristic (bins.ts),
 * or in half where there is no such cut (all centres are equal) or where the tree has become deep (`FREE_DEPTH`).
 *
 * OBB-trees use it too. With the cut of the OBBTree paper, at the mean along the longest axis of each box, they test 1.2
 * times as many boxes for all pairs of two meshes (bench/results/variants.md).
 */
import { allocate } from '../util/arrays.ts';
import { selectPoints, selectShort, type Points } from '../util/select.ts';
import { createPace, type Work } from '../util/turns.ts';
import {
  addCentres,
  addParts,
  chooseCut,
  clearBins,
  createBins,
  partitionAtCut,
  placeBins,
  type Bins,
  type Split,
} from './bins.ts';
import { FREE_DEPTH, type Topology } from './part-tree.ts';

/** Ranges of at most this many parts are cut without a yield. */
const SHORT_RANGE = 2 ** 8;

/** Parts per step of a longer range. */
const AT_ONCE = 2 ** 11;

interface Builder {
  readonly links: Int32Array;
  readonly points: Points;
  /** Min x, y, z, max x, y, z of each part. */
  readonly boxes: Float64Array;
  readonly bins: Bins;
  readonly split: Split;
  /** Nodes made so far. */
  count: number;
  depth: number;
}

/**
 * Cuts parts with these boxes, 6 numbers per part: min x, y, z, max x, y, z, each at most 1e38 either way. There is at
 * least one part.
 */
export function* cutParts(boxes: Float64Array): Work<Topology> {
  const parts = boxes.length / 6;
  const builder: Builder = {
    links: allocate('nodes of the tree', Int32Array, 2 * parts - 1),
    points: yield* centresOf(boxes),
    boxes,
    bins: createBins(),
    split: { low: 0, high: 0 },
    count: 1,
    depth: 0,
  };
  yield* cutRanges(builder, parts);
  return { links: builder.links, depth: builder.depth };
}

/** Twice the centres of the boxes. */
function* centresOf(boxes: Float64Array): Work<Points> {
  const isDue = createPace();
  const parts = boxes.length / 6;
  const x = allocate('centres of the parts', Float64Array, parts);
  const y = allocate('centres of the parts', Float64Array, parts);
  const z = allocate('centres of the parts', Float64Array, parts);
  const ids = allocate('order of the parts', Uint32Array, parts);
  for (let first = 0; first < parts; first += AT_ONCE) {
    const end = Math.min(first + AT_ONCE, parts);
    for (let i = first, at = 6 * first; i < end; i++, at += 6) {
      x[i] = boxes[at] + boxes[at + 3];
      y[i] = boxes[at + 1] + boxes[at + 4];
      z[i] = boxes[at + 2] + boxes[at + 5];
      ids[i] = i;
    }
    if (isDue(4 * AT_ONCE)) yield;
  }
  return { axes: [x, y, z], ids };
}

/** Cuts all parts into nodes. */
function* cutRanges(builder: Builder, parts: number): Work<void> {
  const isDue = createPace();
  const waiting: number[] = [0, parts, 0, 1];
  while (waiting.length > 0) {
    const depth = waiting.pop()!;
    const node = waiting.pop()!;
    const end = waiting.pop()!;
    const first = waiting.pop()!;
    if (end - first <= SHORT_RANGE) {
      cutShortRange(builder, first, end, node, depth);
      if (isDue(256 * (end - first))) yield;
      continue;
    }
    const child = addChildren(builder, node);
    const middle = yield* cutLongRange(builder, first, end, depth);
    waiting.push(middle, end, child + 1, depth + 1, first, middle, child, depth + 1);
  }
}

/** Gives a node children. Returns the first one. */
function addChildren(builder: Builder, node: number): number {
  const child = builder.count;
  builder.links[node] = child;
  builder.count += 2;
  return child;
}

/** Makes the nodes of a short range. */
function cutShortRange(builder: Builder, first: number, end: number, node: number, depth: number): void {
  const { links, points, boxes, bins, split } = builder;
  if (end - first === 1) {
    links[node] = -1 - points.ids[first];
    builder.depth = Math.max(builder.depth, depth);
    return;
  }
  let middle = (first + end) >>> 1;
  if (end - first > 2) {
    clearBins(bins, end - first);
    addCentres(bins, points, first, end);
    if (depth < FREE_DEPTH) {
      placeBins(bins);
      addParts(bins, points, boxes, first, end);
      chooseCut(bins);
      if (bins.axis >= 0) {
        split.low = first;
        split.high = end - 1;
        partitionAtCut(bins, points, split, Infinity);
        middle = split.low;
      }
    } else {
      selectShort(points, widestAxis(bins), first, end, middle, split);
    }
  }
  const child = addChildren(builder, node);
  cutShortRange(builder, first, middle, child, depth + 1);
  cutShortRange(builder, middle, end, child + 1, depth + 1);
}

/** Reorders a long range. Returns where its right side begins. */
function* cutLongRange(builder: Builder, first: number, end: number, depth: number): Work<number> {
  const isDue = createPace();
  const { points, boxes, bins, split } = builder;
  const middle = (first + end) >>> 1;
  clearBins(bins, end - first);
  for (let i = first; i < end; i += AT_ONCE) {
    addCentres(bins, points, i, Math.min(i + AT_ONCE, end));
    if (isDue(3 * AT_ONCE)) yield;
  }
  if (depth >= FREE_DEPTH) {
    yield* selectPoints(points, widestAxis(bins), first, end, middle);
    return middle;
  }
  placeBins(bins);
  for (let i = first; i < end; i += AT_ONCE) {
    addParts(bins, points, boxes, i, Math.min(i + AT_ONCE, end));
    if (isDue(16 * AT_ONCE)) yield;
  }
  chooseCut(bins);
  if (bins.axis < 0) return middle;
  split.low = first;
  split.high = end - 1;
  while (!partitionAtCut(bins, points, split, AT_ONCE)) if (isDue(4 * AT_ONCE)) yield;
  return split.low;
}

function widestAxis({ lows, highs }: Bins): number {
  const x = highs[0] - lows[0];
  const y = highs[1] - lows[1];
  const z = highs[2] - lows[2];
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}
