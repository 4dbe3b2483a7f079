/**
 * A forest of binary trees over axis-aligned boxes, which serves pairs (box-pairs.ts) and rays (box-rays.ts).
 *
 * 1. Boxes are sorted into classes by size: each class spans a factor of 4. A tree of boxes of different sizes has large
 *    nodes everywhere; a tree of similar boxes has nodes that are hardly larger than the space of their boxes.
 * 2. In each class, a range of boxes is cut at the median of their centres, along the axis on which the centres spread
 *    most, until `LEAF_SIZE` boxes are left. Medians adapt to any distribution: clusters, sheets, far outliers.
 * 3. From the leaves to the root, each node gets the box around its boxes.
 *
 * Boxes are in double precision, as the input, so that a tree loses nothing far from the origin.
 */
import type { CollisionFilters } from '../api/bodies.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { selectPoints, selectShort, type Points } from '../util/select.ts';
import { SIZE_CLASSES, sortByClass } from './size-classes.ts';

/** Most boxes in a leaf. */
const LEAF_SIZE = 4;

/** Ranges of at most this many boxes are cut without a yield. */
const SHORT_RANGE = 2 ** 11;

/** The axis of a cut is chosen by the spread of at most about this many points. */
const MOST_SAMPLES = 64;

export interface BoxTree {
  /** Boxes in the order of the leaves: min x, y, z, max x, y, z. */
  readonly boxes: Float64Array;
  /** The body of each box. */
  readonly bodies: Uint32Array;
  /** The boxes of the nodes. The left child of a node follows it. */
  readonly nodeBoxes: Float64Array;
  /** The right child of each node; 0 for a leaf. */
  readonly rightChildren: Uint32Array;
  /** For a leaf, the range of its boxes. */
  readonly firsts: Uint32Array;
  readonly ends: Uint32Array;
  /** All groups and filters of the bodies in each node, if bodies have groups. */
  readonly nodeGroups?: Uint32Array;
  readonly roots: readonly Root[];
}

/** The tree of a class. */
export interface Root {
  readonly node: number;
  /** Whether its bodies are fixed. */
  readonly isFixed: boolean;
}

/**
 * Builds the trees of all boxes that are not empty. `boxes` holds 6 numbers per body: min x, y, z, max x, y, z, each at
 * most 1e150 either way. Fixed bodies get trees of their own.
 */
export function* buildBoxTree(boxes: Float64Array, { groups, fixed }: CollisionFilters = {}): Work<BoxTree> {
  const { points, ends } = yield* sortByClass(boxes, fixed);
  const count = points.ids.length;
  const nodeCount = ends.reduce((sum, end, i) => sum + nodesFor(end - (i > 0 ? ends[i - 1] : 0)), 0);
  const tree = {
    boxes: allocate('boxes of the tree', Float64Array, 6 * count),
    bodies: points.ids,
    nodeBoxes: allocate('nodes of the tree', Float64Array, 6 * nodeCount),
    rightChildren: allocate('nodes of the tree', Uint32Array, nodeCount),
    firsts: allocate('nodes of the tree', Uint32Array, nodeCount),
    ends: allocate('nodes of the tree', Uint32Array, nodeCount),
  };
  const roots: Root[] = [];
  let node = 0;
  for (let i = 0, first = 0; i < ends.length; first = ends[i++]) {
    if (ends[i] === first) continue;
    roots.push({ node, isFixed: i >= SIZE_CLASSES });
    yield* cutAtMedians(tree, points, first, ends[i], node);
    node += nodesFor(ends[i] - first);
  }
  yield* encloseBoxes(tree, boxes);
  if (!groups) return { ...tree, roots };
  return { ...tree, nodeGroups: yield* joinGroups(tree, groups), roots };
}

/** Nodes of a tree of `count` boxes. All leaves are full except the last. */
function nodesFor(count: number): number {
  return count > 0 ? 2 * Math.ceil(count / LEAF_SIZE) - 1 : 0;
}

type Nodes = Pick<BoxTree, 'rightChildren' | 'firsts' | 'ends'>;

/** Cuts the range of one class at medians. Its nodes begin at `root`. */
function* cutAtMedians(nodes: Nodes, points: Points, start: number, stop: number, root: number): Work<void> {
  const isDue = createPace();
  const waiting: number[] = [start, stop, root];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    const end = waiting.pop()!;
    const first = waiting.pop()!;
    if (end - first <= SHORT_RANGE) {
      cutShortRange(nodes, points, first, end, node, { low: 0, high: 0 });
      if (isDue(64 * (end - first))) yield;
      continue;
    }
    const axis = widestAxis(points, first, end);
    const middle = middleOf(first, end);
    yield* selectPoints(points, axis, first, end, middle);
    nodes.rightChildren[node] = node + 1 + nodesFor(middle - first);
    waiting.push(middle, end, nodes.rightChildren[node], first, middle, node + 1);
  }
}

