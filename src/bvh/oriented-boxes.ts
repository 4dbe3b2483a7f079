/**
 * The boxes of an OBB-tree of triangles: Gottschalk, Lin, Manocha, "OBBTree: a hierarchical structure for rapid interference
 * detection" (1996).
 *
 * 1. The principal axes of a node's triangles are the first choice (principal-axes.ts). Those of a square plate are arbitrary
 *    in its plane.
 * 2. So they are turned about the axis along which the triangles spread least, to the least surface of `ANGLES`. Traversals
 *    then test a tenth fewer boxes.
 * 3. The axes of the shape's frame are taken if that box has the smaller surface, as for most parts of buildings.
 *
 * A leaf's box lies along the longest edge of its triangle.
 */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { frameTriangle, MOST_SAMPLES, turnAxes } from './box-axes.ts';
import { MAX_DEPTH, reachOf, roundUp, SKEW, writeAlignedBox, type PartTree, type Topology } from './part-tree.ts';
import {
  addMoments,
  clearMoments,
  createMoments,
  mergeMoments,
  principalAxes,
  type Moments,
} from './principal-axes.ts';

/** Nodes between two yields. */
const AT_ONCE = 2 ** 10;

/** Nodes of at most this many triangles are done without a yield. */
const SMALL = 2 ** 8;

/** Ranges are found along axes in f64, for axes that are rounded to f32. They lose less than this share of their sum. */
const AXIS_ROUNDING = 2 ** -22;

/** Bound of the rounding of a projection, as a share of the lengths in it. */
const F64_ROUNDING = 2 ** -49;

/** The axes of the frame, which need no rounding, are taken if the surface is at most this share of the other one. */
const ALMOST = 1 + 2 ** -14;

/** Nodes that wait in a search for a support: at most two per level. */
const waiting = new Uint32Array(2 * MAX_DEPTH);

interface Fit {
  readonly links: Int32Array;
  readonly boxes: Float32Array;
  readonly nodeAxes: Float32Array;
  /** The corners of the triangles in the order of the leaves, 9 numbers per triangle, and each node's range of them. */
  readonly corners: Float32Array;
  readonly firsts: Uint32Array;
  readonly counts: Uint32Array;
  /** The aligned boxes of the nodes: min x, y, z, max x, y, z. */
  readonly aligned: Float32Array;
  /** Per level, the moments of the last node there, and those of the sibling before it. */
  readonly moments: Moments[];
  readonly others: Moments[];
  /** The principal axes of the node that is worked on. */
  readonly principal: Float64Array;
  /** The axes of its box, and the ranges of its triangles along them, from the origin of its moments. */
  readonly axes: Float32Array;
  readonly ranges: Float64Array;
  extent: number;
}

/** The OBB-tree of a mesh. `positions` holds f32 values. */
export function* encloseOriented(
  { links, depth }: Topology,
  { positions, indices }: { positions: Float64Array; indices: Uint32Array },
): Work<PartTree> {
  const isDue = createPace();
  const { length } = links;
  const fit: Fit = {
    links,
    boxes: allocate('boxes of the tree', Float32Array, 6 * length),
    nodeAxes: allocate('axes of the tree', Float32Array, 9 * length),
    corners: allocate('corners of the triangles', Float32Array, 3 * indices.length),
    firsts: allocate('nodes of the tree', Uint32Array, length),
    counts: allocate('nodes of the tree', Uint32Array, length),
    aligned: allocate('boxes of the tree', Float32Array, 6 * length),
    moments: Array.from({ length: depth }, createMoments),
    others: Array.from({ length: depth }, createMoments),
    principal: new Float64Array(9),
    axes: new Float32Array(9),
    ranges: new Float64Array(6),
    extent: 0,
  };
  for (let end = length; end > 0; end -= AT_ONCE) {
    countLeaves(links, Math.max(end - AT_ONCE, 0), end, fit.counts);
    if (isDue(AT_ONCE)) yield;
  }
  for (let first = 0; first < length; first += AT_ONCE) {
    placeLeaves(fit, positions, indices, first, Math.min(first + AT_ONCE, length));
    if (isDue(4 * AT_ONCE)) yield;
  }
  yield* fitLarge(fit, 0, 0, isDue);
  return { boxes: fit.boxes, axes: fit.nodeAxes, links, depth, extent: fit.extent };
}

/** How many leaves are below the nodes from `first` up to `end`. */
function countLeaves(links: Int32Array, first: number, end: number, counts: Uint32Array): void {
  for (let node = end - 1; node >= first; node--) {
    const link = links[node];
    counts[node] = link < 0 ? 1 : counts[link] + counts[link + 1];
  }
}

