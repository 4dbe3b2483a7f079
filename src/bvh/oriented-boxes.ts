/**
 * The boxes of an OBB-tree of triangles: Gottschalk, Lin, Manocha, "OBBTree: a hierarchical structure for rapid interference
 * detection" (1996).
 *
 * 1. The principal axes of a node's triangles are the first choice (principal-axes.ts). Those of a square plate are arbitrary
 *    in its plane.
 * 2. So they are turned about the axis along which the triangles spread least, to the least surface of `ANGLES`. Traversals
 *    then test a tenth less boxes.
 * 3. The axes of the shape's frame are taken if that box has the smaller surface, as for most parts of buildings.
 *
 * A leaf's box lies along the longest edge of its triangle.
 */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { enlargeBox } from './bins.ts';
import { frameTriangle, turnAxes } from './box-axes.ts';
import { MAX_DEPTH, reachOf, roundUp, SKEW, writeAlignedBox, type PartTree, type Topology } from './part-tree.ts';
import {
  addMoments,
  clearMoments,
  createMoments,
  mergeMoments,
  principalAxes,
  type Moments,
} from './principal-axes.ts';

/** Nodes of at most this many triangles go through all of them. Larger ones ask their children. */
const SMALL = 2 ** 9;

/** Nodes between two yields. */
const AT_ONCE = 2 ** 10;

/** Bound of the rounding of a projection, as a share of the lengths in it. */
const F64_ROUNDING = 2 ** -49;

/** The axes of the frame, which need no rounding, are taken if the surface is at most this share of the other one. */
const ALMOST = 1 + 2 ** -14;

/** Nodes that wait in a search for a support: at most two per level. */
const waiting = new Uint32Array(2 * MAX_DEPTH);

const ALIGNED = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** What is known of the triangles of a node. */
interface Summary {
  readonly moments: Moments;
  /** Their ranges along the axes of the frame: min x, y, z, max x, y, z. */
  readonly aligned: Float64Array;
}

interface Fit {
  readonly links: Int32Array;
  readonly boxes: Float32Array;
  readonly nodeAxes: Float32Array;
  /** The corners of the triangles in the order of the leaves, 9 numbers per triangle, and each node's range of them. */
  readonly corners: Float32Array;
  readonly firsts: Uint32Array;
  readonly counts: Uint32Array;
  /** The principal axes of the node that is worked on. */
  readonly principal: Float64Array;
  /** The axes of its box, and the ranges of the corners along them, from the origin of its moments. */
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
  yield* fitLarge(fit, 0, createSummary(), isDue);
  return { boxes: fit.boxes, axes: fit.nodeAxes, links, depth, extent: fit.extent };
}

function createSummary(): Summary {
  return { moments: createMoments(), aligned: new Float64Array(6) };
}

/** Writes the boxes of a node and of all below it. */
function* fitLarge(fit: Fit, node: number, to: Summary, isDue: (steps: number) => boolean): Work<void> {
  const { links, corners, firsts, counts, boxes, nodeAxes } = fit;
  if (counts[node] <= SMALL) {
    fitSmall(fit, node, to);
    if (isDue(256 * counts[node])) yield;
    return;
  }
  const left = createSummary();
  yield* fitLarge(fit, links[node], left, isDue);
  const right = createSummary();
  yield* fitLarge(fit, links[node] + 1, right, isDue);
  clearMoments(to.moments, corners, firsts[node]);
  mergeMoments(left.moments, to.moments);
  mergeMoments(right.moments, to.moments);
  to.aligned.set(left.aligned);
  enlargeBox(to.aligned, 0, right.aligned, 0);
  principalAxes(to.moments, fit.principal);
  turnAxes(corners, firsts[node], firsts[node] + counts[node], to.moments.origin, fit.principal, fit.axes);
  isDue(supportRanges(fit, node, to));
  writeBox(fit, to, node, boxes, nodeAxes);
  if (isDue(2048)) yield;
}

/** The same without a yield. Leaves the summary of the node. */
function fitSmall(fit: Fit, node: number, summary: Summary): void {
  const { links, corners, firsts, counts, boxes, nodeAxes } = fit;
  if (links[node] >= 0) {
    fitSmall(fit, links[node], summary);
    fitSmall(fit, links[node] + 1, summary);
  }
  const { moments, aligned } = summary;
  const first = firsts[node];
  const end = first + counts[node];
  clearMoments(moments, corners, first);
  addMoments(corners, first, end, moments);
  if (end - first > 1 || !frameTriangle(corners, first, fit.axes)) {
    principalAxes(moments, fit.principal);
    turnAxes(corners, first, end, moments.origin, fit.principal, fit.axes);
  }
  clearRange(fit.ranges);
  clearRange(aligned);
  addCorners(fit, moments, aligned, first, end);
  writeBox(fit, summary, node, boxes, nodeAxes);
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

function clearRange(range: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    range[k] = Infinity;
    range[3 + k] = -Infinity;
  }
}