/** Where a range is cut: after half of its leaves. */
function middleOf(first: number, end: number): number {
  return first + LEAF_SIZE * (Math.ceil((end - first) / LEAF_SIZE) >>> 1);
}

function cutShortRange(
  nodes: Nodes,
  points: Points,
  first: number,
  end: number,
  node: number,
  cut: { low: number; high: number },
): void {
  if (end - first <= LEAF_SIZE) {
    nodes.firsts[node] = first;
    nodes.ends[node] = end;
    return;
  }
  const middle = middleOf(first, end);
  selectShort(points, widestAxis(points, first, end), first, end, middle, cut);
  const right = node + 1 + nodesFor(middle - first);
  nodes.rightChildren[node] = right;
  cutShortRange(nodes, points, first, middle, node + 1, cut);
  cutShortRange(nodes, points, middle, end, right, cut);
}

/** The axis on which the points spread most, or about so if there are many. */
function widestAxis({ axes: [x, y, z] }: Points, first: number, end: number): number {
  const step = Math.ceil((end - first) / MOST_SAMPLES);
  const alongX = spreadOf(x, first, end, step);
  const alongY = spreadOf(y, first, end, step);
  const alongZ = spreadOf(z, first, end, step);
  if (alongX >= alongY && alongX >= alongZ) return 0;
  return alongY >= alongZ ? 1 : 2;
}

function spreadOf(keys: Float64Array, first: number, end: number, step: number): number {
  let low = Infinity;
  let high = -Infinity;
  for (let i = first; i < end; i += step) {
    const key = keys[i];
    if (key < low) low = key;
    if (key > high) high = key;
  }
  return high - low;
}

/** Puts the boxes into the order of the leaves, and computes those of the nodes. */
function* encloseBoxes(tree: Omit<BoxTree, 'roots'>, boxes: Float64Array): Work<void> {
  const isDue = createPace();
  const { length } = tree.rightChildren;
  // Children come after their parents.
  for (let end = length; end > 0; end -= 256) {
    encloseSome(tree, boxes, Math.max(end - 256, 0), end);
    if (isDue(8192)) yield;
  }
}

/** The boxes of the nodes from `first` up to `end`, and those of the leaves among them. */
function encloseSome(tree: Omit<BoxTree, 'roots'>, given: Float64Array, first: number, end: number): void {
  const { boxes, bodies, nodeBoxes, rightChildren, firsts, ends } = tree;
  for (let node = end - 1; node >= first; node--) {
    const to = 6 * node;
    if (rightChildren[node] > 0) {
      const left = to + 6;
      const right = 6 * rightChildren[node];
      for (let k = 0; k < 3; k++) {
        nodeBoxes[to + k] = Math.min(nodeBoxes[left + k], nodeBoxes[right + k]);
        nodeBoxes[to + 3 + k] = Math.max(nodeBoxes[left + 3 + k], nodeBoxes[right + 3 + k]);
      }
      continue;
    }
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = firsts[node]; i < ends[node]; i++) {
        const from = 6 * bodies[i] + k;
        boxes[6 * i + k] = given[from];
        boxes[6 * i + 3 + k] = given[from + 3];
        if (given[from] < low) low = given[from];
        if (given[from + 3] > high) high = given[from + 3];
      }
      nodeBoxes[to + k] = low;
      nodeBoxes[to + 3 + k] = high;
    }
  }
}

/** The groups of the nodes. Children come after their parents. */
function* joinGroups(tree: Nodes & Pick<BoxTree, 'bodies'>, groups: Uint32Array): Work<Uint32Array> {
  const isDue = createPace();
  const { bodies, rightChildren, firsts, ends } = tree;
  const nodeGroups = allocate('groups of the nodes', Uint32Array, rightChildren.length);
  for (let node = rightChildren.length - 1; node >= 0; node--) {
    if (rightChildren[node] > 0) nodeGroups[node] = nodeGroups[node + 1] | nodeGroups[rightChildren[node]];
    else for (let i = firsts[node]; i < ends[node]; i++) nodeGroups[node] |= groups[bodies[i]];
    if (isDue(2)) yield;
  }
  return nodeGroups;
}