/** Where the leaves below the nodes from `first` up to `end` begin, and the corners of those that are leaves. */
function placeLeaves(
  { links, counts, firsts, corners }: Fit,
  positions: Float64Array,
  indices: Uint32Array,
  first: number,
  end: number,
): void {
  for (let node = first; node < end; node++) {
    const link = links[node];
    if (link >= 0) {
      firsts[link] = firsts[node];
      firsts[link + 1] = firsts[node] + counts[link];
      continue;
    }
    const to = 9 * firsts[node];
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * indices[3 * (-1 - link) + corner];
      for (let k = 0; k < 3; k++) corners[to + 3 * corner + k] = positions[at + k];
    }
  }
}

/** Writes the boxes of a node and of all below it, and the moments of its level. */
function* fitLarge(fit: Fit, node: number, level: number, isDue: (steps: number) => boolean): Work<void> {
  const { links, counts, moments, others } = fit;
  if (counts[node] <= SMALL) {
    fitSmall(fit, node, level);
    if (isDue(128 * counts[node])) yield;
    return;
  }
  yield* fitLarge(fit, links[node], level + 1, isDue);
  [moments[level + 1], others[level + 1]] = [others[level + 1], moments[level + 1]];
  yield* fitLarge(fit, links[node] + 1, level + 1, isDue);
  fitNode(fit, node, level);
  if (isDue(4096)) yield;
}

/** The same without a yield. */
function fitSmall(fit: Fit, node: number, level: number): void {
  const { links, moments, others } = fit;
  if (links[node] < 0) {
    fitLeaf(fit, node, moments[level]);
    return;
  }
  fitSmall(fit, links[node], level + 1);
  const first = moments[level + 1];
  moments[level + 1] = others[level + 1];
  others[level + 1] = first;
  fitSmall(fit, links[node] + 1, level + 1);
  fitNode(fit, node, level);
}

/** Writes the box of a leaf, and its moments. */
function fitLeaf(fit: Fit, node: number, moments: Moments): void {
  const { corners, firsts, aligned, principal } = fit;
  const triangle = firsts[node];
  clearMoments(moments, corners, triangle);
  addMoments(corners, triangle, triangle + 1, moments);
  if (!frameTriangle(corners, triangle, fit)) {
    principalAxes(moments, principal);
    turnAxes(corners, triangle, triangle + 1, moments.origin, principal, fit);
  }
  const at = 9 * triangle;
  for (let k = 0; k < 3; k++) {
    aligned[6 * node + k] = Math.min(corners[at + k], corners[at + 3 + k], corners[at + 6 + k]);
    aligned[6 * node + 3 + k] = Math.max(corners[at + k], corners[at + 3 + k], corners[at + 6 + k]);
  }
  writeBox(fit, node, moments.origin);
}

/** Writes the box of a node above others, and its moments. */
function fitNode(fit: Fit, node: number, level: number): void {
  const { links, corners, firsts, counts, aligned, principal } = fit;
  const moments = fit.moments[level];
  clearMoments(moments, corners, firsts[node]);
  mergeMoments(fit.others[level + 1], moments);
  mergeMoments(fit.moments[level + 1], moments);
  const left = 6 * links[node];
  for (let k = 0; k < 3; k++) {
    aligned[6 * node + k] = Math.min(aligned[left + k], aligned[left + 6 + k]);
    aligned[6 * node + 3 + k] = Math.max(aligned[left + 3 + k], aligned[left + 9 + k]);
  }
  principalAxes(moments, principal);
  turnAxes(corners, firsts[node], firsts[node] + counts[node], moments.origin, principal, fit);
  if (counts[node] > MOST_SAMPLES) findRanges(fit, node, moments.origin);
  writeBox(fit, node, moments.origin);
}

/**
 * Finds the ranges of a node's triangles along the axes, by branch and bound in the boxes below it. They may be too wide by
 * the share `SKEW` of its size: along the normal of a plate, all boxes reach equally far except for rounding.
 */
function findRanges(fit: Fit, node: number, origin: Float64Array): void {
  const { axes, aligned, ranges } = fit;
  const slack = SKEW * sumOf(aligned, 6 * node);
  for (let k = 0; k < 3; k++) {
    const x = axes[3 * k];
    const y = axes[3 * k + 1];
    const z = axes[3 * k + 2];
    const shift = x * origin[0] + y * origin[1] + z * origin[2];
    ranges[k] = -findReach(fit, node, -x, -y, -z, slack) - shift;
    ranges[3 + k] = findReach(fit, node, x, y, z, slack) - shift;
  }
}

