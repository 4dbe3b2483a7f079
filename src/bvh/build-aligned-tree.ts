/**
 * Builds a tree whose boxes lie along the axes of the shape's frame.
 *
 * 1. From the root down, a range of parts is cut by the surface-area heuristic (bins.ts), or in half where there is no such
 *    cut (all centres are equal) or where the tree has become deep (`FREE_DEPTH`).
 * 2. From the leaves to the root, each node gets the box around its parts.
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
  enlargeBox,
  partitionAtCut,
  placeBins,
  type Bins,
  type Split,
} from './bins.ts';
import { centreBox, extentOf, FREE_DEPTH, type PartTree } from './part-tree.ts';

/** Ranges of at most this many parts are cut without a yield. */
const SHORT_RANGE = 2 ** 10;

/** Parts per step of a longer range. */
const AT_ONCE = 2 ** 11;

type Nodes = Pick<PartTree, 'rightChildren' | 'firsts' | 'ends' | 'boxes'>;

interface Builder {
  readonly nodes: Nodes;
  readonly points: Points;
  /** Min x, y, z, max x, y, z of each part. */
  readonly boxes: Float64Array;
  readonly leafSize: number;
  readonly bins: Bins;
  readonly split: Split;
  /** Nodes made so far. */
  count: number;
  depth: number;
}

/**
 * Builds the tree of parts with these boxes, 6 numbers per part: min x, y, z, max x, y, z, each at most 1e38 either way.
 * There is at least one part. A leaf has at most `leafSize` parts.
 */
export function* buildAlignedTree(boxes: Float64Array, leafSize = 1): Work<PartTree> {
  const parts = boxes.length / 6;
  const most = 2 * parts - 1;
  const builder: Builder = {
    nodes: {
      rightChildren: allocate('nodes of the tree', Uint32Array, most),
      firsts: allocate('nodes of the tree', Uint32Array, most),
      ends: allocate('nodes of the tree', Uint32Array, most),
      boxes: allocate('boxes of the tree', Float64Array, 6 * most),
    },
    points: yield* centresOf(boxes),
    boxes,
    leafSize,
    bins: createBins(),
    split: { low: 0, high: 0 },
    count: 0,
    depth: 0,
  };
  yield* cutRanges(builder, parts);
  const { nodes, points, count, depth } = builder;
  yield* encloseParts(builder);
  return {
    boxes: nodes.boxes.slice(0, 6 * count),
    rightChildren: nodes.rightChildren.slice(0, count),
    firsts: nodes.firsts.slice(0, count),
    ends: nodes.ends.slice(0, count),
    order: points.ids,
    depth,
    extent: extentOf(nodes.boxes),
  };
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
  const { rightChildren } = builder.nodes;
  const waiting: number[] = [0, parts, -1, 1];
  while (waiting.length > 0) {
    const depth = waiting.pop()!;
    const parent = waiting.pop()!;
    const end = waiting.pop()!;
    const first = waiting.pop()!;
    if (parent >= 0) rightChildren[parent] = builder.count;
    if (end - first <= SHORT_RANGE) {
      cutShortRange(builder, first, end, depth);
      if (isDue(256 * (end - first))) yield;
      continue;
    }
    const node = builder.count++;
    const middle = yield* cutLongRange(builder, first, end, depth);
    waiting.push(middle, end, node, depth + 1, first, middle, -1, depth + 1);
  }
}

/** Makes the nodes of a short range. */
function cutShortRange(builder: Builder, first: number, end: number, depth: number): void {
  const { nodes, points, boxes, bins, split } = builder;
  const node = builder.count++;
  if (end - first <= builder.leafSize) {
    nodes.firsts[node] = first;
    nodes.ends[node] = end;
    builder.depth = Math.max(builder.depth, depth);
    return;
  }
  clearBins(bins, end - first);
  addCentres(bins, points, first, end);
  let middle = (first + end) >>> 1;
  if (end - first > 2) {
    placeBins(bins);
    if (depth < FREE_DEPTH) addParts(bins, points, boxes, first, end);
    chooseCut(bins);
    if (bins.axis >= 0) {
      split.low = first;
      split.high = end - 1;
      partitionAtCut(bins, points, split, Infinity);
      middle = split.low;
    } else if (depth >= FREE_DEPTH) {
      selectShort(points, widestAxis(bins), first, end, middle, split);
    }
  }
  cutShortRange(builder, first, middle, depth + 1);
  nodes.rightChildren[node] = builder.count;
  cutShortRange(builder, middle, end, depth + 1);
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

/** Computes the boxes of the nodes. Children come after their parents. */
function* encloseParts(builder: Builder): Work<void> {
  const isDue = createPace();
  for (let end = builder.count; end > 0; end -= AT_ONCE) {
    encloseSome(builder, Math.max(end - AT_ONCE, 0), end);
    if (isDue(16 * AT_ONCE)) yield;
  }
  for (let first = 0; first < builder.count; first += AT_ONCE) {
    const end = Math.min(first + AT_ONCE, builder.count);
    for (let node = first; node < end; node++) centreBox(builder.nodes.boxes, node);
    if (isDue(8 * AT_ONCE)) yield;
  }
}

/** The boxes of the nodes from `first` up to `end`, as min x, y, z, max x, y, z. */
function encloseSome({ nodes, points, boxes: given }: Builder, first: number, end: number): void {
  const { boxes, rightChildren, firsts, ends } = nodes;
  for (let node = end - 1; node >= first; node--) {
    const to = 6 * node;
    boxes[to] = boxes[to + 1] = boxes[to + 2] = Infinity;
    boxes[to + 3] = boxes[to + 4] = boxes[to + 5] = -Infinity;
    if (rightChildren[node] > 0) {
      enlargeBox(boxes, to, boxes, to + 6);
      enlargeBox(boxes, to, boxes, 6 * rightChildren[node]);
      continue;
    }
    for (let i = firsts[node]; i < ends[node]; i++) enlargeBox(boxes, to, given, 6 * points.ids[i]);
  }
}