/** Enlarges the ranges by the corners of some triangles. */
function addCorners(
  { corners, axes, ranges }: Fit,
  { origin }: Moments,
  aligned: Float64Array,
  first: number,
  end: number,
): void {
  const [x, y, z] = origin;
  const [ux, uy, uz, vx, vy, vz, wx, wy, wz] = axes;
  let [lowU, lowV, lowW, highU, highV, highW] = ranges;
  let [lowX, lowY, lowZ, highX, highY, highZ] = aligned;
  for (let at = 9 * first; at < 9 * end; at += 3) {
    const cx = corners[at];
    const cy = corners[at + 1];
    const cz = corners[at + 2];
    if (cx < lowX) lowX = cx;
    if (cx > highX) highX = cx;
    if (cy < lowY) lowY = cy;
    if (cy > highY) highY = cy;
    if (cz < lowZ) lowZ = cz;
    if (cz > highZ) highZ = cz;
    const px = cx - x;
    const py = cy - y;
    const pz = cz - z;
    const u = ux * px + uy * py + uz * pz;
    const v = vx * px + vy * py + vz * pz;
    const w = wx * px + wy * py + wz * pz;
    if (u < lowU) lowU = u;
    if (u > highU) highU = u;
    if (v < lowV) lowV = v;
    if (v > highV) highV = v;
    if (w < lowW) lowW = w;
    if (w > highW) highW = w;
  }
  ranges[0] = lowU;
  ranges[1] = lowV;
  ranges[2] = lowW;
  ranges[3] = highU;
  ranges[4] = highV;
  ranges[5] = highW;
  aligned[0] = lowX;
  aligned[1] = lowY;
  aligned[2] = lowZ;
  aligned[3] = highX;
  aligned[4] = highY;
  aligned[5] = highZ;
}

/** Writes the box of a node. */
function writeBox(
  fit: Fit,
  { moments, aligned }: Summary,
  node: number,
  boxes: Float32Array,
  nodeAxes: Float32Array,
): void {
  const { axes, ranges } = fit;
  const at = 6 * node;
  if (surfaceOf(aligned) <= ALMOST * surfaceOf(ranges)) {
    writeAlignedBox(aligned, 0, node, boxes);
    nodeAxes.set(ALIGNED, 9 * node);
  } else {
    const { origin } = moments;
    const u = (ranges[0] + ranges[3]) / 2;
    const v = (ranges[1] + ranges[4]) / 2;
    const w = (ranges[2] + ranges[5]) / 2;
    for (let k = 0; k < 3; k++) boxes[at + k] = origin[k] + (axes[k] * u + axes[3 + k] * v + axes[6 + k] * w);
    const x = boxes[at] - origin[0];
    const y = boxes[at + 1] - origin[1];
    const z = boxes[at + 2] - origin[2];
    const rounding = F64_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + sumOf(ranges));
    const enlarged = SKEW * sumOf(ranges) + rounding;
    for (let k = 0; k < 3; k++) {
      // The centre as it was rounded.
      const centre = axes[3 * k] * x + axes[3 * k + 1] * y + axes[3 * k + 2] * z;
      boxes[at + 3 + k] = roundUp(Math.max(ranges[3 + k] - centre, centre - ranges[k]) + enlarged);
    }
    nodeAxes.set(axes, 9 * node);
  }
  const distance = Math.hypot(boxes[at], boxes[at + 1], boxes[at + 2]);
  const diagonal = Math.hypot(boxes[at + 3], boxes[at + 4], boxes[at + 5]);
  fit.extent = Math.max(fit.extent, (distance + diagonal) * (1 + SKEW));
}

/**
 * Finds the ranges of a node's corners along the axes, by branch and bound in the boxes below it. They may be too wide by
 * the share `SKEW` of its size. Returns the number of boxes looked at.
 */
function supportRanges(fit: Fit, node: number, { moments, aligned }: Summary): number {
  const { links, boxes, axes, ranges } = fit;
  const { origin } = moments;
  const slack = SKEW * sumOf(aligned);
  let visits = 0;
  for (let k = 0; k < 6; k++) {
    const sign = k < 3 ? -1 : 1;
    const from = 3 * (k % 3);
    const x = sign * axes[from];
    const y = sign * axes[from + 1];
    const z = sign * axes[from + 2];
    const shift = x * origin[0] + y * origin[1] + z * origin[2];
    let best = -Infinity;
    let top = 0;
    waiting[top++] = links[node] + 1;
    waiting[top++] = links[node];
    while (top > 0) {
      const next = waiting[--top];
      visits++;
      if (reachOf(boxes, fit.nodeAxes, next, x, y, z) - shift <= best + slack) continue;
      const link = links[next];
      if (link < 0) {
        best = Math.max(best, cornerAlong(fit, fit.firsts[next], x, y, z) - shift);
        continue;
      }
      const isLeft = reachOf(boxes, fit.nodeAxes, link, x, y, z) > reachOf(boxes, fit.nodeAxes, link + 1, x, y, z);
      waiting[top++] = isLeft ? link + 1 : link;
      waiting[top++] = isLeft ? link : link + 1;
    }
    ranges[k] = sign * (best + slack);
  }
  return visits;
}

/** How far a triangle reaches along a direction. */
function cornerAlong({ corners }: Fit, triangle: number, x: number, y: number, z: number): number {
  let best = -Infinity;
  for (let at = 9 * triangle, stop = at + 9; at < stop; at += 3) {
    best = Math.max(best, corners[at] * x + corners[at + 1] * y + corners[at + 2] * z);
  }
  return best;
}

/** Half of the surface of a box. */
function surfaceOf(ranges: Float64Array): number {
  const x = ranges[3] - ranges[0];
  const y = ranges[4] - ranges[1];
  const z = ranges[5] - ranges[2];
  return x * y + y * z + z * x;
}

/** The sum of the edges of a box. */
function sumOf(ranges: Float64Array): number {
  return ranges[3] - ranges[0] + (ranges[4] - ranges[1]) + (ranges[5] - ranges[2]);
}