/** How far a node's triangles reach along a direction, or at most `slack` more. */
function findReach(fit: Fit, node: number, x: number, y: number, z: number, slack: number): number {
  const { links, boxes, nodeAxes, firsts, corners } = fit;
  let most = -Infinity;
  let top = 0;
  waiting[top++] = links[node] + 1;
  waiting[top++] = links[node];
  while (top > 0) {
    const next = waiting[--top];
    if (reachOf(boxes, nodeAxes, next, x, y, z) <= most + slack) continue;
    const link = links[next];
    if (link >= 0) {
      const isLeft = reachOf(boxes, nodeAxes, link, x, y, z) > reachOf(boxes, nodeAxes, link + 1, x, y, z);
      waiting[top++] = isLeft ? link + 1 : link;
      waiting[top++] = isLeft ? link : link + 1;
      continue;
    }
    for (let at = 9 * firsts[next], stop = at + 9; at < stop; at += 3) {
      most = Math.max(most, corners[at] * x + corners[at + 1] * y + corners[at + 2] * z);
    }
  }
  return most + slack;
}

/** Writes the box of a node: the one along `axes`, or the aligned one if its surface is smaller. */
function writeBox(fit: Fit, node: number, origin: Float64Array): void {
  const { boxes, nodeAxes, aligned, axes, ranges } = fit;
  const at = 6 * node;
  if (surfaceOf(aligned, at) <= ALMOST * surfaceOf(ranges, 0)) {
    writeAlignedBox(aligned, at, node, boxes);
    putThinnestLast(boxes, nodeAxes, node);
  } else {
    const u = (ranges[0] + ranges[3]) / 2;
    const v = (ranges[1] + ranges[4]) / 2;
    const w = (ranges[2] + ranges[5]) / 2;
    for (let k = 0; k < 3; k++) boxes[at + k] = origin[k] + (axes[k] * u + axes[3 + k] * v + axes[6 + k] * w);
    const x = boxes[at] - origin[0];
    const y = boxes[at + 1] - origin[1];
    const z = boxes[at + 2] - origin[2];
    const size = sumOf(ranges, 0);
    const rounding = AXIS_ROUNDING * size + F64_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    for (let k = 0; k < 3; k++) {
      // The centre as it was rounded.
      const centre = axes[3 * k] * x + axes[3 * k + 1] * y + axes[3 * k + 2] * z;
      const half = Math.max(ranges[3 + k] - centre, centre - ranges[k]);
      boxes[at + 3 + k] = roundUp(half + rounding + SKEW * size);
      nodeAxes[9 * node + k] = axes[k];
      nodeAxes[9 * node + 3 + k] = axes[3 + k];
      nodeAxes[9 * node + 6 + k] = axes[6 + k];
    }
  }
  const distance = lengthOf(boxes, at) + lengthOf(boxes, at + 3);
  fit.extent = Math.max(fit.extent, distance * (1 + SKEW));
}

/** Writes the axes of an aligned box, the one along which it is thinnest last, and puts its half extents in their order. */
function putThinnestLast(boxes: Float32Array, nodeAxes: Float32Array, node: number): void {
  const at = 6 * node + 3;
  const x = boxes[at];
  const y = boxes[at + 1];
  const z = boxes[at + 2];
  const first = z <= x && z <= y ? 0 : x <= y ? 1 : 2;
  for (let k = 0; k < 3; k++) {
    const axis = (first + k) % 3;
    boxes[at + k] = axis === 0 ? x : axis === 1 ? y : z;
    for (let i = 0; i < 3; i++) nodeAxes[9 * node + 3 * k + i] = i === axis ? 1 : 0;
  }
}

function lengthOf(vectors: Float32Array, at: number): number {
  return Math.sqrt(vectors[at] ** 2 + vectors[at + 1] ** 2 + vectors[at + 2] ** 2);
}

/** Half of the surface of a box, which is min x, y, z, max x, y, z. */
function surfaceOf(ranges: Float32Array | Float64Array, at: number): number {
  const x = ranges[at + 3] - ranges[at];
  const y = ranges[at + 4] - ranges[at + 1];
  const z = ranges[at + 5] - ranges[at + 2];
  return x * y + y * z + z * x;
}

/** The sum of the edges of such a box. */
function sumOf(ranges: Float32Array | Float64Array, at: number): number {
  return ranges[at + 3] - ranges[at] + (ranges[at + 4] - ranges[at + 1]) + (ranges[at + 5] - ranges[at + 2]);
}
